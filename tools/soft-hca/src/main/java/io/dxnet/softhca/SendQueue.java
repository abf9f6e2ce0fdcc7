package io.dxnet.softhca;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A queue pair's send queue. A request that can be executed at once is executed straight from the
 * application's {@code ibv_send_wr}; one that has to wait is copied to the ring, as are all that
 * follow it. Everything but {@link #retire} runs under the requester lock.
 *
 * <p>A place in the queue is free when the application has polled a
 * completion of it or of a later one, as the specification requires: an
 * application that never asks for completions runs out of places.
 */
final class SendQueue {
    private static final VarHandle RETIRED;

    static {
        try {
            RETIRED = MethodHandles.lookup().findVarHandle(SendQueue.class, "retired", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * A slot: the {@code ibv_send_wr}, the time before which it
     * must not run, its gather list, its inline data.
     */
    private static final long SLOT_NOT_BEFORE = Offsets.SEND_SIZE;

    /** Where the gather list of a request begins in its slot. */
    static final long SLOT_SGES = SLOT_NOT_BEFORE + 16;

    /** Of a request that waits. */
    private static final int WAITING = -1;

    private final SoftQueuePair qp;
    private final Requester requester;
    private final SoftFaults faults;
    private final SpinLock lock = new SpinLock();
    private final int maxSge;
    private final int maxInline;
    private final int capacity;
    private final long stride;
    private final long ring;
    private final Runnable progress = this::progress;

    /** Sequence numbers: of the next request posted, of the next executed. */
    private long posted;

    private long executed;

    /**
     * Places before this number are free whatever was polled: after
     * a reset, and where unpolled requests count as done.
     */
    private long forgotten;

    /**
     * The number after that of the last completion polled;
     * written by pollers under the completion queue's lock.
     */
    private long retired;

    private final Retries retries;

    /** The way to a peer in another process; null where the peers are in this one. */
    private final WireSends wire;

    /** The empty receive queue where this requester waits; written under that queue's lock. */
    private volatile ReceiveQueue waitingAt;

    SendQueue(SoftQueuePair qp, int maxWr, int maxSge, int maxInline) {
        this.qp = qp;
        this.requester = new Requester(qp);
        this.retries = new Retries(qp);
        this.wire = qp.device().isWire() ? new WireSends(qp, this) : null;
        this.faults = qp.device().faults();
        this.maxSge = maxSge;
        this.maxInline = maxInline;
        this.capacity = maxWr <= 1 ? maxWr : Integer.highestOneBit(maxWr - 1) << 1;
        this.stride = (SLOT_SGES + Math.max(1, maxSge) * Offsets.SGE_SIZE + maxInline + 63) & -64L;
        this.ring = LibC.calloc(Math.max(1, capacity) * stride);
    }

    SpinLock lock() {
        return lock;
    }

    /** Releases the lock, and processes what came meanwhile. */
    void unlock() {
        lock.unlock();
        if (wire != null) {
            wire.processLateAck();
        }
    }

    int capacity() {
        return capacity;
    }

    int maxSge() {
        return maxSge;
    }

    int maxInline() {
        return maxInline;
    }

    /**
     * Posts a chain of {@code ibv_send_wr}; where one is refused, those
     * before it are posted and it is stored to {@code badWr}.
     */
    int post(long chain, long badWr) {
        lock.lock();
        try {
            for (long wr = chain; wr != 0; wr = Memory.getLong(wr + Offsets.SEND_NEXT)) {
                int error = accept(wr);
                if (error != 0) {
                    if (badWr != 0) {
                        Memory.putLong(badWr, wr);
                    }
                    return error;
                }
            }
            return 0;
        } finally {
            try {
                advanceWire();
            } finally {
                requester.releasePeer();
                unlock();
            }
        }
    }

    private void advanceWire() {
        if (wire != null) {
            wire.advance();
        }
    }

    private int accept(long wr) {
        int state = qp.state();
        int sgeCount = Memory.getInt(wr + Offsets.SEND_NUM_SGE);
        int flags = Memory.getInt(wr + Offsets.SEND_FLAGS);
        int opcode = Memory.getInt(wr + Offsets.SEND_OPCODE);
        long sges = Memory.getLong(wr + Offsets.SEND_SG_LIST);
        if (state < Ibv.IBV_QPS_RTS
                || sgeCount < 0
                || sgeCount > maxSge
                || !qp.mayPost(opcode)
                || sgeCount > 0 && Requester.isLocal(opcode)) {
            return Ibv.EINVAL;
        }
        if ((flags & Ibv.IBV_SEND_INLINE) != 0 && !mayInline(wr, sges, sgeCount)) {
            return Ibv.EINVAL;
        }
        if (posted - Math.max(forgotten, (long) RETIRED.getOpaque(this)) >= capacity) {
            return Ibv.ENOMEM;
        }
        if (wire != null) {
            store(wr, sges, sgeCount, flags, 0);
            if (state != Ibv.IBV_QPS_RTS && state != Ibv.IBV_QPS_SQD) {
                flush();
            }
            return 0;
        }
        long delayNs = faults.active() ? faults.nextDelayNs() : 0;
        if (state == Ibv.IBV_QPS_RTS && executed == posted && delayNs == 0) {
            int outcome = requester.execute(wr, sges, sgeCount);
            if (outcome < 0) {
                store(wr, sges, sgeCount, flags, delayNs);
                outcome = retries.waitFor(outcome, requester, progress);
            } else {
                posted++;
            }
            if (outcome != WAITING) {
                finish(wr, flags, outcome, requester.bytes());
            }
            return 0;
        }
        store(wr, sges, sgeCount, flags, delayNs);
        if (state == Ibv.IBV_QPS_RTS) {
            if (waiting() == 1) {
                run();
            }
        } else if (state != Ibv.IBV_QPS_SQD) {
            flush();
        }
        return 0;
    }

    private boolean mayInline(long wr, long sges, int sgeCount) {
        return !Requester.isFetch(Memory.getInt(wr + Offsets.SEND_OPCODE)) && Segments.sum(sges, sgeCount) <= maxInline;
    }

    /** Where the {@code ibv_send_wr} of a request that is not done is. */
    long slot(long sequence) {
        return ring + (sequence & (capacity - 1)) * stride;
    }

    private void store(long wr, long sges, int sgeCount, int flags, long delayNs) {
        long slot = slot(posted++);
        Memory.copy(wr, slot, Offsets.SEND_SIZE);
        Memory.putLong(slot + SLOT_NOT_BEFORE, delayNs == 0 ? 0 : System.nanoTime() + delayNs);
        if ((flags & Ibv.IBV_SEND_INLINE) == 0) {
            Memory.copy(sges, slot + SLOT_SGES, sgeCount * Offsets.SGE_SIZE);
            return;
        }
        // Inline data is the application's again when the post returns.
        long to = slot + SLOT_SGES + Offsets.SGE_SIZE;
        long end = to;
        for (int i = 0; i < sgeCount; i++) {
            long sge = sges + i * Offsets.SGE_SIZE;
            long length = Memory.getUnsignedInt(sge + Offsets.SGE_LENGTH);
            Memory.copy(Memory.getLong(sge + Offsets.SGE_ADDR), end, length);
            end += length;
        }
        Memory.putLong(slot + SLOT_SGES + Offsets.SGE_ADDR, to);
        Memory.putInt(slot + SLOT_SGES + Offsets.SGE_LENGTH, (int) (end - to));
        Memory.putInt(slot + Offsets.SEND_NUM_SGE, 1);
    }

    /**
     * Executes the requests that wait, as far as possible.
     * Called by any thread, without locks of queues.
     */
    void progress() {
        lock.lock();
        try {
            run();
        } finally {
            requester.releasePeer();
            unlock();
        }
    }

    private void run() {
        if (wire != null) {
            int state = qp.state();
            if (state == Ibv.IBV_QPS_ERR || state == Ibv.IBV_QPS_SQE) {
                flush();
            }
            wire.advance();
            return;
        }
        while (executed < posted) {
            int state = qp.state();
            if (state != Ibv.IBV_QPS_RTS) {
                if (state == Ibv.IBV_QPS_ERR || state == Ibv.IBV_QPS_SQE) {
                    flush();
                }
                return;
            }
            long slot = slot(executed);
            if (mustWait(slot)) {
                return;
            }
            int outcome = requester.execute(slot, slot + SLOT_SGES, Memory.getInt(slot + Offsets.SEND_NUM_SGE));
            if (outcome < 0) {
                outcome = retries.waitFor(outcome, requester, progress);
                if (outcome == WAITING) {
                    return;
                }
            }
            finish(slot, Memory.getInt(slot + Offsets.SEND_FLAGS), outcome, requester.bytes());
        }
    }

    /** Executes a request about memory windows of this side. */
    int executeLocal(long sequence) {
        return requester.executeLocal(slot(sequence));
    }

    /** The oldest request, which was sent to another process, is done. */
    void finishOldest(int outcome) {
        long slot = slot(executed);
        int flags = Memory.getInt(slot + Offsets.SEND_FLAGS);
        finish(slot, flags, outcome, Segments.sum(slot + SLOT_SGES, Memory.getInt(slot + Offsets.SEND_NUM_SGE)));
    }

    private boolean mustWait(long slot) {
        long notBefore = Memory.getLong(slot + SLOT_NOT_BEFORE);
        if (notBefore != 0) {
            long leftNs = notBefore - System.nanoTime();
            if (leftNs > 0) {
                retries.wakeAt(notBefore, leftNs, progress);
                return true;
            }
        }
        return retries.isWaitingForAnswer();
    }

    /** The oldest request is done, well or badly. */
    private void finish(long wr, int flags, int outcome, long bytes) {
        long sequence = executed++;
        retries.reset();
        if (outcome == Ibv.IBV_WC_SUCCESS) {
            if ((flags & Ibv.IBV_SEND_SIGNALED) != 0 || qp.signalsAll()) {
                qp.sendCq()
                        .addSent(
                                Memory.getLong(wr + Offsets.SEND_WR_ID),
                                completionOpcode(Memory.getInt(wr + Offsets.SEND_OPCODE)),
                                (int) bytes,
                                qp.number(),
                                sequence);
            } else if (faults.forgivesUnsignaled()) {
                forgotten = executed;
            }
            return;
        }
        qp.sendCq()
                .addFailed(
                        Memory.getLong(wr + Offsets.SEND_WR_ID), outcome, Outcome.VENDOR_SEND, qp.number(), sequence);
        qp.requestFailed();
        flush();
    }

    private static int completionOpcode(int opcode) {
        return switch (opcode) {
            case Ibv.IBV_WR_SEND, Ibv.IBV_WR_SEND_WITH_IMM, Ibv.IBV_WR_SEND_WITH_INV -> Ibv.IBV_WC_SEND;
            case Ibv.IBV_WR_RDMA_WRITE, Ibv.IBV_WR_RDMA_WRITE_WITH_IMM -> Ibv.IBV_WC_RDMA_WRITE;
            case Ibv.IBV_WR_RDMA_READ -> Ibv.IBV_WC_RDMA_READ;
            case Ibv.IBV_WR_ATOMIC_CMP_AND_SWP -> Ibv.IBV_WC_COMP_SWAP;
            case Ibv.IBV_WR_BIND_MW -> Ibv.IBV_WC_BIND_MW;
            case Ibv.IBV_WR_LOCAL_INV -> Ibv.IBV_WC_LOCAL_INV;
            default -> Ibv.IBV_WC_FETCH_ADD;
        };
    }

    /**
     * Completes everything that waits as flushed, signaled
     * or not, in order. Under the requester lock.
     */
    void flush() {
        if (wire != null) {
            wire.stop();
        }
        for (; executed < posted; executed++) {
            long wrId = Memory.getLong(slot(executed) + Offsets.SEND_WR_ID);
            qp.sendCq().addFailed(wrId, Ibv.IBV_WC_WR_FLUSH_ERR, Outcome.VENDOR_FLUSHED, qp.number(), executed);
        }
        retries.reset();
    }

    /** Forgets everything, polled or not. Under the requester lock. */
    void clear() {
        executed = posted;
        forgotten = posted;
        retries.reset();
        leaveQueue();
        if (wire != null) {
            wire.stop();
        }
    }

    private void leaveQueue() {
        ReceiveQueue queue = waitingAt;
        if (queue != null) {
            queue.forget(qp);
        }
    }

    /** The way to a peer in another process, or null. */
    WireSends wire() {
        return wire;
    }

    /** The number of the next request posted. Under the requester lock. */
    long posted() {
        return posted;
    }

    /** The number of the oldest request that is not done. Under the requester lock. */
    long executed() {
        return executed;
    }

    /** How many requests wait. Under the requester lock. */
    long waiting() {
        return posted - executed;
    }

    /** A completion was polled. Under the lock of the send completion queue. */
    void retire(long sequence) {
        if (sequence >= (long) RETIRED.getOpaque(this)) {
            RETIRED.setRelease(this, sequence + 1);
        }
    }

    /**
     * Whether this requester may join those that wait at a
     * queue; it waits at one only. Under that queue's lock.
     */
    boolean startWaiting(ReceiveQueue queue) {
        if (waitingAt != null) {
            return false;
        }
        waitingAt = queue;
        return true;
    }

    void stopWaiting() {
        waitingAt = null;
    }

    /** Frees the memory. Called when no thread posts any more. */
    void release() {
        leaveQueue();
        requester.release();
        LibC.free(ring);
    }
}
