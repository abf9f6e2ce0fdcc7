package io.dxnet.transport.shm;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.handshake.AcceptorOptions;
import io.dxnet.transport.shared.TransportOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The transport's options: the keys of {@link io.dxnet.DXNetConfig#transportOptions()} that start
 * with {@code shm.}. Sizes may have a suffix K, M or G.
 *
 * @param directory {@code shm.directory}: where nodes meet, a folder in a file system of memory
 *     that all of them share; default {@code /dev/shm}
 * @param ringBytes {@code shm.ringBytes}: the shared ring of one direction, a power of two, 4 KiB
 *     to 1 GiB; each node chooses it for the direction from it; default 1 MiB
 * @param acceptor {@code shm.bindAddress}, {@code shm.backlog}, {@code shm.handshakesMax},
 *     {@code shm.handshakesPerAddress} and {@code shm.handshakeTimeoutMs}
 * @param lingerMs {@code shm.lingerMs}: in an orderly close, the longest wait until the other node
 *     has read everything and closed too, milliseconds; 0 to 60000; default 1000
 */
record ShmOptions(Path directory, int ringBytes, AcceptorOptions acceptor, int lingerMs) {
    /** The transport's name, in the configuration and in the handshake. */
    static final String NAME = "shm";

    private static final String DIRECTORY = "/dev/shm";
    private static final int RING_BYTES = 1 << 20;

    /**
     * Reads and checks the options.
     *
     * @param all all transports' options
     * @return this transport's
     * @throws ConfigurationException naming key, value and allowed range
     */
    static ShmOptions from(Map<String, String> all) {
        TransportOptions options = new TransportOptions(NAME, all);
        Path directory = directory(options);
        int ringBytes = options.number("ringBytes", RING_BYTES, RingLayout.CAPACITY_MIN, RingLayout.CAPACITY_MAX);
        if (!RingLayout.isCapacity(ringBytes)) {
            throw options.notAllowed("ringBytes", "4096 to 1073741824, a power of two");
        }
        ShmOptions result = new ShmOptions(
                directory, ringBytes, AcceptorOptions.from(options, 0), options.number("lingerMs", 1000, 0, 60000));
        options.rejectOthers();
        return result;
    }

    private static Path directory(TransportOptions options) {
        String text = options.text("directory", DIRECTORY, "folders");
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException e) {
            // as one that is not absolute
        }
        throw options.notAllowed("directory", "absolute paths");
    }

    /**
     * Reads the folder alone.
     *
     * @param all all transports' options
     * @return the folder
     * @throws ConfigurationException when it is none
     */
    static Path directory(Map<String, String> all) {
        return directory(new TransportOptions(NAME, all));
    }
}
