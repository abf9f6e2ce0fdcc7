package io.dxnet.tools.compare.harness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Where one receiving thread puts its messages. Counting costs next to nothing. */
public final class Tap {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    /** The count is alone on its cache lines. */
    private static final int PADDING = 16;

    private final Inbox inbox;
    private final int size;
    private final byte[] copy;
    private final long[] padded = new long[2 * PADDING + 1];

    Tap(Inbox inbox, Workload workload) {
        this.inbox = inbox;
        this.size = workload.size();
        this.copy = workload.verify() ? new byte[workload.size()] : null;
    }

    /**
     * Returns whether a message of a length is to be copied to
     * {@link #copy} before it is {@link #received}.
     *
     * @param length of its payload, bytes
     * @return true when payloads are verified
     */
    public boolean wants(int length) {
        return copy != null && length == size;
    }

    /**
     * Where to copy a payload.
     *
     * @return as long as a payload
     */
    public byte[] copy() {
        return copy;
    }

    /**
     * Counts a message, and checks {@link #copy} where payloads are verified.
     *
     * @param length of its payload, bytes
     */
    public void received(int length) {
        if (length != size) {
            inbox.wrongSize();
        } else if (copy != null) {
            inbox.check(copy);
        }
        add(1);
    }

    /**
     * Counts messages of the right size whose payloads are not verified.
     *
     * @param messages how many
     */
    public void add(int messages) {
        LONGS.setRelease(padded, PADDING, padded[PADDING] + messages);
    }

    /** By any thread. */
    long count() {
        return (long) LONGS.getAcquire(padded, PADDING);
    }
}
