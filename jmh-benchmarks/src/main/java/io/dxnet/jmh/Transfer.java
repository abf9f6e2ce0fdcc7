package io.dxnet.jmh;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Moves items from some threads to others through one structure. The workers are started once;
 * JMH's own thread is the other side, and one invocation moves {@link #ITEMS}.
 */
@State(Scope.Benchmark)
public abstract class Transfer {
    /** Items of one invocation, a multiple of each number of workers. */
    public static final int ITEMS = 1 << 16;

    private static final int SPINS = 64;
    private static final long ROUND_SECONDS_MAX = 300;

    private CyclicBarrier begin;
    private CyclicBarrier end;
    private volatile boolean stopped;
    private volatile Throwable failure;
    private volatile long deadlineNs;

    /** How many threads; a power of two. */
    protected abstract int workers();

    /** Empty structures; before the workers are started. */
    protected abstract void prepare();

    /** Before each round; no worker runs. */
    protected void beginRound() {}

    /** One worker's part of a round. */
    protected abstract void work(int worker);

    /** The part of JMH's thread. */
    protected abstract long drive();

    /** Starts the workers. */
    @Setup(Level.Trial)
    public final void start() {
        prepare();
        begin = new CyclicBarrier(workers() + 1);
        end = new CyclicBarrier(workers() + 1);
        for (int i = 0; i < workers(); i++) {
            int worker = i;
            Thread thread = new Thread(() -> rounds(worker), "worker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Ends the workers. */
    @TearDown(Level.Trial)
    public final void stop() {
        stopped = true;
        await(begin);
    }

    private void rounds(int worker) {
        for (; ; ) {
            await(begin);
            if (stopped) {
                return;
            }
            try {
                work(worker);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            await(end);
        }
    }

    /** Moves all items of one invocation. */
    public final long round() {
        beginRound();
        deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ROUND_SECONDS_MAX);
        await(begin);
        long result = drive();
        await(end);
        checkFailure();
        return result;
    }

    private void checkFailure() {
        if (failure != null) {
            throw new IllegalStateException("a worker failed", failure);
        }
        if (System.nanoTime() - deadlineNs > 0) {
            throw new IllegalStateException("a round took longer than " + ROUND_SECONDS_MAX + " s");
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(ROUND_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("a round took longer than " + ROUND_SECONDS_MAX + " s", e);
        }
    }

    /**
     * Waits in a thread that cannot continue: spins, then yields.
     * Fails when a worker failed, or the round lasts too long.
     *
     * @param tries how often it has waited for this
     * @return one more
     */
    protected final int backOff(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
        } else {
            checkFailure();
            Thread.yield();
        }
        return tries + 1;
    }
}
