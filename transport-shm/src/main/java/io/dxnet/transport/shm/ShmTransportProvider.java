package io.dxnet.transport.shm;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Offers the shared-memory transport under the name {@code shm}, for nodes that all run on one
 * host, under Linux; never chosen automatically. Its options, keys of
 * {@link DXNetConfig#transportOptions()}:
 *
 * <ul>
 *   <li>{@code shm.directory}: a folder in a file system of memory that all nodes share; default
 *       {@code /dev/shm}
 *   <li>{@code shm.ringBytes}: the shared ring of one direction, bytes, a power of two; 4 KiB to
 *       1 GiB; default 1 MiB
 *   <li>{@code shm.bindAddress}: local address to listen on; default: the node map's address of
 *       this node
 *   <li>{@code shm.backlog}: connections that wait to be accepted; 1 to 65535; default 1024
 *   <li>{@code shm.handshakesMax}: unfinished handshakes, one more drops the oldest; 1 to 65535;
 *       default 256
 *   <li>{@code shm.handshakesPerAddress}: the same of one address; 1 to 65535; default 128
 *   <li>{@code shm.handshakeTimeoutMs}: the longest time of a handshake, in which a pause of this
 *       process counts as 500 ms at most; 10 to 600000; default 2000
 *   <li>{@code shm.lingerMs}: the longest wait for the other node in an orderly close; 0 to 60000;
 *       default 1000
 * </ul>
 */
public final class ShmTransportProvider implements TransportProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ShmTransportProvider() {}

    @Override
    public String name() {
        return ShmOptions.NAME;
    }

    /** Negative: a node has one transport, and its peers may be elsewhere. */
    @Override
    public int preference() {
        return -1;
    }

    @Override
    public Optional<String> unavailabilityCause(DXNetConfig config) {
        Path directory;
        try {
            directory = ShmOptions.directory(config.transportOptions());
        } catch (ConfigurationException e) {
            return Optional.of(e.getMessage());
        }
        return Files.isDirectory(Path.of("/proc/self")) && Files.isWritable(directory)
                ? Optional.empty()
                : Optional.of("there is no folder " + directory + " to write to (shm.directory), or no /proc");
    }

    @Override
    public Transport create(TransportContext context) {
        return new ShmTransport(context, ShmOptions.from(context.config().transportOptions()));
    }
}
