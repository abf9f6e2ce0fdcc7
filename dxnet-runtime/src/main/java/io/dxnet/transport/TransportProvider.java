package io.dxnet.transport;

import io.dxnet.DXNetConfig;
import java.util.Optional;

/** Offers a transport; found with {@link java.util.ServiceLoader}. */
public interface TransportProvider {
    /**
     * The name that the configuration's {@code transport} gives.
     *
     * @return lower case
     */
    String name();

    /**
     * Which one {@code transport=auto} takes: the highest that is available.
     *
     * @return negative: never taken automatically
     */
    int preference();

    /**
     * Whether it can run on this machine with this configuration, and why not.
     *
     * @param config the configuration
     * @return empty when it can; else the reason, a sentence
     */
    Optional<String> unavailabilityCause(DXNetConfig config);

    /**
     * Makes a transport that is not started yet.
     *
     * @param context what the engine offers to it
     * @return the transport
     * @throws io.dxnet.ConfigurationException when one of its options is wrong, or this machine does not let it have what they ask
     *     for; {@code transport=auto} passes this transport over then
     */
    Transport create(TransportContext context);

    /**
     * A configuration with which {@link #create} needs less of this machine. {@code transport=auto} tries it where {@code create}
     * refused the given one, before it passes this transport over.
     *
     * @param config the configuration that was refused
     * @return empty when there is none
     */
    default Optional<DXNetConfig> smaller(DXNetConfig config) {
        return Optional.empty();
    }
}
