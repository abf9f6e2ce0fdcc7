package io.dxnet.transport;

import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;

/**
 * The first two phases of load-adaptive waiting (Ibdxnet §7.2.5): for a while after it had work, an agent looks again and again, then
 * yields between its looks. What it does after that, sleep until somebody or something wakes it up, is the transport's. A round trip of
 * two nodes that would both sleep in it costs two wake-ups, many times what the messages cost.
 *
 * <p>A wait is {@code begin(timeoutNs); do { if (work) return; } while (pause()); sleep(leftNs())}. One thread at a time.
 */
public final class BusyPhase {
    private final long busyNs;
    private final long yieldNs;
    private boolean worked;
    private long workedNs; // the begin of the first wait after work
    private long nowNs;
    private long endNs;

    private BusyPhase(long busyNs, long yieldNs) {
        this.busyNs = busyNs;
        this.yieldNs = yieldNs;
        this.workedNs = System.nanoTime() - busyNs - yieldNs;
    }

    /**
     * Of an agent. None with {@link ParkingStrategy#ALWAYS}.
     *
     * @param strategy the node's
     * @param busyUs how long it looks without a pause after work, microseconds
     * @param yieldUs how long it yields after that, microseconds
     * @return the phase, not begun
     */
    public static BusyPhase of(ParkingStrategy strategy, int busyUs, int yieldUs) {
        return strategy == ParkingStrategy.ALWAYS
                ? new BusyPhase(0, 0)
                : new BusyPhase(TimeUnit.MICROSECONDS.toNanos(busyUs), TimeUnit.MICROSECONDS.toNanos(yieldUs));
    }

    /** There was work: the phase of the next wait begins anew. */
    public void worked() {
        worked = true;
    }

    /**
     * Begins a wait.
     *
     * @param timeoutNs its longest time, nanoseconds; 0 and less: one look
     */
    public void begin(long timeoutNs) {
        nowNs = System.nanoTime();
        endNs = nowNs + timeoutNs;
        if (worked) {
            worked = false;
            workedNs = nowNs;
        }
    }

    /**
     * A moment between two looks.
     *
     * @return whether to look again; false: sleep, as long as {@link #leftNs} says
     */
    public boolean pause() {
        nowNs = System.nanoTime();
        long sinceNs = nowNs - workedNs;
        if (sinceNs >= busyNs + yieldNs || nowNs - endNs >= 0) {
            return false;
        }
        if (sinceNs < busyNs) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return true;
    }

    /**
     * What is left of the wait's time.
     *
     * @return nanoseconds at the last pause; 0 and less: its time is over
     */
    public long leftNs() {
        return endNs - nowNs;
    }
}
