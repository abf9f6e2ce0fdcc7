package io.dxnet.runtime;

import io.dxnet.ConnectionListener;
import io.dxnet.Disconnect;
import io.dxnet.RequestTimeoutException;
import io.dxnet.transport.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * What is not urgent and must not hold up data: tells the listeners, ends connections, ends asynchronous requests whose time is
 * over, takes memory back. One agent, one thread (DXNet §IX calls its counterpart the ConnectionCreationHelper).
 */
final class Control implements Agent {
    private static final long TICK_NS = 10_000_000;
    /** While nobody sends: a hundred idle nodes in a process would wake up 10,000 times a second for nothing. */
    private static final long IDLE_TICK_NS = 100_000_000;

    private final int ownNode;
    private final RequestMap requests;
    private final EngineThread.Errors errors;
    private final Doorbell doorbell = new Doorbell();
    private final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final Queue<BooleanSupplier> newPolled = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> retirements = new ConcurrentLinkedQueue<>();
    private final List<BooleanSupplier> polled = new ArrayList<>(); // the agent's thread
    private final BooleanSupplier hasWork = this::hasWork;
    private final CoarseClock clock = new CoarseClock();
    private long lastTickNs = System.nanoTime(); // the agent's thread
    private boolean sleepsLong; // the agent's thread
    private final LongAdder timedOut = new LongAdder();

    Control(int ownNode, RequestMap requests, EngineThread.Errors errors) {
        this.ownNode = ownNode;
        this.requests = requests;
        this.errors = errors;
    }

    @Override
    public String role() {
        return "control";
    }

    @Override
    public int doWork() {
        int work = 0;
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
            work++;
        }
        for (BooleanSupplier step = newPolled.poll(); step != null; step = newPolled.poll()) {
            polled.add(step);
        }
        if (!polled.isEmpty() && polled.removeIf(BooleanSupplier::getAsBoolean)) {
            work++;
        }
        long now = System.nanoTime();
        if (now - lastTickNs >= TICK_NS) {
            lastTickNs = now;
            tick(now);
        }
        return work;
    }

    private void tick(long now) {
        clock.advance(requests.hasAsync() || !retirements.isEmpty());
        if (requests.hasAsync()) {
            requests.failAll(request -> request.future != null && now - request.deadlineNs > 0, this::timeout);
        }
        for (int i = retirements.size(); i > 0; i--) {
            retirements.poll().run(); // puts itself back when it is too early
        }
    }

    /** The error of a request that got no response in time. */
    RequestTimeoutException timeout(PendingRequest request) {
        timedOut.increment();
        Events.requestTimeout(request.destination, request.what);
        return new RequestTimeoutException(request.what + " to node " + request.destination
                + " was not answered in time; the node may be busy, or its callback sends no response");
    }

    @Override
    public void await(long timeoutNs) {
        // What is polled has no doorbell of its own; the clock has none either.
        sleepsLong = polled.isEmpty() && clock.isIdle();
        doorbell.await(hasWork, sleepsLong ? IDLE_TICK_NS : polled.isEmpty() ? TICK_NS : TICK_NS / 10);
    }

    private boolean hasWork() {
        return !events.isEmpty() || !newPolled.isEmpty() || sleepsLong && !clock.isIdle();
    }

    @Override
    public void wakeup() {
        doorbell.ring();
    }

    /** What {@link #tick} and {@link #used} are of. */
    CoarseClock clock() {
        return clock;
    }

    /** A coarse clock: about 10 ms a tick while it is {@link #used}, up to 100 ms else. Any thread. */
    int tick() {
        return clock.tick();
    }

    /** Somebody sends: keeps the clock running. To be called when the tick is seen to have changed. Any thread. */
    void used() {
        if (clock.use()) {
            doorbell.ring();
        }
    }

    long timedOut() {
        return timedOut.sum();
    }

    void addListener(ConnectionListener listener) {
        listeners.add(listener);
    }

    void removeListener(ConnectionListener listener) {
        listeners.remove(listener);
    }

    void connected(int nodeId) {
        Events.connected(ownNode, nodeId);
        tell("connected", nodeId, listener -> listener.connected(nodeId));
    }

    void disconnected(int nodeId, Disconnect cause) {
        Events.disconnected(ownNode, nodeId, cause);
        tell("disconnected", nodeId, listener -> listener.disconnected(nodeId, cause));
    }

    private void tell(String what, int nodeId, java.util.function.Consumer<ConnectionListener> call) {
        events.add(() -> {
            for (ConnectionListener listener : listeners) {
                try {
                    call.accept(listener);
                } catch (Throwable e) {
                    errors.error("a connection listener failed in " + what + "(" + nodeId + ")", e);
                }
            }
        });
        doorbell.ring();
    }

    /** Calls something again and again, about every millisecond, until it returns true. It must not block. Any thread. */
    void poll(BooleanSupplier step) {
        newPolled.add(step);
        doorbell.ring();
    }

    /** Gives a connection's ring memory back as soon as no producer writes to it. */
    void retire(PeerConnection connection, RingMemory memory) {
        retirements.add(new Runnable() {
            @Override
            public void run() {
                if (connection.isRingQuiescent()) {
                    memory.giveBack(connection.ring().segment());
                } else {
                    retirements.add(this);
                }
            }
        });
    }
}
