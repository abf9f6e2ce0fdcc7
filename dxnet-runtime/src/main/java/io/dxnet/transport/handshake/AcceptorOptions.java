package io.dxnet.transport.handshake;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.shared.TransportOptions;
import org.jspecify.annotations.Nullable;

/**
 * The options of the passive side of the handshake; the same keys for all transports,
 * {@code <name>} is the transport's name.
 *
 * @param bindAddress {@code <name>.bindAddress}: the local address to listen on,
 *     a name or a number, {@code 0.0.0.0} or {@code ::} for all; the port is the node map's;
 *     null, the default: the node map's address of this node
 * @param backlog {@code <name>.backlog}: connections that the kernel keeps until
 *     they are accepted; 1 to 65535; default 1024
 * @param handshakesMax {@code <name>.handshakesMax}: accepted channels whose handshake
 *     is not complete; one more drops the oldest one of the address with most of them;
 *     1 to 65535; default 256
 * @param handshakesPerAddress {@code <name>.handshakesPerAddress}: the same for one address, of
 *     those that have not sent a good hello; one more drops its oldest one; 1 to 65535; default 128
 * @param handshakeTimeoutMs {@code <name>.handshakeTimeoutMs}: the longest time that another
 *     node may need for its part of the handshake, milliseconds of the acceptor's running time: a
 *     pause of this process counts as 500 at most; 10 to 600000; default 2000
 * @param socketBufferBytes the kernel's receive buffer of accepted channels,
 *     bytes; 0: left to the kernel
 */
public record AcceptorOptions(
        @Nullable String bindAddress,
        int backlog,
        int handshakesMax,
        int handshakesPerAddress,
        int handshakeTimeoutMs,
        int socketBufferBytes) {

    /**
     * Reads and checks the options.
     *
     * @param options the transport's
     * @param socketBufferBytes no option of the handshake, but the transport's choice
     * @return the options
     * @throws ConfigurationException naming key, value and allowed range
     */
    public static AcceptorOptions from(TransportOptions options, int socketBufferBytes) {
        return new AcceptorOptions(
                options.text("bindAddress", null, "a host name or a numeric address"),
                options.number("backlog", 1024, 1, 65535),
                options.number("handshakesMax", 256, 1, 65535),
                options.number("handshakesPerAddress", 128, 1, 65535),
                options.number("handshakeTimeoutMs", 2000, 10, 600000),
                socketBufferBytes);
    }
}
