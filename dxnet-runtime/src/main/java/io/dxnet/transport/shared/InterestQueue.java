package io.dxnet.transport.shared;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which nodes' connections need something done, and what (DXNet §XI-B, Figure 8; Ibdxnet §8.2:
 * the write interest manager). It has a byte of interest bits for each node id, and a list
 * of the node ids with new interests in the order in which they came.
 *
 * <p>Any thread posts; one thread at a time drains. A thread that posts what is set
 * already returns after one load. The list can't overflow: a node id is in it at most once,
 * and it has a place for every node id.
 *
 * <p>Memory order: a poster first writes what the interest is about, then posts; the drainer
 * first removes the bits, then reads that. Both use volatile accesses: so either the poster's
 * bit is still there to be removed, or the drainer sees what was written before. Of data in a
 * ring that is the claim, not the commit: see {@link SendBatcher}.
 */
public final class InterestQueue {
    /** Node ids are 16 bit: so many. */
    public static final int IDS = 1 << 16;

    /** Neighbouring ids are this far apart: a cache line of bits. */
    private static final int SPREAD_SHIFT = 6;

    private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(InterestQueue.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Receives what is drained. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Handles one node's interests.
         *
         * @param id the node
         * @param bits 1 to 255: all that was posted since the last time
         */
        void interest(int id, int bits);
    }

    private final int mask;
    private final int foldShift;
    private final byte[] bits; // posters set bits, the drainer removes them
    private final int[] slots; // id + 1, 0: empty; posters fill them, the drainer empties them
    private volatile int tail; // posters
    private int head; // the drainer

    /** A queue for all node ids. */
    public InterestQueue() {
        this(IDS);
    }

    /**
     * For fewer: stress tests make many.
     *
     * @param ids how many, a power of two from 64
     */
    public InterestQueue(int ids) {
        mask = ids - 1;
        foldShift = Integer.numberOfTrailingZeros(ids) - SPREAD_SHIFT;
        bits = new byte[ids];
        slots = new int[ids];
    }

    /**
     * Posts interests. Any thread.
     *
     * @param id the node
     * @param wanted bits, 1 to 255
     * @return whether this put the node into the list: then the drainer may have to be woken up
     */
    public boolean post(int id, int wanted) {
        int index = index(id);
        if ((lvBits(index) & wanted) == wanted) {
            return false;
        }
        return postSlow(id, index, wanted);
    }

    private boolean postSlow(int id, int index, int wanted) {
        if ((byte) BITS.getAndBitwiseOr(bits, index, (byte) wanted) != 0) {
            // The thread that set the first bit puts the node into the list,
            // then wakes the drainer up.
            return false;
        }
        int at = (int) TAIL.getAndAdd(this, 1);
        svSlot(at & mask, id + 1);
        return true;
    }

    /**
     * Removes what was posted before the call, and passes it to a handler. One thread at a time.
     *
     * @param handler called for each node; what it posts is left for the next time
     * @return how many nodes
     */
    public int drain(Handler handler) {
        int end = tail;
        int count = 0;
        while (head != end) {
            int slot = lvSlot(head & mask);
            if (slot == 0) {
                // Its poster has the place and has not filled it yet, and will wake the drainer up.
                break;
            }
            // Out of the list before the bits are removed: from then on the node may
            // be put into the list again.
            svSlot(head & mask, 0);
            head++;
            count++;
            int id = slot - 1;
            handler.interest(id, (byte) BITS.getAndSet(bits, index(id), (byte) 0) & 0xFF);
        }
        return count;
    }

    /**
     * {@return whether {@link #drain} would find nothing} The drainer only. A poster that has
     * not returned yet may be missed, and sees what the caller wrote before.
     */
    public boolean isEmpty() {
        return lvSlot(head & mask) == 0;
    }

    /**
     * Spreads neighbouring node ids over cache lines, so that threads that post to
     * different nodes don't share one.
     */
    private int index(int id) {
        return (id << SPREAD_SHIFT | id >>> foldShift) & mask;
    }

    private int lvBits(int index) {
        return (byte) BITS.getVolatile(bits, index);
    }

    private int lvSlot(int index) {
        return (int) SLOTS.getVolatile(slots, index);
    }

    private void svSlot(int index, int value) {
        SLOTS.setVolatile(slots, index, value);
    }
}
