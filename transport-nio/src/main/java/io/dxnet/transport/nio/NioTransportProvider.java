package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import java.util.Optional;

/**
 * Offers the TCP transport under the name {@code nio}. Its options, keys of
 * {@link DXNetConfig#transportOptions()}:
 *
 * <ul>
 *   <li>{@code nio.socketBufferBytes}: size of the kernel's socket buffers, bytes; 0
 *       leaves it to the kernel; default 0
 *   <li>{@code nio.bindAddress}: local address to listen on; default: the
 *       node map's address of this node
 *   <li>{@code nio.backlog}: connections that wait to be accepted; 1 to 65535; default 1024
 *   <li>{@code nio.handshakesMax}: unfinished handshakes, one more drops the
 *       oldest; 1 to 65535; default 256
 *   <li>{@code nio.handshakesPerAddress}: the same of one address; 1 to 65535; default 128
 *   <li>{@code nio.handshakeTimeoutMs}: the longest time of a handshake, in which a pause of this
 *       process counts as 500 ms at most; 10 to 600000; default 2000
 *   <li>{@code nio.lingerMs}: the longest wait for the other node in an orderly
 *       close; 0 to 60000; default 1000
 * </ul>
 */
public final class NioTransportProvider implements TransportProvider {
    /** For {@link java.util.ServiceLoader}. */
    public NioTransportProvider() {}

    @Override
    public String name() {
        return NioOptions.NAME;
    }

    @Override
    public int preference() {
        return 10;
    }

    @Override
    public Optional<String> unavailabilityCause(DXNetConfig config) {
        return Optional.empty(); // every machine with a JDK has TCP
    }

    @Override
    public Transport create(TransportContext context) {
        return new NioTransport(context, NioOptions.from(context.config().transportOptions()));
    }
}
