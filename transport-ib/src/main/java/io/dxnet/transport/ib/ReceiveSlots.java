package io.dxnet.transport.ib;

import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.transport.IncomingBuffer;
import java.util.Arrays;

/**
 * The receives of the shared receive queue (Ibdxnet §7.2.4, Refill): each of several pool
 * buffers, that the device scatters one message over. A receive that was used keeps the buffers
 * that no data came into, gets new ones for the others, and is posted again, many with one
 * call, until as many are posted as {@link ReceiveDemand} counts. While the pool is empty, it
 * gets those of other receives that wait: as many are posted as there are buffers for, so that
 * incomplete messages, which hold the others, become whole. The receiving agent only.
 */
final class ReceiveSlots {
    private static final int NONE = -1;
    private static final int CHAIN_MAX = 64;

    private final ReceivePool pool;
    private final SharedReceiveQueue queue;
    private final ReceiveChain chain;
    private final int sges;
    private final int[] buffers; // of slot s: from s * sges; NONE: to be filled
    private final int[] idle; // slots that are not posted
    private final ReceiveDemand demand;
    private int idleCount;
    private int refilled; // posted after the last refill
    private int held; // buffers of idle slots
    private int donor; // no idle slot between this index and the last one has buffers

    ReceiveSlots(ReceivePool pool, SharedReceiveQueue queue, int slots, int sges) {
        this.pool = pool;
        this.queue = queue;
        this.sges = sges;
        this.chain = new ReceiveChain(Math.min(CHAIN_MAX, slots), sges);
        this.buffers = new int[slots * sges];
        this.idle = new int[slots];
        this.demand = new ReceiveDemand(slots);
        Arrays.fill(buffers, NONE);
        for (int i = slots - 1; i >= 0; i--) {
            idle[idleCount++] = i;
        }
    }

    int bytesMax() {
        return sges * pool.bufferBytes();
    }

    /** Receives that are to be posted. */
    int missing() {
        return Math.max(0, demand.target() - posted());
    }

    int posted() {
        return idle.length - idleCount;
    }

    /** A receive was used, successfully or not. */
    void used(int slot) {
        idle[idleCount++] = slot;
        held += buffersOf(slot);
    }

    private int buffersOf(int slot) {
        int count = 0;
        for (int i = 0; i < sges; i++) {
            if (buffers[slot * sges + i] != NONE) {
                count++;
            }
        }
        return count;
    }

    /** The memory of one of its buffers. */
    IncomingBuffer peek(int slot, int sge) {
        return pool.buffer(buffers[slot * sges + sge]);
    }

    /** Removes a buffer of a used receive: it is passed to the engine. */
    IncomingBuffer take(int slot, int sge) {
        int at = slot * sges + sge;
        int index = buffers[at];
        buffers[at] = NONE;
        held--;
        return pool.handOut(index);
    }

    /**
     * Posts what is missing, or as many receives as there are buffers for in the pool and in those
     * that are not posted.
     *
     * @param isFull whether the last poll filled its batch: more receives may be used already
     * @return how many receives
     */
    int refill(boolean isFull) {
        demand.refill(refilled, posted(), isFull);
        try {
            return post(demand.target());
        } finally {
            refilled = posted();
        }
    }

    private int post(int target) {
        int total = 0;
        donor = idleCount;
        while (posted() < target) {
            chain.clear();
            int first = idleCount;
            while (posted() < target && chain.size() < chain.capacity() && fill(idle[idleCount - 1])) {
                int slot = idle[--idleCount];
                held -= sges;
                chain.receive(slot);
                for (int i = 0; i < sges; i++) {
                    chain.sge(pool.region(), pool.offset(buffers[slot * sges + i]), pool.bufferBytes());
                }
            }
            int wanted = chain.size();
            if (wanted == 0) {
                break;
            }
            int accepted = 0;
            try {
                accepted = queue.post(chain);
            } finally {
                idleCount = first - accepted;
                held += (wanted - accepted) * sges;
            }
            total += accepted;
            if (accepted < wanted) {
                break;
            }
        }
        return total;
    }

    /** Fills the last idle slot; false where there are not enough buffers. */
    private boolean fill(int slot) {
        for (int i = 0; i < sges; i++) {
            int at = slot * sges + i;
            if (buffers[at] == NONE) {
                int index = pool.take();
                if (index >= 0) {
                    held++;
                } else {
                    index = takeFromIdle(slot);
                }
                if (index < 0) {
                    return false;
                }
                buffers[at] = index;
            }
        }
        return true;
    }

    /** Removes a buffer of another idle slot than the last one, which wants it. */
    private int takeFromIdle(int last) {
        if (held == buffersOf(last)) {
            return NONE;
        }
        for (donor = Math.min(donor, idleCount - 2); donor >= 0; donor--) {
            for (int i = 0; i < sges; i++) {
                int at = idle[donor] * sges + i;
                int index = buffers[at];
                if (index != NONE) {
                    buffers[at] = NONE;
                    return index;
                }
            }
        }
        return NONE;
    }
}
