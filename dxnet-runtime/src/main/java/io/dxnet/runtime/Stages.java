package io.dxnet.runtime;

import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.handle.Delivery;
import io.dxnet.runtime.handle.HandlerReports;
import io.dxnet.runtime.handle.LastingCallbacks;
import io.dxnet.runtime.handle.MessageHandler;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.BarrierAnswer;
import io.dxnet.runtime.receive.HeaderStores;
import io.dxnet.runtime.receive.IncomingBufferQueue;
import io.dxnet.runtime.receive.MessageCreationCoordinator;
import io.dxnet.runtime.receive.ReceiveBudget;
import io.dxnet.runtime.receive.SplitMessage;
import io.dxnet.runtime.report.ReportedTypes;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.Agent;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/** The receiving stages and the threads that run all agents: the threading layout. */
final class Stages implements Requester.Driver {
    private static final int CORES_FOR_DEDICATED = 5;
    private static final int SPLITS_KEPT = 64;
    /** How long a thread that has to end may be without a callback that returns. */
    private static final long STEP_NS = 500_000_000;

    private final HeaderStores stores;
    private final ReceiveBudget budget;
    private final MessageCreationCoordinator coordinator;
    private final List<MessageHandler> handlers = new ArrayList<>();
    private final List<EngineThread> threads = new ArrayList<>();
    private final @Nullable FusedAgent agent; // null in the dedicated layout

    Stages(
            DXNetConfig config,
            int nodeId,
            int handlerCount,
            IncomingBufferPool pool,
            IncomingBufferQueue queue,
            TypeRegistry types,
            RequestMap requests,
            Transport transport,
            IdleStrategies strategies,
            ConnectionManager connections,
            ControlAgent control,
            HandlerReports reports,
            Completions completions,
            EngineThread.Errors errors) {
        this.stores = new HeaderStores(config.headerStoreEntries(), handlerCount);
        Queue<SplitMessage> splits = new ArrayBlockingQueue<>(SPLITS_KEPT);
        StreamEvents streamEvents = new StreamEvents(connections, control);
        this.budget = new ReceiveBudget(config, pool, streamEvents);
        this.coordinator = new MessageCreationCoordinator(
                queue,
                stores,
                types::isExclusive,
                splits,
                streamEvents,
                budget,
                config.headerBatch(),
                config.maxMessageBytes(),
                config.parkNs());
        ReportedTypes reported = new ReportedTypes();
        for (int i = 0; i < handlerCount; i++) {
            Delivery delivery = new Delivery(i, nodeId, types, requests, reported, reports);
            handlers.add(new MessageHandler(i, stores, delivery, splits, completions, reports));
        }
        LastingCallbacks lasting = new LastingCallbacks(handlers, connections, transport);
        control.watch(() -> lasting.tick() | completions.tick() | connections.tick());
        String prefix = "dxnet-" + nodeId + "-";
        threads.add(new EngineThread(prefix + control.role(), control, control::progress, strategies, errors));
        if (isFused(config)) {
            agent = new FusedAgent(transport.agents(), coordinator, handlers.get(0), requests, config.parkNs(), errors);
            threads.add(new EngineThread(prefix + agent.role(), agent, agent, strategies, errors));
        } else {
            agent = null;
            for (Agent agent : transport.agents()) {
                threads.add(new EngineThread(prefix + agent.role(), agent, EngineThread.NONE, strategies, errors));
            }
            threads.add(
                    new EngineThread(prefix + coordinator.role(), coordinator, EngineThread.NONE, strategies, errors));
        }
        for (MessageHandler handler : agent != null ? handlers.subList(1, handlers.size()) : handlers) {
            stores.threadSignal(handlers.indexOf(handler), handler.threadSignal());
            threads.add(new EngineThread(prefix + handler.role(), handler, handler::progress, strategies, errors));
        }
        strategies.engineThreads(threads.size() - 1); // the control thread sleeps most of the time
    }

    /**
     * Whether transport, coordinator and a handler run on one thread: as configured,
     * or by the cores.
     */
    static boolean isFused(DXNetConfig config) {
        return switch (config.threadingLayout()) {
            case FUSED -> true;
            case DEDICATED -> false;
            case AUTO -> Runtime.getRuntime().availableProcessors() < CORES_FOR_DEDICATED;
        };
    }

    /** How many handlers there are: as configured, or by the cores. */
    static int handlers(DXNetConfig config) {
        if (config.handlers() > 0) {
            return config.handlers();
        }
        return isFused(config) ? 1 : Math.clamp(Runtime.getRuntime().availableProcessors() / 4, 1, 16);
    }

    ReceiveBudget budget() {
        return budget;
    }

    List<MessageHandler> handlers() {
        return handlers;
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** A received buffer is in the queue. */
    void received() {
        if (agent == null) {
            coordinator.received();
        } else {
            wakeup(agent);
        }
    }

    /**
     * A connection is over and its transport is done: what is left of it will be released. Any
     * thread.
     */
    void ended(PeerConnection connection) {
        coordinator.ended(connection);
        if (agent != null) {
            wakeup(agent);
        }
    }

    private static void wakeup(FusedAgent agent) {
        if (Thread.currentThread() != agent.driver()) {
            agent.wakeup();
        }
    }

    /** Waits for a response by driving the stages; false where that is not possible now. */
    @Override
    public boolean drive(PendingRequest pending) {
        // Another handler could handle the response, and would not find the driver where it sleeps.
        return agent != null && handlers.size() == 1 && agent.drive(pending);
    }

    /** {@return whether a callback receives that has outlived {@link #stop}} */
    boolean isReceiving() {
        return agent != null && agent.isReceiving();
    }

    /**
     * {@return whether the calling thread drives the stages} It may be in an import of the
     * application.
     */
    boolean isDriver() {
        return agent != null && Thread.currentThread() == agent.driver();
    }

    /**
     * Ends the threads in reverse order; false when one is stuck in a callback.
     *
     * @param deadlineNs by when
     * @param extensionNs the most that is added to it while callbacks return:
     *     a busy machine is no stuck callback
     */
    boolean stop(long deadlineNs, long extensionNs) {
        boolean all = agent == null || agent.retire(leftNs(deadlineNs));
        long latestNs = deadlineNs + extensionNs;
        for (EngineThread thread : threads.reversed()) {
            thread.shutdown();
            if (agent != null) {
                agent.wakeupForGood();
            }
            all &= join(thread, deadlineNs, latestNs);
        }
        if (!all && agent != null) {
            agent.stopReceiving(STEP_NS);
        }
        return all;
    }

    private boolean join(EngineThread thread, long deadlineNs, long latestNs) {
        long untilNs = deadlineNs;
        long handled = handled();
        while (!hasEnded(thread, untilNs)) {
            long before = handled;
            handled = handled();
            long extensionNs = Math.min(STEP_NS, leftNs(latestNs));
            if (handled == before || extensionNs == 0) {
                return false;
            }
            untilNs = System.nanoTime() + extensionNs;
        }
        return true;
    }

    /** Waits for the end of a thread; an interrupt does not end the wait, and the flag stays. */
    private static boolean hasEnded(EngineThread thread, long untilNs) {
        boolean interrupted = false;
        do {
            try {
                thread.join(1 + leftNs(untilNs) / 1_000_000);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        } while (thread.isAlive() && leftNs(untilNs) > 0);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** Messages that the handlers have done with, a snapshot. */
    long handled() {
        long sum = 0;
        for (MessageHandler handler : handlers) {
            sum += handler.delivery().count();
        }
        return sum;
    }

    /**
     * Waits until the callback has returned that {@link #stop} found stuck,
     * and all threads have ended.
     */
    void awaitEnd() {
        while (agent != null && !agent.retire(STEP_NS)) {
            agent.wakeupForGood();
        }
        for (EngineThread thread : threads) {
            while (!hasEnded(thread, System.nanoTime() + STEP_NS)) {
                thread.shutdown();
            }
        }
    }

    /**
     * Returns the buffers of all that was received and no handler gets any more.
     * After {@link #stop} has returned true.
     */
    void discard() {
        coordinator.discard();
        stores.discard();
    }

    private static long leftNs(long deadlineNs) {
        return Math.max(0, deadlineNs - System.nanoTime());
    }

    String describe() {
        return (agent != null ? "fused" : "dedicated") + " layout, " + handlers.size() + " handler"
                + (handlers.size() == 1 ? "" : "s") + ", " + threads.size() + " threads on "
                + Runtime.getRuntime().availableProcessors() + " cores";
    }

    private record StreamEvents(ConnectionManager connections, ControlAgent control)
            implements MessageCreationCoordinator.Events {
        @Override
        public void protocolError(PeerConnection connection, String what) {
            connections.protocolError(connection, what);
        }

        @Override
        public void stalled(PeerConnection connection, String detail) {
            connections.lost(connection, Disconnect.Reason.STALLED, detail);
        }

        @Override
        public void handover(PeerConnection connection) {
            connections.handoverReached(connection);
        }

        @Override
        public void goodbye(PeerConnection connection) {
            connections.goodbyeReached(connection);
        }

        @Override
        public void barrier(PeerConnection connection, int epoch) {
            control.poll(new BarrierAnswer(connection, epoch));
        }
    }
}
