package io.dxnet.transport.memory;

import io.dxnet.memory.RemoteMemoryException.Outcome;
import java.lang.foreign.MemorySegment;

/**
 * One operation on memory of another node. Its fields are set before it is posted; it
 * is completed once. After {@link #done}, nothing of the transport refers to it.
 */
public abstract class MemoryOperation {
    /** What it does. */
    public enum Kind {
        /** Copies from the owner's memory to {@link #local}. */
        READ,
        /** Copies {@link #local} to the owner's memory. */
        WRITE,
        /** Reports the write before it, with {@link #value}, to the owner's listener. */
        NOTIFY,
        /** Adds {@link #value} to 8 bytes, returns what they were. */
        FETCH_ADD,
        /** Sets 8 bytes to {@link #value} where they are {@link #expected}. */
        COMPARE_AND_SWAP
    }

    /** Why one failed. */
    public enum Cause {
        /** The owner's device refused it: no right, out of bounds, or revoked. */
        REFUSED,
        /** The owner does not answer. */
        LOST,
        /** It was not complete at its deadline. */
        TIMEOUT,
        /** The access was closed. */
        CLOSED,
        /** Its local memory is closed, or confined to a thread; the access continues. */
        LOCAL
    }

    private Kind kind;
    private long offset;
    private MemorySegment local;
    private long length;
    private long value;
    private long expected;
    private boolean fenced;
    private long deadlineNs;
    private long openTimeNs; // its deadline, from the first call of deadlineNs() on; 0: that is known

    /**
     * Makes an operation.
     *
     * @param kind what it does
     * @param offset in the owner's segment, bytes; of an atomic, a multiple of 8
     * @param local of a read or write; {@link MemorySegment#NULL} otherwise
     * @param length bytes: of a NOTIFY, those of the write that it reports
     * @param value of an atomic or a notification
     * @param expected of a compare and swap
     * @param fenced whether it starts when those before it are complete
     * @param deadlineNs {@link System#nanoTime()} at which it fails
     */
    protected MemoryOperation(
            Kind kind,
            long offset,
            MemorySegment local,
            long length,
            long value,
            long expected,
            boolean fenced,
            long deadlineNs) {
        this.kind = kind;
        this.offset = offset;
        this.local = local;
        this.length = length;
        this.value = value;
        this.expected = expected;
        this.fenced = fenced;
        this.deadlineNs = deadlineNs;
    }

    /**
     * Makes it another operation, without a fence. Not while it is posted. Its time begins with
     * the first call of {@link #deadlineNs}: reading the clock costs as much as a device of this
     * process needs for a whole operation.
     *
     * @param nextKind what it does
     * @param nextOffset in the owner's segment, bytes; of an atomic, a multiple of 8
     * @param nextLocal of a read or write; {@link MemorySegment#NULL} otherwise
     * @param nextLength bytes
     * @param nextValue of an atomic
     * @param nextExpected of a compare and swap
     * @param timeNs how long it may last, nanoseconds, at least 1
     */
    protected final void reuse(
            Kind nextKind,
            long nextOffset,
            MemorySegment nextLocal,
            long nextLength,
            long nextValue,
            long nextExpected,
            long timeNs) {
        kind = nextKind;
        offset = nextOffset;
        local = nextLocal;
        length = nextLength;
        value = nextValue;
        expected = nextExpected;
        fenced = false;
        openTimeNs = timeNs;
    }

    /**
     * It has the deadline of another operation. After {@link #reuse}.
     *
     * @param ns {@link System#nanoTime()} at which it fails
     */
    protected final void failAt(long ns) {
        deadlineNs = ns;
        openTimeNs = 0;
    }

    /** {@return what it does} */
    public final Kind kind() {
        return kind;
    }

    /** {@return the offset in the owner's segment, bytes} */
    public final long offset() {
        return offset;
    }

    /** {@return the local memory of a read or write} */
    public final MemorySegment local() {
        return local;
    }

    /** {@return the length, bytes} */
    public final long length() {
        return length;
    }

    /** {@return the value of an atomic or a notification} */
    public final long value() {
        return value;
    }

    /** {@return the expected value of a compare and swap} */
    public final long expected() {
        return expected;
    }

    /** {@return whether it starts when those before it are complete} */
    public final boolean isFenced() {
        return fenced;
    }

    /** {@return whether its deadline is known, so that it may be over} */
    public final boolean hasDeadline() {
        return openTimeNs == 0;
    }

    /**
     * {@return {@link System#nanoTime()} at which it fails} The first call is made by the thread
     * that posts it, before another one can make one, or all are made under one lock.
     */
    public final long deadlineNs() {
        if (openTimeNs != 0) {
            deadlineNs = System.nanoTime() + openTimeNs;
            openTimeNs = 0;
        }
        return deadlineNs;
    }

    /**
     * {@return whether its end is to be noticed soon: another thread than the calling one has
     * posted it, or code runs then} If not, the calling thread may process its completion later.
     */
    public boolean isAwaited() {
        return true;
    }

    /**
     * It was carried out: of a read, the bytes are in {@link #local}.
     *
     * @param previous of an atomic: what the 8 bytes were; otherwise 0
     */
    public abstract void done(long previous);

    /**
     * It failed.
     *
     * @param outcome whether it was carried out
     * @param cause why
     * @param detail in words
     */
    public abstract void failed(Outcome outcome, Cause cause, String detail);
}
