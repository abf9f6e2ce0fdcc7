package io.dxnet.transport.memory;

import io.dxnet.DXNetException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The one-sided access of a transport: the owner {@link #expose exposes} a segment, another node
 * {@link #prepare prepares} an access to it, and the engine carries the bytes that both need in
 * messages of its own. Queue pairs, completion queues and protection domains are not those of
 * messages, so that an error here never ends a connection. Any thread.
 */
public interface OneSidedMemory extends AutoCloseable {
    /** Where the lines of processors' caches begin. */
    long ALIGNMENT = 64;

    /**
     * Allocates memory that can be exposed.
     *
     * @param arena frees it
     * @param bytes 1 or more
     * @return the memory, zeros
     * @throws DXNetException when there is no room
     */
    default MemorySegment allocate(Arena arena, long bytes) throws DXNetException {
        return arena.allocate(bytes, ALIGNMENT);
    }

    /**
     * Makes a segment accessible to the nodes that {@link ExposedMemory#grant} names, on the owner.
     *
     * @param segment native memory; it stays open until {@link ExposedMemory#close} has returned
     * @param listener is called for what {@link MemoryOperation.Kind#NOTIFY} brings
     * @return the memory, not accessible to any node yet; null: this segment can't be, messages
     *     carry the operations
     * @throws DXNetException when the device refuses to register it
     */
    @Nullable
    ExposedMemory expose(MemorySegment segment, NotifyListener listener) throws DXNetException;

    /**
     * Prepares access to memory of another node.
     *
     * @param owner the other node's id
     * @return the access; close it, also where the owner grants none
     * @throws DXNetException when the device has no queue pair for it
     */
    MemoryAccess prepare(int owner) throws DXNetException;

    /**
     * Ends all accesses and frees what is left; the segments of exposed memory are no longer
     * accessible.
     */
    @Override
    void close();

    /**
     * Called on a thread of the transport, for each notification, in the order of one node's
     * operations.
     */
    @FunctionalInterface
    interface NotifyListener {
        /**
         * Receives one notification.
         *
         * @param from the node that wrote
         * @param offset of what it wrote, bytes
         * @param length of what it wrote, bytes
         * @param value its value
         */
        void onNotify(int from, long offset, long length, int value);
    }
}
