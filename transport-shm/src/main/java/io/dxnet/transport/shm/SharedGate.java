package io.dxnet.transport.shm;

import io.dxnet.transport.idle.BoundedWait;
import io.dxnet.transport.memory.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Counts the threads of one attached node that access shared memory, so that the owner can close it
 * to them: one word that both processes map. An attachment that was closed never passes again, also
 * when its gate serves another one.
 *
 * <pre>
 *   bit 63        32 31      30                   0
 *      +------------+--------+---------------------+
 *      | generation | closed | threads inside      |
 *      +------------+--------+---------------------+
 * </pre>
 *
 * <p>Any thread of both processes; {@link #open}: the owner's, while the gate has no attachment.
 */
final class SharedGate {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int GENERATION_SHIFT = 32;
    private static final long CLOSED = 1L << 31;
    private static final long INSIDE = CLOSED - 1;

    private final MemorySegment memory;
    private final long offset;
    private final int generation;

    /**
     * Of one attachment.
     *
     * @param generation which attachment it is of all that have had this gate
     */
    SharedGate(MemorySegment memory, long offset, int generation) {
        this.memory = memory;
        this.offset = offset;
        this.generation = generation;
    }

    /** Opens a gate that no thread can pass, for the next attachment. */
    static SharedGate open(MemorySegment memory, long offset) {
        long word = (long) WORD.getVolatile(memory, offset);
        int next = (int) (word >>> GENERATION_SHIFT) + 1;
        WORD.setVolatile(memory, offset, (long) next << GENERATION_SHIFT);
        return new SharedGate(memory, offset, next);
    }

    int generation() {
        return generation;
    }

    private boolean isClosed(long word) {
        return (int) (word >>> GENERATION_SHIFT) != generation || (word & CLOSED) != 0;
    }

    /** Begins an access; false when the gate is closed. Each true needs an {@link #exit}. */
    boolean enter() {
        while (true) {
            long word = (long) WORD.getVolatile(memory, offset);
            if (isClosed(word)) {
                return false;
            }
            if (WORD.compareAndSet(memory, offset, word, word + 1)) {
                return true;
            }
            Thread.onSpinWait();
        }
    }

    /** Ends an access; does nothing where the gate serves another attachment since. */
    void exit() {
        boolean done = false;
        while (!done) {
            long word = (long) WORD.getVolatile(memory, offset);
            done = (int) (word >>> GENERATION_SHIFT) != generation
                    || WORD.compareAndSet(memory, offset, word, word - 1);
        }
    }

    /** Closes it. Where the file is cut off, there is no gate. */
    void close() {
        try {
            boolean done = false;
            while (!done) {
                long word = (long) WORD.getVolatile(memory, offset);
                done = isClosed(word) || WORD.compareAndSet(memory, offset, word, word | CLOSED);
            }
            Faults.raise();
        } catch (InternalError e) {
            // The file is shorter than it was.
        }
    }

    /** {@return whether none is inside; once it serves another attachment, none of this one is} */
    private boolean isEmpty() {
        long word = (long) WORD.getVolatile(memory, offset);
        return (int) (word >>> GENERATION_SHIFT) != generation || (word & INSIDE) == 0;
    }

    /**
     * Waits until no thread is inside any more; false when one still is. After {@link #close}.
     * Where the file is cut off, what a thread inside does fails.
     */
    boolean awaitEmpty(long timeoutNs) {
        try {
            boolean isEmpty = BoundedWait.until(this::isEmpty, timeoutNs);
            Faults.raise();
            return isEmpty;
        } catch (InternalError e) {
            return true;
        }
    }
}
