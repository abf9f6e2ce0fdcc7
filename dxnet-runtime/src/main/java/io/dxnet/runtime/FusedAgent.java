package io.dxnet.runtime;

import io.dxnet.runtime.handle.MessageHandler;
import io.dxnet.runtime.receive.MessageCreationCoordinator;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.Agent;
import io.dxnet.transport.connection.SendLock;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

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
    private static final long DRIVE_AWAIT_NS = 10_000_000;

    private final Agent[] transport;
    private final MessageCreationCoordinator coordinator;
    private final MessageHandler handler;
    private final RequestMap requests;
    private final long blockedNs;
    private final EngineThread.Errors errors;
    private final Duty duty = new Duty();
    private final BooleanSupplier isRequested;
    private final QuietCycles quiet = new QuietCycles(); // the engine's thread
    private final SendLock receiving = new SendLock(); // of a callback that waits; sealed: for good
    private int depth; // the engine's thread
    private volatile boolean wanted; // waiters set it, the engine's thread clears it

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
        this.isRequested = () -> requests.outstanding() != 0;
        this.blockedNs = blockedNs;
        this.errors = errors;
    }

    @Override
    public String role() {
        return "fused";
    }

    @Override
    public int doWork() throws Exception {
        if (!duty.isHeld()) {
            return 0;
        }
        int work = receive();
        work += handler.endRequests();
        int others = handler.doWork();
        quiet.count(work, others);
        if (wanted && mayLend() && duty.lend(isRequested)) {
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
        return answered && quiet.areEnough();
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

    @Override
    public int progress() {
        if (depth > 0) {
            // An error handler or an import waits in turn: the outer call continues to work.
            return 0;
        }
        depth++;
        try {
            return receiveWhileWaiting() + handler.progress();
        } catch (Throwable e) {
            failed(e);
            return 0;
        } finally {
            depth--;
        }
    }

    private int receiveWhileWaiting() throws Exception {
        if (!receiving.tryAcquire()) {
            return 0; // the transport is being closed
        }
        try {
            return receive();
        } finally {
            receiving.release();
        }
    }

    /**
     * Keeps a callback that outlives the stop from driving the transport, which another thread is
     * to close. Bounded. Any thread.
     *
     * @return whether no thread receives any more
     */
    boolean stopReceiving(long timeoutNs) {
        receiving.seal();
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (receiving.isHeld()) {
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            IdleStrategies.park(this, blockedNs);
        }
        return true;
    }

    /** {@return whether a callback that waits receives at the moment} Any thread. */
    boolean isReceiving() {
        return receiving.isHeld();
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
        if (duty.isHeld()) {
            awaitTransport(timeoutNs);
        } else if (duty.tryAcquire(quiet.lentNs())) {
            quiet.reset();
        }
    }

    private void awaitTransport(long timeoutNs) {
        transport[0].await(coordinator.limit(timeoutNs));
    }

    @Override
    public void wakeup() {
        transport[0].wakeup();
    }

    /** Ends the engine thread's wait, whatever it waits for: before it is stopped. */
    void wakeupForGood() {
        duty.keep();
        transport[0].wakeup();
    }

    /** {@return the thread that drives at the moment; null for none} Any thread. */
    @Nullable
    Thread driver() {
        return duty.holder();
    }

    // -------------------------------------------------------------- the waiting application thread

    /**
     * Drives until the request is done, as far as this thread may.
     *
     * @return whether it drove; if false, it has to wait for the engine's thread
     */
    boolean drive(PendingRequest pending) {
        if (!duty.tryDrive()) {
            if (!wanted) {
                wanted = true;
            }
            return false;
        }
        boolean handBack = true;
        try {
            handBack = !driveOn(pending);
        } finally {
            duty.release(handBack, isRequested);
        }
        return true;
    }

    /** {@return whether no other thread needs the stages to be driven} */
    private boolean driveOn(PendingRequest pending) {
        try {
            while (!pending.isDone()) {
                int work = receive() + handler.endRequests();
                if (handler.hasWorkForReceivers() || duty.isRecalled() || !isAlone()) {
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
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (!duty.keep()) {
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            transport[0].wakeup();
            IdleStrategies.park(this, blockedNs);
        }
        return true;
    }
}
