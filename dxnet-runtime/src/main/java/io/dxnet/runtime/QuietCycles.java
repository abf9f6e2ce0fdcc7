package io.dxnet.runtime;

/**
 * Counts the cycles of the engine's thread that had nothing but responses to handle. Enough of them
 * in a row, and the duty may be lent. The engine's thread.
 */
final class QuietCycles {
    /** Cycles with nothing but responses before the duty is lent. */
    private static final int ENOUGH = 16;
    /**
     * The engine's thread acquires a lent duty again when it was not used for a part of the time
     * of those cycles. That is time for one round trip or a few, as one may need several cycles:
     * a waiter on a slow machine must not find the duty recalled each time.
     */
    private static final int LENT_PART = 4;

    private static final long LENT_NS_MIN = 1_000_000;
    private static final long LENT_NS_MAX = 20_000_000;

    private int count;
    private long sinceNs;
    private long lentNs = LENT_NS_MIN;

    /**
     * Counts a cycle.
     *
     * @param work of the transport, the coordinator, and on responses
     * @param others messages for the application's receivers
     */
    void count(int work, int others) {
        if (others > 0) {
            count = 0;
        } else if (work > 0 && count < ENOUGH) {
            count++;
            if (count == 1) {
                sinceNs = System.nanoTime();
            } else if (count == ENOUGH) {
                lentNs = Math.clamp((System.nanoTime() - sinceNs) / LENT_PART, LENT_NS_MIN, LENT_NS_MAX);
            }
        }
    }

    boolean areEnough() {
        return count >= ENOUGH;
    }

    void reset() {
        count = 0;
    }

    /** {@return how long a lent duty may stay unused, nanoseconds} */
    long lentNs() {
        return lentNs;
    }
}
