package io.dxnet.transport.nio;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.handshake.AcceptorOptions;
import io.dxnet.transport.shared.TransportOptions;
import java.util.Map;

/**
 * The transport's options: the keys of {@link io.dxnet.DXNetConfig#transportOptions()} that start
 * with {@code nio.}. Sizes may have a suffix K, M or G.
 *
 * @param socketBufferBytes {@code nio.socketBufferBytes}: the kernel's send buffer of outgoing and
 *     receive buffer of incoming channels. 0 leaves them to the kernel, which grows them with the
 *     connection's bandwidth and delay; a size that is set (DXNet §VIII-A: the ring's size) turns
 *     that off and is silently cut to {@code net.core.wmem_max} and {@code rmem_max}, 208 KiB on
 *     most systems, less than what the kernel would grow to; 0, or 1 KiB to 1 GiB; default 0
 * @param acceptor {@code nio.bindAddress}, {@code nio.backlog}, {@code nio.handshakesMax},
 *     {@code nio.handshakesPerAddress} and {@code nio.handshakeTimeoutMs}
 * @param lingerMs {@code nio.lingerMs}: in an orderly close, the longest wait until the other node
 *     has read everything and closed too, milliseconds; 0 to 60000; default 1000
 */
record NioOptions(int socketBufferBytes, AcceptorOptions acceptor, int lingerMs) {
    /** The transport's name, in the configuration and in the handshake. */
    static final String NAME = "nio";

    /**
     * Reads and checks the options.
     *
     * @param all all transports' options
     * @return this transport's
     * @throws ConfigurationException naming key, value and allowed range
     */
    static NioOptions from(Map<String, String> all) {
        TransportOptions options = new TransportOptions(NAME, all);
        int socketBufferBytes = options.number("socketBufferBytes", 0, 0, 1 << 30);
        if (socketBufferBytes > 0 && socketBufferBytes < 1024) {
            throw options.notAllowed("socketBufferBytes", "0 (left to the kernel) or 1024 to 1073741824");
        }
        NioOptions result = new NioOptions(
                socketBufferBytes,
                AcceptorOptions.from(options, socketBufferBytes),
                options.number("lingerMs", 1000, 0, 60000));
        options.rejectOthers();
        return result;
    }
}
