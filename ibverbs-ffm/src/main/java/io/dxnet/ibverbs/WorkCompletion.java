package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_wc;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A batch of completions ({@code struct ibv_wc}), read in place: {@link #at(int)} moves to one of
 * those that the last {@link CompletionQueue#poll} removed, the other methods read it. One thread
 * at a time; allocates nothing after construction.
 *
 * <p>Of a completion that is not {@linkplain #isSuccess() a success} only {@link #id()}, the
 * status, {@link #vendorError()} and {@link #qpNumber()} mean something.
 */
public final class WorkCompletion extends CallSlot {
    private static final long BYTES = ibv_wc.sizeof();
    private static final long ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final long OPCODE = ibv_wc.opcode$offset();
    private static final long VENDOR_ERROR = ibv_wc.vendor_err$offset();
    private static final long BYTE_LENGTH = ibv_wc.byte_len$offset();
    private static final long IMMEDIATE = ibv_wc.imm_data$offset();
    private static final long INVALIDATED_KEY = ibv_wc.invalidated_rkey$offset();
    private static final long QP_NUMBER = ibv_wc.qp_num$offset();
    private static final long SOURCE_QP = ibv_wc.src_qp$offset();
    private static final long FLAGS = ibv_wc.wc_flags$offset();
    private static final int WITH_IMMEDIATE = verbs_h.IBV_WC_WITH_IMM();
    private static final int WITH_INVALIDATED = verbs_h.IBV_WC_WITH_INV();
    private static final int GRH = verbs_h.IBV_WC_GRH();
    private static final int SUCCESS = verbs_h.IBV_WC_SUCCESS();
    private static final int RECEIVE = verbs_h.IBV_WC_RECV();

    private final MemorySegment memory;
    private final long base;
    private final int capacity;
    private int count;
    private long current;

    /**
     * Makes room for a batch.
     *
     * @param capacity the most completions of one poll, at least 1
     */
    public WorkCompletion(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch holds at least one completion, not " + capacity);
        }
        this.capacity = capacity;
        this.memory = Arena.ofAuto().allocate(BYTES * capacity, 64);
        this.base = memory.address();
        this.current = base;
        register();
    }

    /**
     * Returns the most completions of one poll.
     *
     * @return the capacity
     */
    public int capacity() {
        return capacity;
    }

    /**
     * Returns the number of completions.
     *
     * @return how many the last poll removed
     */
    public int count() {
        return count;
    }

    /**
     * Moves to a completion.
     *
     * @param index from 0 to {@link #count()} - 1
     * @return this
     */
    public WorkCompletion at(int index) {
        current = base + Objects.checkIndex(index, count) * BYTES;
        return this;
    }

    long base() {
        return base;
    }

    void taken(int newCount) {
        count = newCount;
        current = base;
    }

    /**
     * Returns the number the work request was posted with.
     *
     * @return the request's id
     */
    public long id() {
        return Memory.getLong(current + ID);
    }

    /**
     * Returns whether the request was carried out.
     *
     * @return whether the status is {@link WcStatus#SUCCESS}
     */
    public boolean isSuccess() {
        return statusCode() == SUCCESS;
    }

    /**
     * Returns the status.
     *
     * @return how the request ended
     */
    public WcStatus status() {
        return WcStatus.of(statusCode());
    }

    /**
     * Returns the status as a number.
     *
     * @return the value of {@code enum ibv_wc_status}
     */
    public int statusCode() {
        return Memory.getInt(current + STATUS);
    }

    /**
     * Returns what was completed.
     *
     * @return the operation
     */
    public WcOpcode opcode() {
        return WcOpcode.of(Memory.getInt(current + OPCODE));
    }

    /**
     * Returns whether a receive was completed, or a request of the send queue.
     *
     * @return whether it was a receive; of a failed request some drivers do not report it
     */
    public boolean isReceive() {
        return (Memory.getInt(current + OPCODE) & RECEIVE) != 0;
    }

    /**
     * Returns the vendor's own error number.
     *
     * @return the number, without meaning here
     */
    public int vendorError() {
        return Memory.getInt(current + VENDOR_ERROR);
    }

    /**
     * Returns the length of a receive, an RDMA read or an atomic.
     *
     * @return the bytes; a datagram's count the 40 bytes before it
     */
    public long byteLength() {
        return Integer.toUnsignedLong(Memory.getInt(current + BYTE_LENGTH));
    }

    /**
     * Returns whether a message came with immediate data.
     *
     * @return whether {@link #immediate()} means something
     */
    public boolean hasImmediate() {
        return (Memory.getInt(current + FLAGS) & WITH_IMMEDIATE) != 0;
    }

    /**
     * Returns the immediate data.
     *
     * @return the four bytes as the sender's number
     */
    public int immediate() {
        return Memory.getIntBigEndian(current + IMMEDIATE);
    }

    /**
     * Returns whether a message ended the access of a memory window on this side
     * ({@link SendChain#sendInvalidating}).
     *
     * @return whether {@link #invalidatedKey()} means something; rxe of Linux 6.1 ends the access
     *     and does not report it
     */
    public boolean hasInvalidatedKey() {
        return (Memory.getInt(current + FLAGS) & WITH_INVALIDATED) != 0;
    }

    /**
     * Returns the key that allows nothing any more.
     *
     * @return the memory window's remote key
     */
    public int invalidatedKey() {
        return Memory.getInt(current + INVALIDATED_KEY);
    }

    /**
     * Returns whether a global route header precedes the payload of a datagram.
     *
     * @return whether the first 40 bytes hold one
     */
    public boolean hasGlobalRoute() {
        return (Memory.getInt(current + FLAGS) & GRH) != 0;
    }

    /**
     * Returns the local queue pair, also of a receive from a shared queue.
     *
     * @return the number of the queue pair that the request was of
     */
    public int qpNumber() {
        return Memory.getInt(current + QP_NUMBER);
    }

    /**
     * Returns the sender of a datagram.
     *
     * @return the remote queue pair's number; of a connection without meaning
     */
    public int sourceQpNumber() {
        return Memory.getInt(current + SOURCE_QP);
    }

    /** Text for messages and the debugger. */
    @Override
    public String toString() {
        return count == 0
                ? "no completion"
                : "completion of " + id() + " at queue pair " + qpNumber() + ": " + status()
                        + (status() == WcStatus.UNKNOWN ? " " + statusCode() : "");
    }
}
