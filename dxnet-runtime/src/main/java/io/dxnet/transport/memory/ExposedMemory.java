package io.dxnet.transport.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.Right;
import java.util.Set;

/** A segment of this node that other nodes access without it. Any thread. */
public interface ExposedMemory extends AutoCloseable {
    /**
     * Grants one node access. Creates what the access needs on this side.
     *
     * @param node the other node's id
     * @param rights what it may do; the device refuses the rest
     * @param request what its {@link MemoryAccess#request} returned
     * @return what its {@link MemoryAccess#open} needs
     * @throws DXNetException when the request is malformed, or the device refuses
     */
    Grant grant(int node, Set<Right> rights, byte[] request) throws DXNetException;

    /** Ends the access of all nodes. When it returns, nothing writes to the segment any more. */
    @Override
    void close();

    /** The access of one node. */
    interface Grant extends AutoCloseable {
        /** {@return what {@link MemoryAccess#open} needs: addresses, keys, queue pair} */
        byte[] reply();

        /**
         * Brings the notifications that have arrived to the listener, before it returns. The node
         * has ended the operations of this access, and knows that they are done.
         */
        default void deliver() {}

        /**
         * Ends the access: when it returns, nothing of that access writes any more. What has not
         * been delivered may be lost.
         */
        @Override
        void close();
    }
}
