package io.dxnet.runtime;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/** The receiving stages and the threads that run all agents: the threading layout. */
final class Stages {
    private static final int CORES_FOR_DEDICATED = 5;
    private static final int SPLITS_KEPT = 64;

    private final boolean fused;
    private final MessageCreationCoordinator coordinator;
    private final List<MessageHandler> handlers = new ArrayList<>();
    private final List<EngineThread> threads = new ArrayList<>();
    private final FusedAgent agent; // null in the dedicated layout
    private final long stopTimeoutMs;

    Stages(
            DXNetConfig config,
            int nodeId,
            int handlerCount,
            IncomingBufferQueue queue,
            TypeRegistry types,
            RequestMap requests,
            Transport transport,
            Parking parking,
            ConnectionManager connections,
            Control control,
            Sender sender,
            EngineThread.Errors errors) {
        this.fused = isFused(config);
        this.stopTimeoutMs = Math.max(1000, config.closeTimeoutMs());
        Lanes lanes = new Lanes(config.headerStoreEntries(), handlerCount);
        Queue<SplitMessage> splits = new ArrayBlockingQueue<>(SPLITS_KEPT);
        this.coordinator = new MessageCreationCoordinator(
                queue,
                lanes,
                types,
                splits,
                new StreamEvents(connections),
                config.headerBatch(),
                config.maxMessageBytes(),
                config.parkNs());
        for (int i = 0; i < handlerCount; i++) {
            handlers.add(new MessageHandler(
                    i, lanes, types, requests, splits, new HandlerEvents(connections, sender, errors)));
        }
        String prefix = "dxnet-" + nodeId + "-";
        threads.add(new EngineThread(prefix + control.role(), control, () -> 0, parking, errors));
        if (fused) {
            agent = new FusedAgent(transport.agents(), coordinator, handlers.get(0), requests, config.parkNs());
            threads.add(new EngineThread(prefix + agent.role(), agent, agent, parking, errors));
        } else {
            agent = null;
            for (Agent agent : transport.agents()) {
                threads.add(new EngineThread(prefix + agent.role(), agent, () -> 0, parking, errors));
            }
            threads.add(new EngineThread(prefix + coordinator.role(), coordinator, () -> 0, parking, errors));
        }
        for (MessageHandler handler : fused ? handlers.subList(1, handlers.size()) : handlers) {
            lanes.doorbell(handlers.indexOf(handler), handler.doorbell());
            threads.add(
                    new EngineThread(prefix + handler.role(), handler, handler::completeResponses, parking, errors));
        }
        parking.engineThreads(threads.size() - 1); // the control thread sleeps most of the time
    }

    /** Whether transport, coordinator and a handler run on one thread: as configured, or by the cores. */
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

    MessageCreationCoordinator coordinator() {
        return coordinator;
    }

    List<MessageHandler> handlers() {
        return handlers;
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** A received buffer is in the queue. */
    void received() {
        if (!fused) {
            coordinator.wakeup();
        } else if (Thread.currentThread() != agent.driver()) {
            agent.wakeup();
        }
    }

    /** Waits for a response by driving the stages; false where that is not possible now. */
    boolean drive(PendingRequest pending) {
        // Another handler could take the response, and would not find the driver where it sleeps.
        return agent != null && handlers.size() == 1 && agent.drive(pending);
    }

    /** Ends the threads in reverse order; false when one is stuck in a callback. */
    boolean stop() {
        boolean all = agent == null || agent.retire(stopTimeoutMs * 1_000_000L);
        boolean interrupted = false;
        for (EngineThread thread : threads.reversed()) {
            thread.shutdown();
            if (agent != null) {
                agent.wakeupForGood();
            }
            try {
                thread.join(stopTimeoutMs);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            all &= !thread.isAlive();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return all;
    }

    String describe() {
        return (fused ? "fused" : "dedicated") + " layout, " + handlers.size() + " handler"
                + (handlers.size() == 1 ? "" : "s") + ", " + threads.size() + " threads on "
                + Runtime.getRuntime().availableProcessors() + " cores";
    }

    private record StreamEvents(ConnectionManager connections) implements MessageCreationCoordinator.Events {
        @Override
        public void protocolError(PeerConnection connection, String what) {
            connections.protocolError(connection, what);
        }

        @Override
        public void goodbye(PeerConnection connection) {
            connections.peerSaidGoodbye(connection);
        }
    }

    private record HandlerEvents(ConnectionManager connections, Sender sender, EngineThread.Errors errors)
            implements MessageHandler.Events {
        @Override
        public void unknownType(PeerConnection connection, int type, int subtype) {
            connections.protocolError(
                    connection,
                    "it sent a message of type " + type + " subtype " + subtype
                            + ", which is not registered here: call registerMessageType on this node before it can arrive");
        }

        @Override
        public void callbackFailed(String what, Throwable error) {
            Events.handlerException(what, error);
            errors.error(what, error);
        }

        @Override
        public void batchDone() {
            sender.flush(sender.threads().current());
        }
    }
}
