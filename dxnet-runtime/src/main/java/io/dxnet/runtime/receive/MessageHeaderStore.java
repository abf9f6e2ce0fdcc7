package io.dxnet.runtime.receive;

import io.dxnet.transport.IncomingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The message header store (DXNet §VI-A), from the message creation coordinator (one
 * producer) to the message handlers (N consumers). It keeps the order and is bounded:
 * a full one refuses, and the coordinator waits.
 *
 * <p>An entry is a batch of headers. The headers themselves stay where they were received:
 * an entry has the place of a run of messages in its buffer, and the handler reads them there.
 * So there is no pool of header objects to fill, share and return (the papers' message header
 * pool), and one entry, not one per message, crosses between the threads.
 *
 * <p>Each slot has a sequence number: position when it is free for the producer, position + 1 when
 * it is filled; a consumer claims it by moving the head and frees it with position + capacity.
 */
public final class MessageHeaderStore {
    private static final VarHandle SEQUENCE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle HEAD;
    private static final int EPOCH_SHIFT = 63;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(MessageHeaderStore.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] sequences;
    private final Object[] owners; // IncomingBuffer of a run or SplitMessage; guarded by the slot's sequence
    private final long[] spans; // epoch << 63 | start << 32 | end of a run; guarded by the slot's sequence
    private final int mask;
    private long tail; // the producer
    private volatile long head; // consumers

    MessageHeaderStore(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is not a power of two");
        }
        this.sequences = new long[capacity];
        this.owners = new Object[capacity];
        this.spans = new long[capacity];
        this.mask = capacity - 1;
        for (int i = 0; i < capacity; i++) {
            sequences[i] = i;
        }
    }

    int capacity() {
        return mask + 1;
    }

    /** Appends a run, unless the store is full. The producer. The run must have been retained. */
    boolean offerRun(IncomingBuffer buffer, int start, int end, int epoch) {
        return offer(buffer, (long) epoch << EPOCH_SHIFT | (long) start << 32 | end);
    }

    /** Appends a split message, unless the store is full. The producer. */
    boolean offerSplit(SplitMessage message) {
        return offer(message, 0);
    }

    private boolean offer(Object owner, long span) {
        long t = tail;
        int slot = (int) t & mask;
        if (lvSequence(slot) != t) {
            return false;
        }
        owners[slot] = owner;
        spans[slot] = span;
        soSequence(slot, t + 1);
        tail = t + 1;
        return true;
    }

    /** Whether there is room for one more. The producer. */
    boolean hasRoom() {
        return lvSequence((int) tail & mask) == tail;
    }

    /** Removes the oldest entry; returns false when there is none. Any handler. */
    public boolean poll(Batch into) {
        for (; ; ) {
            long h = lvHead();
            int slot = (int) h & mask;
            long sequence = lvSequence(slot);
            if (sequence == h + 1) {
                if (HEAD.compareAndSet(this, h, h + 1)) {
                    take(slot, into);
                    soSequence(slot, h + mask + 1);
                    return true;
                }
            } else if (sequence <= h) {
                return false;
            }
            Thread.onSpinWait(); // another handler claimed it
        }
    }

    @SuppressWarnings("NullAway") // the buffer is not read where there is a split message
    private void take(int slot, Batch into) {
        Object owner = owners[slot];
        owners[slot] = null;
        if (owner instanceof IncomingBuffer buffer) {
            into.buffer = buffer;
            into.split = null;
            long span = spans[slot];
            into.epoch = (int) (span >>> EPOCH_SHIFT);
            into.start = (int) (span >>> 32) & Integer.MAX_VALUE;
            into.end = (int) span;
        } else {
            into.buffer = null;
            into.split = (SplitMessage) owner;
            into.epoch = into.split.epoch;
        }
    }

    /** Returns the buffers of all entries. After the handlers' threads have ended. */
    void discard() {
        Batch batch = new Batch();
        while (poll(batch)) {
            batch.discard();
        }
    }

    /** {@return whether it is empty} Any thread; a snapshot. */
    public boolean isEmpty() {
        long h = lvHead();
        return lvSequence((int) h & mask) <= h;
    }

    private long lvHead() {
        return (long) HEAD.getVolatile(this);
    }

    private long lvSequence(int slot) {
        return (long) SEQUENCE.getVolatile(sequences, slot);
    }

    private void soSequence(int slot, long sequence) {
        SEQUENCE.setRelease(sequences, slot, sequence);
    }
}
