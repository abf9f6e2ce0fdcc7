package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_cq;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * {@code ibv_cq}: a ring of {@code ibv_wc} in native memory, so that a poll is one copy. Any thread
 * may add and poll; both acquire the lock, but for a poll of an empty queue.
 */
final class SoftCompletionQueue extends SoftObject {
    /** Of a completion that does not belong to a send queue. */
    static final long NO_SEND = -1;

    /**
     * Where in its slot, behind the structure, the
     * completion lies that {@code ibv_start_poll} is at.
     */
    static final long CURRENT = 384;

    /** The completions for which the application has requested an event. */
    private static final int NOT_ARMED = 0;

    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED = 2;

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(SoftCompletionQueue.class, "head", long.class);
            TAIL = MethodHandles.lookup().findVarHandle(SoftCompletionQueue.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SoftChannel channel;
    private final long cqContext;
    private final boolean ignoreOverrun;
    private final SpinLock lock = new SpinLock();

    /** All below is written under the lock; {@code head} and {@code tail} are read without it. */
    private long ring;

    private int mask;

    /** The send queue's sequence number of each entry, {@link #NO_SEND} for the others. */
    private long[] sequences;

    private long head;
    private long tail;
    private int armed = NOT_ARMED;
    private boolean overrun;

    /** @param entries how many fit at least */
    SoftCompletionQueue(SoftContext context, SoftChannel channel, long cqContext, int entries, boolean ignoreOverrun) {
        super(context);
        this.channel = channel;
        this.cqContext = cqContext;
        this.ignoreOverrun = ignoreOverrun;
        allocate(entries);
    }

    private void allocate(int entries) {
        int capacity = Math.max(1, Integer.highestOneBit(entries - 1) << 1);
        long[] allocated = new long[capacity]; // first: where one can't be allocated, all is as before
        ring = LibC.calloc(capacity * Offsets.WC_SIZE);
        sequences = allocated;
        mask = capacity - 1;
    }

    @Override
    void writeStruct() {
        long at = address();
        Memory.putLong(at + ibv_cq.context$offset(), context.address());
        Memory.putLong(at + ibv_cq.channel$offset(), channel == null ? 0 : channel.address());
        Memory.putLong(at + ibv_cq.cq_context$offset(), cqContext);
        Memory.putInt(at + ibv_cq.handle$offset(), handle());
        Memory.putInt(at + ibv_cq.cqe$offset(), mask + 1);
    }

    SoftChannel channel() {
        return channel;
    }

    long cqContext() {
        return cqContext;
    }

    /** Adds a successful completion of a send queue. */
    void addSent(long wrId, int opcode, int byteLen, int qpNum, long sequence) {
        add(wrId, Ibv.IBV_WC_SUCCESS, opcode, 0, byteLen, 0, qpNum, 0, 0, 0, sequence, false);
    }

    /**
     * Adds a failed completion: only the id, the status, the
     * queue pair and the vendor's code mean something.
     */
    void addFailed(long wrId, int status, int vendorError, int qpNum, long sequence) {
        add(wrId, status, 0, vendorError, 0, 0, qpNum, 0, 0, 0, sequence, true);
    }

    /** Adds a successful completion of a receive. */
    void addReceived(
            long wrId,
            int opcode,
            int byteLen,
            int imm,
            int qpNum,
            int sourceQp,
            int flags,
            int sourceLid,
            boolean solicited) {
        add(wrId, Ibv.IBV_WC_SUCCESS, opcode, 0, byteLen, imm, qpNum, sourceQp, flags, sourceLid, NO_SEND, solicited);
    }

    private void add(
            long wrId,
            int status,
            int opcode,
            int vendorError,
            int byteLen,
            int imm,
            int qpNum,
            int sourceQp,
            int flags,
            int sourceLid,
            long sequence,
            boolean wakesSolicited) {
        boolean wake = false;
        lock.lock();
        try {
            if (!hasRoom()) {
                return;
            }
            int slot = (int) tail & mask;
            long at = ring + slot * Offsets.WC_SIZE;
            Memory.putLong(at + Offsets.WC_WR_ID, wrId);
            Memory.putInt(at + Offsets.WC_STATUS, status);
            Memory.putInt(at + Offsets.WC_OPCODE, opcode);
            Memory.putInt(at + Offsets.WC_VENDOR_ERR, vendorError);
            Memory.putInt(at + Offsets.WC_BYTE_LEN, byteLen);
            Memory.putInt(at + Offsets.WC_IMM, imm);
            Memory.putInt(at + Offsets.WC_QP_NUM, qpNum);
            Memory.putInt(at + Offsets.WC_SRC_QP, sourceQp);
            Memory.putInt(at + Offsets.WC_FLAGS, flags);
            Memory.putShort(at + Offsets.WC_SLID, sourceLid);
            sequences[slot] = sequence;
            TAIL.setOpaque(this, tail + 1);
            if (armed != NOT_ARMED && (armed == ARMED || wakesSolicited)) {
                armed = NOT_ARMED;
                wake = true;
            }
        } finally {
            lock.unlock();
        }
        if (wake) {
            wake();
        }
    }

    /**
     * Under the lock. A full queue loses what comes, now and
     * from now on, and the application hears of it.
     */
    private boolean hasRoom() {
        if (isGone() || overrun) {
            return false;
        }
        if (tail - head > mask) {
            if (!ignoreOverrun) {
                overrun = true;
                Fabric.defer(this::reportOverrun);
            }
            return false;
        }
        return true;
    }

    /**
     * Behaves from now on as if it had been full once;
     * {@link Fabric#runDeferred} is still to be called.
     */
    void overrun() {
        lock.lock();
        try {
            if (!overrun) {
                overrun = true;
                Fabric.defer(this::reportOverrun);
            }
        } finally {
            lock.unlock();
        }
    }

    private void reportOverrun() {
        context.raise(this, Ibv.IBV_EVENT_CQ_ERR);
        try (var _ = Fabric.control()) {
            for (SoftQueuePair qp : Fabric.QUEUE_PAIRS.all(qp -> qp.sendCq() == this || qp.recvCq() == this)) {
                qp.fail(Ibv.IBV_EVENT_QP_FATAL);
            }
        }
    }

    private void wake() {
        if (channel != null) {
            channel.events().add(this);
            if (isGone()) {
                channel.events().remove(this::equals);
            }
        }
    }

    /**
     * Moves up to {@code limit} completions to {@code target}.
     *
     * @return how many
     */
    int poll(int limit, long target) {
        if ((long) TAIL.getOpaque(this) == (long) HEAD.getOpaque(this)) {
            return 0;
        }
        lock.lock();
        try {
            int count = (int) Math.min(limit, tail - head);
            int first = (int) head & mask;
            int untilEnd = Math.min(count, mask + 1 - first);
            Memory.copy(ring + first * Offsets.WC_SIZE, target, untilEnd * Offsets.WC_SIZE);
            if (untilEnd < count) {
                Memory.copy(ring, target + untilEnd * Offsets.WC_SIZE, (count - untilEnd) * Offsets.WC_SIZE);
            }
            for (int i = 0; i < count; i++) {
                long sequence = sequences[(first + i) & mask];
                if (sequence != NO_SEND) {
                    retire(Memory.getInt(target + i * Offsets.WC_SIZE + Offsets.WC_QP_NUM), sequence);
                }
            }
            HEAD.setOpaque(this, head + count);
            return count;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A polled completion frees its place in the send queue,
     * and those of the unsignaled requests before it.
     */
    private static void retire(int qpNum, long sequence) {
        SoftQueuePair qp = SoftQueuePair.withNumber(qpNum);
        if (qp != null) {
            qp.sends().retire(sequence);
        }
    }

    /** Asks for one event at the next completion, or at the next solicited or failed one. */
    void arm(boolean solicitedOnly) {
        lock.lock();
        try {
            armed = Math.max(armed, solicitedOnly ? ARMED_SOLICITED : ARMED);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the size; fails with {@code EINVAL} where the
     * completions that the queue holds do not fit.
     */
    void resize(int entries) {
        lock.lock();
        try {
            int count = (int) (tail - head);
            VerbError.require(entries >= count);
            long oldRing = ring;
            long[] oldSequences = sequences;
            int oldMask = mask;
            allocate(entries);
            for (int i = 0; i < count; i++) {
                int from = (int) (head + i) & oldMask;
                Memory.copy(oldRing + from * Offsets.WC_SIZE, ring + i * Offsets.WC_SIZE, Offsets.WC_SIZE);
                sequences[i] = oldSequences[from];
            }
            LibC.free(oldRing);
            HEAD.setOpaque(this, 0L);
            TAIL.setOpaque(this, (long) count);
            Memory.putInt(address() + ibv_cq.cqe$offset(), mask + 1);
        } finally {
            lock.unlock();
        }
    }

    /** Frees the memory, after the queue left its table. */
    void release() {
        lock.lock();
        try {
            HEAD.setOpaque(this, tail);
            LibC.free(ring);
            ring = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the events about this queue that the application has not read. */
    void forgetEvents() {
        context.asyncEvents().remove(event -> event.source() == this);
        if (channel != null) {
            channel.events().remove(this::equals);
        }
    }
}
