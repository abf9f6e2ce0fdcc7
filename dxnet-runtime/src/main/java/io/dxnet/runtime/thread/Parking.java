package io.dxnet.runtime.thread;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import io.dxnet.transport.Agent;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * When threads spin, yield or park (DXNet §VII, Ibdxnet §7.2.5). Blocked threads wait for another
 * thread or node and park for short; idle threads wait for work and park until they are signalled.
 * No thread spins where the threads of this process that could run outnumber the cores:
 * there, spinning occupies the core of the thread that is waited for.
 */
public final class Parking {
    private static final int SPINS = 64;
    private static final int YIELDS = 4;
    private static final int RESPONSE_SPINS = 20_000;
    /** How long a thread that never parks spins before it begins to yield. */
    private static final long SPIN_NS = 50_000;

    private static final long AWAIT_NS_MAX = 100_000_000;

    private final ParkingStrategy strategy;
    private final int cores;
    private final int activeMax;
    private final long parkNs;
    private final long idleParkAfterNs;
    private final AtomicInteger active = new AtomicInteger();
    private volatile boolean spinning;

    public Parking(DXNetConfig config) {
        this.strategy = config.parkingStrategy();
        this.cores = Runtime.getRuntime().availableProcessors();
        this.activeMax = cores * config.overprovisioningFactor();
        this.parkNs = config.parkNs();
        this.idleParkAfterNs = config.idleParkAfterMs() * 1_000_000L;
    }

    /** Counts the threads of the engine; later ones count themselves while they are blocked. */
    public void engineThreads(int threads) {
        active.addAndGet(threads);
        // One application thread is the least there is besides; and a spinning
        // thread must leave a core for each.
        spinning =
                strategy == ParkingStrategy.NEVER || strategy == ParkingStrategy.ADAPTIVE && cores > 2 * (threads + 1);
    }

    public void blocked() {
        active.incrementAndGet();
    }

    public void unblocked() {
        active.decrementAndGet();
    }

    private boolean maySpin() {
        return spinning && active.get() <= activeMax;
    }

    /** One step of waiting of a blocked thread. */
    public void pause(int step) {
        if (maySpin() && step < SPINS) {
            Thread.onSpinWait();
        } else if (step < SPINS + YIELDS && strategy != ParkingStrategy.ALWAYS) {
            Thread.yield();
        } else if (strategy == ParkingStrategy.NEVER) {
            Thread.yield();
        } else {
            park();
        }
    }

    /**
     * Parks. An interrupt neither ends the wait nor is lost: the flag, with which no
     * thread parks, is kept aside meanwhile.
     */
    private void park() {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            // An interrupt leaves a permit, too, with which the next park returns at once.
            LockSupport.parkNanos(this, 1);
        }
        LockSupport.parkNanos(this, parkNs);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The step that {@link #pause} starts with: no spinning where it does not help. */
    public int firstStep() {
        return maySpin() ? 0 : SPINS;
    }

    /** One step of an idle agent that found nothing since {@code idleSinceNs}. */
    void idle(Agent agent, long idleSinceNs) {
        if (strategy == ParkingStrategy.NEVER) {
            // Where more threads spin than there are cores, each would keep another
            // one from working for a whole time slice.
            if (System.nanoTime() - idleSinceNs < SPIN_NS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        } else if (maySpin() && System.nanoTime() - idleSinceNs < idleParkAfterNs) {
            Thread.onSpinWait();
        } else {
            agent.await(AWAIT_NS_MAX);
        }
    }

    /** How many steps a thread spins for a response before it parks, where spinning is of use. */
    public int responseSpins() {
        return RESPONSE_SPINS;
    }

    public boolean spins() {
        return spinning;
    }
}
