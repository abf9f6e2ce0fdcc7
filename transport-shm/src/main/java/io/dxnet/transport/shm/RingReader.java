package io.dxnet.transport.shm;

import static io.dxnet.transport.shm.RingLayout.HEAD_OFFSET;
import static io.dxnet.transport.shm.RingLayout.RECEIVER_SLEEPS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.RING_OFFSET;
import static io.dxnet.transport.shm.RingLayout.SENDER_SLEEPS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.SIGNALS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.STEPS_OFFSET;
import static io.dxnet.transport.shm.RingLayout.TAIL_OFFSET;
import static io.dxnet.transport.shm.RingLayout.WORD;

import io.dxnet.transport.memory.Faults;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The receiver's side of a shared ring. The head is this side's own, so the sender can change
 * neither what was read nor where the next read begins; its tail is checked before it is used. What
 * is read is copied out before the engine sees it: the sender cannot change it afterwards.
 *
 * <p>The agent only.
 */
final class RingReader {
    private final MemorySegment memory;
    private final int capacity;
    private long head; // what the other process sees is a copy
    private long steps; // the sum of those confirmed

    /**
     * Creates the receiver's side.
     *
     * @param memory of {@link RingLayout#bytes}
     * @param capacity of the ring
     */
    RingReader(MemorySegment memory, int capacity) {
        this.memory = memory;
        this.capacity = capacity;
    }

    /** Returns whether the sender has published anything, or something that is wrong. */
    boolean hasData() {
        return (long) WORD.getAcquire(memory, TAIL_OFFSET) != head;
    }

    /**
     * Returns how much can be read.
     *
     * @return bytes, 0 to the capacity
     * @throws IOException when the tail is none that a sender writes
     */
    int available() throws IOException {
        long tail = (long) WORD.getAcquire(memory, TAIL_OFFSET);
        long bytes = tail - head;
        if (bytes != 0) {
            Faults.raise();
        }
        if (bytes < 0 || bytes > capacity) {
            throw new IOException("the other node's tail of the shared ring is " + tail + ", not between " + head
                    + " and " + (head + capacity));
        }
        return (int) bytes;
    }

    /**
     * Copies bytes out of the ring and frees their memory.
     *
     * @param target filled from offset 0
     * @param bytes at most {@link #available}
     * @throws InternalError when they are not there any more: {@link Faults}
     */
    void read(MemorySegment target, int bytes) {
        long at = head & (capacity - 1);
        int first = (int) Math.min(bytes, capacity - at);
        MemorySegment.copy(memory, RING_OFFSET + at, target, 0, first);
        if (first < bytes) {
            MemorySegment.copy(memory, RING_OFFSET, target, first, bytes - first);
        }
        Faults.raise();
        skip(bytes);
    }

    /**
     * Frees bytes without reading them.
     *
     * @param bytes at most {@link #available}
     */
    void skip(int bytes) {
        head += bytes;
        WORD.setRelease(memory, HEAD_OFFSET, head);
    }

    /**
     * Confirms steps to the sender.
     *
     * @param count more than 0
     */
    void confirm(int count) {
        steps += count;
        WORD.setRelease(memory, STEPS_OFFSET, steps);
    }

    /**
     * Sends signals to the sender.
     *
     * @param set 1 to 255
     */
    void signal(int set) {
        WORD.getAndBitwiseOr(memory, SIGNALS_OFFSET, (long) set);
    }

    /**
     * Returns whether the sender sleeps, or is about to: then it must be woken up, by this call's
     * caller alone. After what it may wait for was written.
     */
    boolean senderSleeps() {
        VarHandle.fullFence();
        return RingWriter.isSet(memory, SENDER_SLEEPS_OFFSET);
    }

    /** Announces that this side's agent sleeps, before the last check for work. */
    void announceSleep() {
        WORD.setVolatile(memory, RECEIVER_SLEEPS_OFFSET, 1L);
        VarHandle.fullFence();
    }

    /** Ends what {@link #announceSleep} began. */
    void awake() {
        WORD.setOpaque(memory, RECEIVER_SLEEPS_OFFSET, 0L);
    }
}
