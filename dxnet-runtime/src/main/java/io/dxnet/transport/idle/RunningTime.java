package io.dxnet.transport.idle;

/**
 * The time in which this process runs, measured by events that come often while it does: a
 * longer gap between two of them counts as the longest one allowed. Where the process or its
 * machine stood still (SIGSTOP, a paused VM, a long garbage collection), what other nodes sent
 * meanwhile is not read yet.
 *
 * <p>One thread at a time.
 */
public final class RunningTime {
    private final long gapNsMax;
    private boolean hasBegun; // the origin of nanoTime is arbitrary
    private long lastNs;
    private long pausedNs; // of all gaps, what is too long

    /**
     * A time without events.
     *
     * @param gapNsMax the longest gap that counts whole, nanoseconds; above 0
     */
    public RunningTime(long gapNsMax) {
        this.gapNsMax = gapNsMax;
    }

    /**
     * An event.
     *
     * @param nowNs of {@link System#nanoTime}; one before an earlier event's counts as that one
     * @return the running time, nanoseconds, of which only differences mean something
     */
    public long at(long nowNs) {
        if (!hasBegun) {
            hasBegun = true;
            lastNs = nowNs;
        }
        long gapNs = nowNs - lastNs;
        if (gapNs > 0) {
            pausedNs += Math.max(gapNs - gapNsMax, 0);
            lastNs = nowNs;
        }
        return lastNs - pausedNs;
    }
}
