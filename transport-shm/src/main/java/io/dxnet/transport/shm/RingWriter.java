package io.dxnet.transport.shm;

import static io.dxnet.transport.shm.RingLayout.HEAD_OFFSET;
import static io.dxnet.transport.shm.RingLayout.RECEIVER_SLEEPS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.RING_OFFSET;
import static io.dxnet.transport.shm.RingLayout.SENDER_SLEEPS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.SIGNALS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.STEPS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.TAIL_OFFSET;
import static io.dxnet.transport.shm.RingLayout.WORD;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The sender's side of a shared ring: a byte queue of one sender and one receiver. What the other
 * process has written (head, steps, signals) is checked against this side's own copies before it is
 * used: a wrong value is an error, and never an address.
 *
 * <p>Performance sketch of one write: one copy of its bytes, one store of the tail; a load of the
 * head only where the last known one leaves no room; then one fence and one load for the sleeping
 * receiver. Cache lines that move to the receiver's core: the tail's, and those of the bytes.
 *
 * <p>{@link #write}, {@link #hasRoom} and {@link #receiverSleeps}: the holder of the send lock, one
 * thread at a time; the others: the agent.
 */
final class RingWriter {
    private final MemorySegment memory;
    private final int capacity;
    private long tail; // the holder of the lock; what the other process sees is a copy
    private long head; // the holder of the lock: the last one that was read and found right
    private long steps; // the agent: the sum that was read last

    /**
     * Creates the sender's side.
     *
     * @param memory zeros, of {@link RingLayout#bytes}
     * @param capacity of the ring
     */
    RingWriter(MemorySegment memory, int capacity) {
        this.memory = memory;
        this.capacity = capacity;
    }

    /**
     * Copies as many bytes into the ring as there is room for, and publishes them.
     *
     * @param source where they are
     * @param offset of the first one
     * @param bytes how many, more than 0
     * @return how many were copied, 0 where the ring is full
     * @throws IOException when the head is none that a receiver writes
     */
    int write(MemorySegment source, long offset, int bytes) throws IOException {
        long free = capacity - (tail - head);
        if (free < bytes) {
            head = readHead();
            free = capacity - (tail - head);
        }
        int count = (int) Math.min(bytes, free);
        if (count > 0) {
            long at = tail & (capacity - 1);
            int first = (int) Math.min(count, capacity - at);
            MemorySegment.copy(source, offset, memory, RING_OFFSET + at, first);
            if (first < count) {
                MemorySegment.copy(source, offset + first, memory, RING_OFFSET, count - first);
            }
            tail += count;
            WORD.setRelease(memory, TAIL_OFFSET, tail);
        }
        return count;
    }

    private long readHead() throws IOException {
        long read = (long) WORD.getAcquire(memory, HEAD_OFFSET);
        if (read < head || read > tail) {
            throw new IOException(
                    "the other node's head of the shared ring is " + read + ", not between " + head + " and " + tail);
        }
        return read;
    }

    /** Returns whether the receiver has read something since the ring was found full. */
    boolean hasRoom() {
        return (long) WORD.getAcquire(memory, HEAD_OFFSET) != head;
    }

    /**
     * Returns whether the receiver sleeps, or is about to: then it must be woken up, by this call's
     * caller alone. After {@link #write}: with the fence, either this side sees the receiver's
     * word, or the receiver sees the tail.
     */
    boolean receiverSleeps() {
        VarHandle.fullFence();
        return isSet(memory, RECEIVER_SLEEPS_OFFSET);
    }

    /** Announces that this side's agent sleeps, before the last check for work. */
    void announceSleep() {
        WORD.setVolatile(memory, SENDER_SLEEPS_OFFSET, 1L);
        VarHandle.fullFence();
    }

    /** Ends what {@link #announceSleep} began. */
    void awake() {
        WORD.setOpaque(memory, SENDER_SLEEPS_OFFSET, 0L);
    }

    /** Clears a word of a side that sleeps; returns whether this call did. */
    static boolean isSet(MemorySegment memory, long offset) {
        return (long) WORD.getOpaque(memory, offset) != 0 && (long) WORD.getAndSet(memory, offset, 0L) != 0;
    }

    /** Returns whether there are confirmed steps or signals. */
    boolean hasFlowControl() {
        return (long) WORD.getAcquire(memory, STEPS_OFFSET) != steps
                || (long) WORD.getAcquire(memory, SIGNALS_OFFSET) != 0;
    }

    /**
     * Returns the steps that were confirmed since the last call.
     *
     * @return 0 or more
     * @throws IOException when the sum is none that a receiver writes
     */
    int takeSteps() throws IOException {
        long read = (long) WORD.getAcquire(memory, STEPS_OFFSET);
        long more = read - steps;
        if (more < 0 || more > Integer.MAX_VALUE) {
            throw new IOException(
                    "the other node's sum of confirmed steps in the shared memory went from " + steps + " to " + read);
        }
        steps = read;
        return (int) more;
    }

    /**
     * Removes the signals that are there.
     *
     * @return a set of bits, 0 to 255
     * @throws IOException when there are other bits
     */
    int takeSignals() throws IOException {
        if ((long) WORD.getAcquire(memory, SIGNALS_OFFSET) == 0) {
            return 0;
        }
        long read = (long) WORD.getAndSet(memory, SIGNALS_OFFSET, 0L);
        if ((read & ~0xFFL) != 0) {
            throw new IOException("the other node's signals in the shared memory are 0x" + Long.toHexString(read));
        }
        return (int) read;
    }
}
