package io.dxnet.transport.memory;

/**
 * Faults of accesses to a mapped file that another process has made shorter. The JVM throws an
 * {@link InternalError} for one, but not at the access: compiled code continues with any value, up
 * to its next safepoint poll. That may be after the handler's range, in a caller or in the next
 * round of a loop.
 */
public final class Faults {
    /** More calls of a method in itself than a compiler inlines. */
    private static final int DEPTH = 3;

    private Faults() {}

    /**
     * Throws the error of a fault that is not thrown yet: after a read, before its value is used;
     * before a step that can't be repeated, which a fault of another file must not interrupt. Costs
     * some nanoseconds.
     *
     * @throws InternalError where an access of this thread has faulted
     */
    public static void raise() {
        call(DEPTH);
    }

    /** The return of a call that is not inlined polls, and throws at the place of the call. */
    private static int call(int depth) {
        return depth == 0 ? 0 : 1 + call(depth - 1);
    }
}
