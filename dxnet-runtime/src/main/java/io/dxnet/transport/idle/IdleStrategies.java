package io.dxnet.transport.idle;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Which {@link IdleStrategy} applies to the threads of a node (DXNet §VII, Ibdxnet §7.2.5). Blocked
 * threads wait for another thread or node and park for short; idle threads wait for work and park
 * until they are signalled. No thread spins where the threads of this process that could run
 * outnumber the cores: there, spinning occupies the core of the thread that is waited for.
 *
 * <p>Any thread.
 */
public final class IdleStrategies {
    private static final int SPINS = 64;
    private static final int YIELDS = 4;
    private static final int RESPONSE_SPINS = 20_000;
    /** How long a thread that never parks spins before it begins to yield. */
    private static final long SPIN_NS = 50_000;

    private static final IdleStrategy RESPONSE = new IdleStrategy(RESPONSE_SPINS, RESPONSE_SPINS);

    private final ParkingStrategy parking;
    private final int cores;
    private final int activeMax;
    private final long parkNs;
    private final IdleStrategy idle;
    private final IdleStrategy blocked; // its unit is steps
    private final IdleStrategy blockedBusy; // the same where no thread spins
    private final AtomicInteger active = new AtomicInteger();
    private volatile boolean spinning;

    /**
     * Creates the strategies of a node, whose threads do not spin before {@link #engineThreads}.
     *
     * @param config the node's
     */
    public IdleStrategies(DXNetConfig config) {
        this.parking = config.parkingStrategy();
        this.cores = Runtime.getRuntime().availableProcessors();
        this.activeMax = cores * config.overprovisioningFactor();
        this.parkNs = config.parkNs();
        long idleParkAfterNs = TimeUnit.MILLISECONDS.toNanos(config.idleParkAfterMs());
        // Where more threads spin than there are cores, each would keep another
        // one from working for a whole time slice.
        this.idle = parking == ParkingStrategy.NEVER
                ? new IdleStrategy(SPIN_NS, Long.MAX_VALUE)
                : new IdleStrategy(idleParkAfterNs, idleParkAfterNs);
        long yieldEnd = switch (parking) {
            case NEVER -> Long.MAX_VALUE;
            case ADAPTIVE -> SPINS + YIELDS;
            case ALWAYS -> 0;
        };
        this.blocked = new IdleStrategy(Math.min(SPINS, yieldEnd), yieldEnd);
        this.blockedBusy = new IdleStrategy(0, yieldEnd);
    }

    /**
     * Counts the threads of the engine; later ones count themselves while they are blocked.
     *
     * @param threads how many, without those that park most of the time
     */
    public void engineThreads(int threads) {
        active.addAndGet(threads);
        // One application thread is the least there is besides; and a spinning
        // thread must leave a core for each.
        spinning = parking == ParkingStrategy.NEVER || parking == ParkingStrategy.ADAPTIVE && cores > 2 * (threads + 1);
    }

    /** Counts a thread that is blocked from now on. */
    public void blocked() {
        active.incrementAndGet();
    }

    /** Ends what {@link #blocked} began. */
    public void unblocked() {
        active.decrementAndGet();
    }

    private boolean maySpin() {
        return spinning && active.get() <= activeMax;
    }

    /** {@return the step that {@link #pause} starts with: no spinning where it does not help} */
    public int firstStep() {
        return maySpin() ? 0 : SPINS;
    }

    /**
     * Spins, yields or parks once: one step of a blocked thread.
     *
     * @param step counts up from {@link #firstStep}, also beyond the range of an int
     */
    public void pause(int step) {
        if (!(maySpin() ? blocked : blockedBusy).pause(Integer.toUnsignedLong(step))) {
            park(this, parkNs);
        }
    }

    /**
     * Parks. An interrupt neither ends the wait nor is lost: the flag, with which no
     * thread parks, is kept aside meanwhile.
     *
     * @param blocker what the thread waits for
     * @param ns how long, nanoseconds
     */
    public static void park(Object blocker, long ns) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            // An interrupt leaves a permit, too, with which the next park returns at once.
            LockSupport.parkNanos(blocker, 1);
        }
        LockSupport.parkNanos(blocker, ns);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return what an idle thread of the engine does now, in nanoseconds since it is idle} */
    public IdleStrategy idle() {
        return parking == ParkingStrategy.NEVER || maySpin() ? idle : IdleStrategy.PARK_AT_ONCE;
    }

    /** {@return what an application's thread does that waits for a response, in steps} */
    public IdleStrategy response() {
        return spinning ? RESPONSE : IdleStrategy.PARK_AT_ONCE;
    }
}
