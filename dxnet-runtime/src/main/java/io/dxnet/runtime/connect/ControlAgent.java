package io.dxnet.runtime.connect;

import io.dxnet.ConnectionListener;
import io.dxnet.Disconnect;
import io.dxnet.MessagingUsageException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.JfrEvents;
import io.dxnet.runtime.report.Rejections;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.thread.CoarseClock;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.idle.ThreadSignal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does what must not delay data: calls the listeners, ends connections, ends asynchronous
 * requests whose time is over, returns ring memory. One agent, one thread (DXNet §IX
 * calls its counterpart the ConnectionCreationHelper).
 */
public final class ControlAgent implements Agent, ConnectionManager.Host {
    private static final long TICK_NS = 10_000_000;
    /**
     * While no thread sends: a hundred idle nodes in a process would wake up 10,000
     * times a second for nothing.
     */
    private static final long IDLE_TICK_NS = 100_000_000;

    private static final long RETIREMENT_NS = 1_000_000;

    /** In the place of a step that is over. */
    private static final BooleanSupplier OVER = () -> true;

    private final int ownNode;
    private final RequestMap requests;
    private final EngineThread.Errors errors;
    private final ThreadSignal threadSignal = new ThreadSignal(this::hasWork);
    private final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final Queue<BooleanSupplier> newPolled = new ConcurrentLinkedQueue<>();
    private final Queue<BooleanSupplier> retirements = new ConcurrentLinkedQueue<>();
    private final List<BooleanSupplier> polled; // the agent's thread
    private final CoarseClock clock = new CoarseClock();
    private BooleanSupplier watch = () -> false; // set before the agent runs
    private long lastTickNs = System.nanoTime(); // the agent's thread
    private boolean sleepsLong; // the agent's thread
    private boolean progressing; // the agent's thread
    private boolean ticking; // the agent's thread
    private final Rejections rejections;

    @SuppressWarnings("NullAway.Init") // by wire()
    private Consumer<PeerConnection> opener; // set before anything runs

    public ControlAgent(int ownNode, RequestMap requests, EngineThread.Errors errors) {
        this(ownNode, requests, errors, new ArrayList<>());
    }

    /** With an empty list, which may throw. */
    ControlAgent(int ownNode, RequestMap requests, EngineThread.Errors errors, List<BooleanSupplier> polled) {
        this.polled = polled;
        this.ownNode = ownNode;
        this.requests = requests;
        this.errors = errors;
        this.rejections = new Rejections(
                rejection -> new Call("rejected", rejection.nodeId(), listener -> listener.rejected(rejection)),
                this::enqueue,
                errors);
    }

    /** Sets what {@link #open} calls. */
    public void wire(Consumer<PeerConnection> toOpen) {
        this.opener = toOpen;
    }

    @Override
    public void open(PeerConnection connection) {
        opener.accept(connection);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public String role() {
        return "control";
    }

    @Override
    public int doWork() {
        int work;
        int others = 0;
        try {
            work = runEvents();
        } finally {
            others = progress(); // it may free the memory that an event has not found
        }
        return work + others;
    }

    /**
     * Continues what is polled, and ticks: also while a listener waits for something, which may be
     * the end of a connection, or a request whose time is over.
     */
    public int progress() {
        tickWhenDue();
        if (progressing) {
            return 0;
        }
        progressing = true;
        try {
            return continuePolled();
        } finally {
            progressing = false;
        }
    }

    /** Runs the steps also where the list has no memory for a new one: they may free some. */
    private int continuePolled() {
        int work;
        try {
            addPolled();
        } finally {
            work = runPolled();
        }
        return work;
    }

    private void addPolled() {
        for (BooleanSupplier step = newPolled.peek(); step != null; step = newPolled.peek()) {
            polled.add(step);
            newPolled.remove(); // after it: the list may have no memory to grow
        }
    }

    private int runPolled() {
        boolean removes = false;
        for (int i = 0; i < polled.size(); i++) {
            if (isOver(polled.get(i))) {
                polled.set(i, OVER); // it is not run again where the list has no memory to remove it
                removes = true;
            }
        }
        return removes && polled.removeIf(step -> step == OVER) ? 1 : 0;
    }

    /** Runs one step. What it throws concerns neither the others nor the steps that are over. */
    private boolean isOver(BooleanSupplier step) {
        try {
            return step.getAsBoolean();
        } catch (Throwable e) {
            errors.error("a step of the control thread failed, and will be tried again", e);
            return false;
        }
    }

    private void tickWhenDue() {
        long now = System.nanoTime();
        if (!ticking && now - lastTickNs >= TICK_NS) {
            lastTickNs = now;
            ticking = true;
            try {
                tick(now);
            } finally {
                ticking = false;
            }
        }
    }

    private void tick(long now) {
        clock.advance(watch.getAsBoolean() | (requests.hasAsync() || !retirements.isEmpty()));
        requests.failOverdue(now);
        retirements.removeIf(BooleanSupplier::getAsBoolean);
    }

    /** Calls the listeners for the ends that are left. After the agent was stopped. */
    public void deliverRest() {
        runEvents();
    }

    /** An event that throws, for want of memory, is continued with the next call. */
    private int runEvents() {
        int work = 0;
        for (Runnable event = events.peek(); event != null; event = events.peek()) {
            event.run();
            events.remove();
            work++;
        }
        return work;
    }

    /**
     * Calls something at each tick; it returns whether it needs the next tick in time.
     * Before the agent runs.
     */
    public void watch(BooleanSupplier eachTick) {
        watch = eachTick;
    }

    /**
     * Runs what {@link #retire} left, for a bounded time; false when a producer still
     * writes. After the agent was stopped.
     */
    public boolean awaitRetirements(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        for (; ; ) {
            retirements.removeIf(BooleanSupplier::getAsBoolean);
            if (retirements.isEmpty() || System.nanoTime() - deadlineNs > 0) {
                return retirements.isEmpty();
            }
            IdleStrategies.park(this, RETIREMENT_NS);
        }
    }

    @Override
    public void await(long timeoutNs) {
        // What is polled has no signal of its own; the clock has none either.
        sleepsLong = polled.isEmpty() && clock.isIdle();
        threadSignal.park(sleepsLong ? IDLE_TICK_NS : polled.isEmpty() ? TICK_NS : TICK_NS / 10);
    }

    private boolean hasWork() {
        return !events.isEmpty() || !newPolled.isEmpty() || sleepsLong && !clock.isIdle();
    }

    @Override
    public void wakeup() {
        threadSignal.wakeup();
    }

    /** {@return the clock that {@link #tick} and {@link #used} belong to} */
    CoarseClock clock() {
        return clock;
    }

    /**
     * {@return the tick of a coarse clock: about 10 ms each while it is {@link #used},
     * up to 100 ms else} Any thread.
     */
    @Override
    public int tick() {
        return clock.tick();
    }

    /**
     * A thread sends: keeps the clock running. To be called when the tick is seen
     * to have changed. Any thread.
     */
    @Override
    public void used() {
        if (clock.use()) {
            threadSignal.raise();
        }
    }

    public void addListener(ConnectionListener listener) {
        listeners.add(listener);
    }

    public void removeListener(ConnectionListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void connected(int nodeId) {
        JfrEvents.connected(ownNode, nodeId);
        tell("connected", nodeId, listener -> listener.connected(nodeId));
    }

    @Override
    public void disconnected(int nodeId, Disconnect cause) {
        tell("disconnected", nodeId, listener -> listener.disconnected(nodeId, cause));
        try {
            JfrEvents.disconnected(ownNode, nodeId, cause); // after what may throw, and be called again
        } catch (Throwable _) {
            // one event less
        }
    }

    /** Messages of this node were rejected by another. Any thread. */
    public void rejected(int nodeId, int typeId, int count, String reason) {
        rejections.add(nodeId, typeId, count, reason);
    }

    public Rejections rejections() {
        return rejections;
    }

    private void tell(String what, int nodeId, Consumer<ConnectionListener> call) {
        enqueue(new Call(what, nodeId, call));
    }

    private void enqueue(Runnable event) {
        events.add(event);
        threadSignal.raise();
    }

    /** Calls the listeners, each once, also where there was no memory in between. */
    private final class Call implements Runnable {
        private final String what;
        private final int nodeId;
        private final Consumer<ConnectionListener> call;
        private @Nullable Iterator<ConnectionListener> left;

        Call(String what, int nodeId, Consumer<ConnectionListener> call) {
            this.what = what;
            this.nodeId = nodeId;
            this.call = call;
        }

        @Override
        public void run() {
            Iterator<ConnectionListener> listening = left;
            if (listening == null) {
                listening = listeners.iterator();
                left = listening;
            }
            while (listening.hasNext()) {
                call(listening.next());
            }
        }

        private void call(ConnectionListener listener) {
            try {
                call.accept(listener);
            } catch (Throwable e) {
                errors.error("a connection listener failed in " + what + "(" + nodeId + ")", e);
            }
            if (Thread.interrupted()) {
                errors.error(
                        "a connection listener left its thread interrupted in " + what + "(" + nodeId
                                + "): the flag is cleared",
                        new MessagingUsageException("a listener must not leave the interrupt flag of its thread set"));
            }
        }
    }

    /**
     * Calls something again and again, about every millisecond, until it returns true.
     * It must not block. Any thread.
     */
    @Override
    public void poll(BooleanSupplier step) {
        newPolled.add(step);
        threadSignal.raise();
    }

    /** Returns a connection's ring memory as soon as no producer writes to it. */
    @Override
    public void retire(PeerConnection connection, RingMemory memory) {
        retirements.add(() -> {
            boolean isReturned = connection.isRingQuiescent();
            if (isReturned) {
                memory.giveBack(connection.ring().segment()); // again, where it has no memory for that
            }
            return isReturned;
        });
    }
}
