package io.dxnet.runtime.connect;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs schedules on all processors, each on one thread with a world of its own, until one fails.
 */
final class SimSchedules {
    static final int STEPS = 400;
    /** So many that several connections between two nodes end at the same time. */
    private static final int STEPS_RESTLESS = 4000;

    /** A schedule that fails, also when it is run alone. */
    record Failure(long seed, String violation) {
        @Override
        public String toString() {
            return "seed " + seed + " (-Ddxnet.test.seed=" + seed + "): " + violation;
        }
    }

    private final SimFaults faults;
    private final boolean restless;
    private final long endSeed;
    private final AtomicLong nextSeed;
    private final AtomicLong failedSeed = new AtomicLong(Long.MAX_VALUE); // the lowest
    private final SimTally tally = new SimTally(); // under the monitor
    private Failure failure; // of the lowest seed; under the monitor

    SimSchedules(long beginSeed, long count, SimFaults faults, boolean restless) {
        this.faults = faults;
        this.restless = restless;
        this.nextSeed = new AtomicLong(beginSeed);
        this.endSeed = beginSeed + count;
    }

    /** Runs all of them; the failure with the lowest seed, or null. */
    Failure run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
            threads.add(Thread.ofPlatform().daemon().name("simulation-" + i).start(this::work));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        synchronized (this) {
            return failure;
        }
    }

    synchronized SimTally tally() {
        return tally;
    }

    private void work() {
        RingMemory memory = new RingMemory(SimWorld.RING_BYTES);
        SimTally counted = new SimTally();
        for (long seed = nextSeed.getAndIncrement();
                seed < endSeed && seed < failedSeed.get();
                seed = nextSeed.getAndIncrement()) {
            String violation = run(new SimWorld(seed, memory, faults, counted, restless));
            if (violation != null) {
                failed(new Failure(seed, violation));
            }
        }
        synchronized (this) {
            tally.add(counted);
        }
        memory.tryFree(0);
    }

    private String run(SimWorld world) {
        try {
            return world.run(restless ? STEPS_RESTLESS : STEPS);
        } catch (RuntimeException | Error e) {
            StringWriter text = new StringWriter();
            e.printStackTrace(new PrintWriter(text));
            return text.toString();
        }
    }

    private synchronized void failed(Failure found) {
        failedSeed.accumulateAndGet(found.seed, Math::min);
        if (failure == null || found.seed < failure.seed) {
            failure = found;
        }
    }
}
