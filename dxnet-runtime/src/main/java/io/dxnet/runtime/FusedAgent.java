package io.dxnet.runtime;

import io.dxnet.runtime.handle.MessageHandler;
import io.dxnet.runtime.receive.MessageCreationCoordinator;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.Agent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The {@code FUSED} layout: transport, message creation coordinator and one message handler,
 * one after the other on one thread. What was received is handled while it is in the cache,
 * and no thread has to be woken in between.
 *
 * <p>A thread that waits for the response to its only request can drive the stages itself,
 * up to the response. That saves the wake-up of one thread in every round trip. The engine's thread
 * lends its duty for that when it sees such a thread and had nothing but responses to do lately.
 * It acquires the duty again when it was not used for a moment. The thread that drives calls no
 * receiver of the application: when a message for one arrives, it hands the duty back.
 */
final class FusedAgent implements Agent, EngineThread.Progress {
    private static final int FREE = 0;
    private static final int ENGINE = 1;
    private static final int WAITER = 2;

    /** Cycles with nothing but responses before the duty is lent. */
    private static final int QUIET_CYCLES = 16;
    /**
     * The engine's thread acquires a lent duty again when it was not used for a part of the time
     * of those cycles. That is time for one round trip or a few, as one may need several cycles:
     * a waiter on a slow machine must not find the duty recalled each time.
     */
    private static final int LENT_PART = 4;

    private static final long LENT_NS_MIN = 1_000_000;
    private static final long LENT_NS_MAX = 20_000_000;

    private static final long DRIVE_AWAIT_NS = 10_000_000;
    private static final VarHandle DUTY;

    static {
        try {
            DUTY = MethodHandles.lookup().findVarHandle(FusedAgent.class, "duty", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Agent[] transport;
    private final MessageCreationCoordinator coordinator;
    private final MessageHandler handler;
    private final RequestMap requests;
    private final long blockedNs;
    private final EngineThread.Errors errors;
    private int depth; // the engine's thread

    private volatile int duty = ENGINE; // by CAS from FREE, by its holder to FREE
    private volatile Thread driver; // the holder of the duty
    private volatile Thread engineThread; // the engine's thread, once
    private volatile boolean wanted; // waiters set it, the engine's thread clears it
    private volatile boolean recalled; // waiters set it, the engine's thread clears it
    private volatile int drives; // the holder of the duty
    private boolean held = true; // the engine's thread: whether it holds the duty
    private int quiet; // the engine's thread
    private long quietSinceNs; // the engine's thread
    private long lentNs = LENT_NS_MIN; // the engine's thread

    FusedAgent(
            List<Agent> transport,
            MessageCreationCoordinator coordinator,
            MessageHandler handler,
            RequestMap requests,
            long blockedNs,
            EngineThread.Errors errors) {
        this.transport = transport.toArray(new Agent[0]);
        this.coordinator = coordinator;
        this.handler = handler;
        this.requests = requests;
        this.blockedNs = blockedNs;
        this.errors = errors;
    }

    @Override
    public String role() {
        return "fused";
    }

    @Override
    public int doWork() throws Exception {
        if (!held) {
            return 0;
        }
        if (driver == null) {
            engineThread = Thread.currentThread();
            driver = engineThread;
        }
        int work = receive();
        work += handler.endRequests();
        int others = handler.doWork();
        countQuiet(work, others);
        if (wanted && mayLend()) {
            held = false;
            release();
            return 0;
        }
        return work + others;
    }

    /**
     * Whether the engine's thread may lend its duty: only between two requests. A thread
     * that waits for its response sleeps already, and would not notice that no thread drives.
     * It has noticed before it waits for the next.
     */
    private boolean mayLend() {
        boolean answered = requests.outstanding() == 0;
        if (answered || !isAlone()) {
            wanted = false;
        }
        return answered && quiet >= QUIET_CYCLES;
    }

    /** The time of the quiet cycles shows how soon a lent duty is used again. */
    private void countQuiet(int work, int others) {
        if (others > 0) {
            quiet = 0;
        } else if (work > 0 && quiet < QUIET_CYCLES) {
            quiet++;
            if (quiet == 1) {
                quietSinceNs = System.nanoTime();
            } else if (quiet == QUIET_CYCLES) {
                lentNs = Math.clamp((System.nanoTime() - quietSinceNs) / LENT_PART, LENT_NS_MIN, LENT_NS_MAX);
            }
        }
    }

    private int receive() throws Exception {
        int work = 0;
        for (Agent agent : transport) {
            work += agent.doWork();
        }
        return work + coordinator.doWork();
    }

    private boolean isAlone() {
        return requests.outstanding() <= 1 && !requests.hasAsync();
    }

    private void release() {
        driver = null;
        duty = FREE;
    }

    @Override
    public int progress() {
        if (depth > 0) {
            // An error handler or an import waits in turn: the outer call continues to work.
            return 0;
        }
        depth++;
        try {
            return receive() + handler.progress();
        } catch (Throwable e) {
            failed(e);
            return 0;
        } finally {
            depth--;
        }
    }

    /**
     * Reports an exception of a stage, which is none of the callback or of the
     * request that happens to wait.
     */
    private void failed(Throwable error) {
        errors.error(
                Thread.currentThread().getName() + " failed while it worked for a waiting call, which continues",
                error);
    }

    @Override
    public void await(long timeoutNs) {
        if (!held) {
            awaitDuty();
        } else {
            awaitTransport(timeoutNs);
        }
    }

    private void awaitTransport(long timeoutNs) {
        transport[0].await(coordinator.limit(timeoutNs));
    }

    /**
     * Sleeps while other threads drive. Acquires the duty again when it was handed back,
     * or not used for a while.
     */
    private void awaitDuty() {
        int before = drives;
        if (!recalled) {
            LockSupport.parkNanos(this, lentNs);
        }
        if ((recalled || drives == before) && DUTY.compareAndSet(this, FREE, ENGINE)) {
            driver = Thread.currentThread();
            held = true;
            recalled = false;
            quiet = 0;
        }
    }

    @Override
    public void wakeup() {
        transport[0].wakeup();
    }

    /** Ends the engine thread's wait, whatever it waits for: before it is stopped. */
    void wakeupForGood() {
        recalled = true;
        transport[0].wakeup();
        LockSupport.unpark(engineThread);
    }

    /** {@return the thread that drives at the moment; null for none} Any thread. */
    Thread driver() {
        return driver;
    }

    // -------------------------------------------------------------- the waiting application thread

    /**
     * Drives until the request is done, as far as this thread may.
     *
     * @return whether it drove; if false, it has to wait for the engine's thread
     */
    boolean drive(PendingRequest pending) {
        if (duty != FREE || recalled || !DUTY.compareAndSet(this, FREE, WAITER)) {
            if (!wanted) {
                wanted = true;
            }
            return false;
        }
        driver = Thread.currentThread();
        drives++; // the holder alone writes it
        boolean handBack = true;
        try {
            handBack = !driveOn(pending);
        } finally {
            release();
            if (handBack) {
                recalled = true;
                LockSupport.unpark(engineThread);
            }
        }
        return true;
    }

    /** {@return whether no other thread needs the stages to be driven} */
    private boolean driveOn(PendingRequest pending) {
        try {
            while (!pending.isDone()) {
                int work = receive() + handler.endRequests();
                if (handler.hasWorkForReceivers() || recalled || !isAlone()) {
                    return false;
                }
                long leftNs = pending.deadlineNs() - System.nanoTime();
                if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                    return true;
                }
                if (work == 0 && !pending.isDone()) {
                    awaitTransport(Math.min(leftNs, DRIVE_AWAIT_NS));
                }
            }
            return requests.outstanding() == 0;
        } catch (Throwable e) {
            failed(e);
            return false; // the engine's thread continues
        }
    }

    /**
     * Acquires the duty for good: when the threads are stopped. Bounded.
     *
     * @return whether no thread drives any more
     */
    boolean retire(long timeoutNs) {
        recalled = true;
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (duty == WAITER || duty == FREE && !DUTY.compareAndSet(this, FREE, ENGINE)) {
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            transport[0].wakeup();
            LockSupport.parkNanos(this, blockedNs);
        }
        return true;
    }
}
