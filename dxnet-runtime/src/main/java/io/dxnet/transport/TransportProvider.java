package io.dxnet.transport;

import io.dxnet.DXNetConfig;
import java.util.Optional;

/** Offers a transport; found with {@link java.util.ServiceLoader}. */
public interface TransportProvider {
    /**
     * {@return the transport's name, as the configuration's {@code transport} has it,
     * in lower case}
     */
    String name();

    /**
     * {@return its rank for {@code transport=auto}, which uses the highest that is
     * available; negative: never used automatically}
     */
    int preference();

    /**
     * {@return why it cannot run on this machine with this configuration,
     * a sentence; empty when it can}
     *
     * @param config the configuration
     */
    Optional<String> unavailabilityCause(DXNetConfig config);

    /**
     * Makes a transport that is not started yet.
     *
     * @param context what the engine offers to it
     * @return the transport
     * @throws io.dxnet.ConfigurationException when one of its options is wrong, or this machine
     *     does not grant what they ask for; {@code transport=auto} passes this transport over then
     */
    Transport create(TransportContext context);

    /**
     * Returns the option that no other transport can replace, because it protects messages on this
     * one: {@code transport=auto} is an error with it, so that it never chooses one without.
     *
     * @param config the configuration
     * @return the option and its value; empty where there is none
     */
    default Optional<String> irreplaceable(DXNetConfig config) {
        return Optional.empty();
    }

    /**
     * Returns a configuration with which {@link #create} needs less of this machine.
     * {@code transport=auto} tries it where {@code create} refused the given one,
     * before it passes this transport over.
     *
     * @param config the configuration that was refused
     * @return empty when there is none
     */
    default Optional<DXNetConfig> smaller(DXNetConfig config) {
        return Optional.empty();
    }
}
