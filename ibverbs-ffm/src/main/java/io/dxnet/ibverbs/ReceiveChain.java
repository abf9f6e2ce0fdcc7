package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_recv_wr;

/**
 * A chain of receives ({@code struct ibv_recv_wr}; {@code man ibv_post_recv},
 * {@code man ibv_post_srq_recv}), for a queue pair's own queue or a shared one.
 *
 * {@snippet :
 * chain.clear().receive(0).sge(region, 0, 4096).receive(1).sge(region, 4096, 4096);
 * queue.post(chain);
 * }
 */
public final class ReceiveChain extends RequestChain {
    private static final long ID = ibv_recv_wr.wr_id$offset();

    /**
     * Makes room for a chain.
     *
     * @param maxRequests the most receives, at least 1
     * @param maxSge the most scatter elements of one receive
     */
    public ReceiveChain(int maxRequests, int maxSge) {
        super(maxRequests, maxSge, ibv_recv_wr.sizeof());
        register();
    }

    /**
     * Empties the chain.
     *
     * @return this
     */
    public ReceiveChain clear() {
        clearAll();
        return this;
    }

    /**
     * Starts a receive; without elements it accepts messages of zero bytes.
     *
     * @param id what its completion carries
     * @return this
     */
    public ReceiveChain receive(long id) {
        long request = append();
        Memory.putLong(request + ID, id);
        Memory.putInt(request + SGE_COUNT, 0);
        return this;
    }

    /**
     * Adds memory to the receive started last; the message fills the elements in order. A
     * datagram's first 40 bytes are its global route header.
     *
     * @param region registered with {@link Access#LOCAL_WRITE}
     * @param offset the first byte, from the region's start
     * @param length the bytes, may be 0
     * @return this
     */
    public ReceiveChain sge(MemoryRegion region, long offset, long length) {
        appendSge(region, offset, length);
        return this;
    }
}
