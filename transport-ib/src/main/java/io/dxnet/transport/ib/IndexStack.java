package io.dxnet.transport.ib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A stack of the numbers from 0 to a maximum, each at most once in it. Any thread pushes and pops,
 * without locks and without allocation.
 *
 * <p>Its head is one word, number and a counter of changes, so that a thread that was
 * delayed between its read and its CAS can't mistake a later state for the one it saw: that
 * would take 2^32 changes meanwhile.
 */
final class IndexStack {
    /** What {@link #pop} returns of an empty stack. */
    static final int NONE = -1;

    private static final long INDEX_MASK = 0xFFFF_FFFFL;
    private static final long CHANGE = 1L << 32;
    private static final VarHandle HEAD;
    private static final VarHandle BELOW = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(IndexStack.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int[] below; // 1 + the index below, 0: none; the pushing thread writes it
    private volatile long head; // 1 + the index on top, 0: none; changes by CAS

    /**
     * An empty stack.
     *
     * @param count the indices are from 0 to {@code count - 1}
     */
    IndexStack(int count) {
        this.below = new int[count];
    }

    int count() {
        return below.length;
    }

    /** Puts an index on top that is not in the stack. */
    void push(int index) {
        for (; ; ) {
            long seen = lvHead();
            BELOW.setVolatile(below, index, (int) (seen & INDEX_MASK));
            if (casHead(seen, (seen & ~INDEX_MASK) + CHANGE | index + 1)) {
                return;
            }
        }
    }

    /** Removes the index on top; {@link #NONE} where there is none. */
    int pop() {
        for (; ; ) {
            long seen = lvHead();
            int top = (int) (seen & INDEX_MASK);
            if (top == 0) {
                return NONE;
            }
            long next = (int) BELOW.getVolatile(below, top - 1);
            if (casHead(seen, (seen & ~INDEX_MASK) + CHANGE | next)) {
                return top - 1;
            }
        }
    }

    /** A snapshot. */
    boolean isEmpty() {
        return (lvHead() & INDEX_MASK) == 0;
    }

    private long lvHead() {
        return (long) HEAD.getVolatile(this);
    }

    private boolean casHead(long expected, long value) {
        return HEAD.compareAndSet(this, expected, value);
    }
}
