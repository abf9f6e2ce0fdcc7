package io.dxnet.transport.shm;

import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/**
 * A mapped file with the ring of one direction. The file stays open, so that a fault in its memory
 * can be explained: see {@link #isCutOff}.
 */
final class RingFile implements AutoCloseable {
    private final FileChannel file;
    private final int capacity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    /**
     * Maps a file, which this object closes from here on.
     *
     * @param file of the size for the capacity
     * @param capacity of the ring
     * @throws IOException when it can't be mapped
     */
    RingFile(FileChannel file, int capacity) throws IOException {
        this.file = file;
        this.capacity = capacity;
        MemorySegment mapped = null;
        try {
            mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, RingLayout.bytes(capacity), arena);
        } finally {
            if (mapped == null) {
                close();
            }
        }
        this.memory = mapped;
    }

    MemorySegment memory() {
        return memory;
    }

    int capacity() {
        return capacity;
    }

    /**
     * Returns whether the other process has made the file shorter than its mapping: then an access
     * to the memory fails with an {@link InternalError}.
     */
    boolean isCutOff() {
        boolean interrupted = Thread.interrupted(); // the channel would close itself
        try {
            return file.size() < RingLayout.bytes(capacity);
        } catch (IOException e) {
            return false; // closed, or not to be found out
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Unmaps the file. When no thread uses its memory any more. */
    @Override
    public void close() {
        Channels.closeQuietly(file);
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
