package io.dxnet.transport.shared;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;

/**
 * The first two phases of load-adaptive waiting (Ibdxnet §7.2.5). After work, an agent
 * spins for a while, then polls with {@code Thread.yield}. After that it sleeps until a
 * signal or an event, as its transport does. A round trip of two nodes that would both
 * sleep in it costs two wake-ups, many times what the messages cost.
 *
 * <p>A wait is {@code begin(timeoutNs); do { if (work) return; } while (pause());
 * sleep(leftNs())}. One thread at a time.
 */
public final class BusyPhase {
    private final long spinNs;
    private final long yieldNs;
    private boolean worked;
    private long workedNs; // the begin of the first wait after work
    private long nowNs;
    private long endNs;

    private BusyPhase(long spinNs, long yieldNs) {
        this.spinNs = spinNs;
        this.yieldNs = yieldNs;
        this.workedNs = System.nanoTime() - spinNs - yieldNs;
    }

    /**
     * The phase of an agent: it spins for {@link DXNetConfig#idleSpinUs()}, then yields for
     * {@link DXNetConfig#idleYieldUs()}; empty with {@link ParkingStrategy#ALWAYS}.
     *
     * @param config the node's
     * @return the phase, not begun
     */
    public static BusyPhase of(DXNetConfig config) {
        return config.parkingStrategy() == ParkingStrategy.ALWAYS
                ? new BusyPhase(0, 0)
                : new BusyPhase(
                        TimeUnit.MICROSECONDS.toNanos(config.idleSpinUs()),
                        TimeUnit.MICROSECONDS.toNanos(config.idleYieldUs()));
    }

    /** There was work: the phase of the next wait begins anew. */
    public void worked() {
        worked = true;
    }

    /**
     * Begins a wait.
     *
     * @param timeoutNs its longest time, nanoseconds; 0 and less: one check
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
     * A moment between two checks.
     *
     * @return whether to check again; if false, the agent sleeps for {@link #leftNs}
     */
    public boolean pause() {
        nowNs = System.nanoTime();
        long sinceNs = nowNs - workedNs;
        if (sinceNs >= spinNs + yieldNs || nowNs - endNs >= 0) {
            return false;
        }
        if (sinceNs < spinNs) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return true;
    }

    /**
     * {@return what is left of the wait's time: nanoseconds at the last pause;
     * 0 and less: its time is over}
     */
    public long leftNs() {
        return endNs - nowNs;
    }
}
