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
     * @throws io.dxnet.ConfigurationException when one of its options is wrong
     */
    Transport create(TransportContext context);
}
