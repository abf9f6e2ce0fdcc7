package io.dxnet.transport.idle;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;

/**
 * How a thread waits between two checks for work: it spins, then yields, then parks. A round trip
 * of two nodes that would both park in it costs two wake-ups, many times what the messages cost.
 *
 * <pre>
 *            waited &gt;= spinEnd          waited &gt;= yieldEnd
 *   SPIN ------------------------&gt; YIELD -------------------&gt; PARK
 *    ^                              |                          |
 *    +----------- work -------------+----------- work ---------+
 * </pre>
 *
 * <p>The unit of {@code waited} is the strategy's: nanoseconds of an idle thread, steps of a
 * blocked one. Immutable; any thread.
 */
public final class IdleStrategy {
    /** What a thread does until its next check. */
    public enum Phase {
        /** {@code Thread.onSpinWait}: the thread keeps its core. */
        SPIN,
        /** {@code Thread.yield}: another thread may have the core. */
        YIELD,
        /** The thread stops running, until a signal or for a time. */
        PARK
    }

    /** Of threads that neither spin nor yield. */
    public static final IdleStrategy PARK_AT_ONCE = new IdleStrategy(0, 0);

    private final long spinEnd;
    private final long yieldEnd;

    /**
     * Creates a strategy.
     *
     * @param spinEnd until when a thread spins, at least 0
     * @param yieldEnd until when it yields after that, at least {@code spinEnd};
     *     {@code Long.MAX_VALUE}: it never parks
     */
    IdleStrategy(long spinEnd, long yieldEnd) {
        this.spinEnd = spinEnd;
        this.yieldEnd = yieldEnd;
    }

    /**
     * Creates the strategy of a transport's agent after work. It spins for
     * {@link DXNetConfig#idleSpinUs()}, then yields for {@link DXNetConfig#idleYieldUs()}. With
     * {@link ParkingStrategy#ALWAYS}, it parks at once.
     *
     * @param config the node's
     * @return the strategy; its unit is nanoseconds
     */
    public static IdleStrategy afterWork(DXNetConfig config) {
        if (config.parkingStrategy() == ParkingStrategy.ALWAYS) {
            return PARK_AT_ONCE;
        }
        long spinNs = TimeUnit.MICROSECONDS.toNanos(config.idleSpinUs());
        return new IdleStrategy(spinNs, spinNs + TimeUnit.MICROSECONDS.toNanos(config.idleYieldUs()));
    }

    /**
     * Returns what to do until the next check.
     *
     * @param waited how long the thread has waited
     * @return the phase
     */
    public Phase phase(long waited) {
        return waited < spinEnd ? Phase.SPIN : waited < yieldEnd ? Phase.YIELD : Phase.PARK;
    }

    /**
     * Spins or yields once, unless the thread has to park.
     *
     * @param waited how long the thread has waited
     * @return whether to check again; if false, the thread has to park
     */
    public boolean pause(long waited) {
        Phase phase = phase(waited);
        if (phase == Phase.SPIN) {
            Thread.onSpinWait();
        } else if (phase == Phase.YIELD) {
            Thread.yield();
        }
        return phase != Phase.PARK;
    }

    /**
     * Spins or yields once, unless the thread has to park: of a strategy in nanoseconds.
     *
     * @param sinceNs when the wait began, {@code System.nanoTime}
     * @return whether to check again; if false, the thread has to park
     */
    public boolean pauseSince(long sinceNs) {
        return yieldEnd > 0 && pause(System.nanoTime() - sinceNs);
    }

    /** {@return whether a thread spins at first} */
    public boolean spins() {
        return spinEnd > 0;
    }

    /** {@return how long a thread spins} */
    long spinEnd() {
        return spinEnd;
    }

    /** {@return how long a thread waits before it parks} */
    long end() {
        return yieldEnd;
    }
}
