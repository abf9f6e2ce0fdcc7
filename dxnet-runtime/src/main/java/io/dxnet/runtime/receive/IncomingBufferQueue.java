package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.thread.Counter;
import io.dxnet.transport.IncomingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The IBQ (DXNet §VI-A): received buffers on their way to the message creation coordinator.
 * Bounded by buffers and by bytes; a full one refuses, and the transport stops reading.
 * Any number of producers (each connection has one at a time, so the order within
 * a connection is kept), one consumer.
 */
public final class IncomingBufferQueue {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(IncomingBuffer[].class);
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle BYTES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(IncomingBufferQueue.class, "tail", long.class);
            HEAD = lookup.findVarHandle(IncomingBufferQueue.class, "head", long.class);
            BYTES = lookup.findVarHandle(IncomingBufferQueue.class, "bytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final IncomingBuffer[] slots;
    private final int mask;
    private final int buffersMax;
    private final long bytesMax;
    private final Counter taken = new Counter();
    private volatile long tail; // producers: next slot to fill
    private volatile long head; // consumer: next slot to empty
    private volatile long bytes; // producers add, the consumer subtracts

    public IncomingBufferQueue(int buffersMax, long bytesMax) {
        this.buffersMax = buffersMax;
        this.bytesMax = bytesMax;
        this.slots = new IncomingBuffer[Integer.highestOneBit(Math.max(2, buffersMax) - 1) << 1];
        this.mask = slots.length - 1;
    }

    /**
     * Whether a connection may have another buffer in the queue: not when it has more in it
     * than there is room left for all. So one connection gets at most half of the queue and
     * one buffer, and however many fill it, a part is left for the next one (the dynamic
     * thresholds of Choudhury and Hahne, 1998). Any thread; a snapshot.
     *
     * <p>The sender's window is no bound that the receiver could hold it to: handlers and
     * other threads of the engine ignore it, because they must not wait for their peers,
     * so an honest sender may exceed it by any number of answers.
     */
    public boolean hasShareFor(PeerConnection connection) {
        long room = bytesMax - bytes();
        int buffersLeft = buffersMax - (int) (lvTail() - lvHead());
        return connection.queuedBytes() <= room && connection.queuedBuffers().get() <= buffersLeft;
    }

    /**
     * Appends a buffer, unless the queue is full. A single buffer is accepted
     * whatever its size. Any thread.
     */
    public boolean offer(IncomingBuffer buffer) {
        int length = buffer.length();
        long reserved = (long) BYTES.getAndAdd(this, (long) length);
        if (reserved != 0 && reserved + length > bytesMax) {
            BYTES.getAndAdd(this, (long) -length);
            return false;
        }
        for (; ; ) {
            long t = lvTail();
            if (t - lvHead() >= buffersMax) {
                BYTES.getAndAdd(this, (long) -length);
                return false;
            }
            if (TAIL.compareAndSet(this, t, t + 1)) {
                soSlot(t, buffer);
                return true;
            }
            Thread.onSpinWait();
        }
    }

    /** Removes the oldest buffer; returns null when there is none. The consumer. */
    @Nullable
    IncomingBuffer poll() {
        long h = head;
        IncomingBuffer buffer = laSlot(h);
        if (buffer == null) {
            return null; // empty, or its producer is between claim and publication
        }
        soSlot(h, null);
        // The slot is empty before the head shows that: a producer that sees the
        // head finds the slot free.
        HEAD.setRelease(this, h + 1);
        BYTES.getAndAdd(this, (long) -buffer.length());
        taken.add(buffer.length());
        return buffer;
    }

    /** {@return whether it is empty} Any thread; a snapshot. */
    boolean isEmpty() {
        return lvTail() == lvHead();
    }

    /** {@return bytes that were queued so far} Any thread; a snapshot. */
    public long bytesTotal() {
        return taken.get() + bytes();
    }

    /** {@return bytes in the queue} Any thread; a snapshot. */
    public long bytes() {
        return (long) BYTES.getVolatile(this);
    }

    private long lvTail() {
        return (long) TAIL.getVolatile(this);
    }

    private long lvHead() {
        return (long) HEAD.getVolatile(this);
    }

    private @Nullable IncomingBuffer laSlot(long index) {
        return (IncomingBuffer) SLOT.getAcquire(slots, (int) index & mask);
    }

    private void soSlot(long index, @Nullable IncomingBuffer buffer) {
        SLOT.setRelease(slots, (int) index & mask, buffer);
    }
}
