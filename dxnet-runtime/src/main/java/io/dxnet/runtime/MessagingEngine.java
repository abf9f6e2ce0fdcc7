package io.dxnet.runtime;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Handler;
import io.dxnet.Message;
import io.dxnet.MessageReceiver;
import io.dxnet.MessageType;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.Request;
import io.dxnet.RequestHandler;
import io.dxnet.RequestType;
import io.dxnet.Response;
import io.dxnet.Statistics;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.runtime.connect.Connecting;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.connect.Readiness;
import io.dxnet.runtime.connect.RingMemory;
import io.dxnet.runtime.handle.HandlerReports;
import io.dxnet.runtime.handle.MessageHandler;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.handle.ValueHandlers;
import io.dxnet.runtime.memory.MemoryService;
import io.dxnet.runtime.memory.Services;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.IncomingBufferQueue;
import io.dxnet.runtime.report.JfrEvents;
import io.dxnet.runtime.report.MessageName;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.send.Barriers;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.send.SenderThreads;
import io.dxnet.runtime.send.Writability;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.Engine;
import io.dxnet.spi.MessageAccess;
import io.dxnet.spi.ValueRequest;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.security.NodeSecurity;
import io.dxnet.transport.shared.SafeLog;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node: wires the stages together and offers them to the application and to the transport.
 *
 * <p>It has more than 400 lines: the application's and the transports' interfaces, delegated to
 * the parts that it puts together.
 */
final class MessagingEngine implements Engine, TransportContext {
    private static final System.Logger LOG = System.getLogger("io.dxnet");
    private static final MessageAccess ACCESS = MessageAccess.get();

    /** The least time in which the threads may end, after the connections. */
    private static final long STOP_NS = 1_000_000_000;

    /**
     * How long closing waits for other threads that are inside a send,
     * and for dependents of futures.
     */
    private static final long QUIESCENCE_NS = 250_000_000;

    private static final int DELIVERIES_MAX = 20;
    private static final long DELIVERY_NS = 10_000_000;

    private final DXNetConfig config;
    private final NodeMap nodeMap;
    private final NodeSecurity security;
    private final long incarnation;
    private final TypeRegistry types;
    private final RequestMap requests;
    private final IdleStrategies strategies;
    private final IncomingBufferPool pool;
    private final IncomingBufferQueue queue;
    private final RingMemory ringMemory;
    private final ConnectionManager connections;
    private final Connecting connecting;
    private final ControlAgent control;
    private final Transport transport;
    private final Stages stages;
    private final Sender sender;
    private final Completions completions;
    private final Requester requester;
    private final String choice;
    private final ValueHandlers valueHandlers;
    private final Writability writability;
    private final Barriers barriers;
    private final MemoryService memory;
    private final LongAdder refused = new LongAdder();
    private final Readiness readiness = new Readiness();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean isTransportClosed; // the closing thread

    /**
     * Set on a thread that runs the error handler: it may drive the stages,
     * or hold what closing waits for.
     */
    private final ThreadLocal<Boolean> reporting = new ThreadLocal<>();

    MessagingEngine(DXNetConfig config, NodeMap nodeMap, TransportProvider provider, String choice) {
        this.config = config;
        this.nodeMap = nodeMap;
        this.choice = choice;
        this.security = NodeSecurity.of(config);
        this.incarnation = new SecureRandom().nextLong() | 1;
        this.strategies = new IdleStrategies(config);
        this.pool = new IncomingBufferPool(config);
        this.queue = new IncomingBufferQueue(config.incomingQueueBuffers(), config.incomingQueueBytes());
        this.ringMemory = new RingMemory(config.ringBytes());
        this.requests = new RequestMap(config.requestMapEntries(), this::requestIdsReused);
        this.control = new ControlAgent(nodeMap.ownNodeId(), requests, this::error);
        this.connections =
                new ConnectionManager(config, nodeMap, Message.NODES_MAX, incarnation, ringMemory, requests, control);
        this.connecting = new Connecting(config, nodeMap, strategies);
        this.transport = create(provider);
        int handlers = Stages.handlers(config);
        this.types = new TypeRegistry(handlers);
        this.sender = new Sender(config, types::isExclusive, transport, strategies, connections, connecting);
        HandlerReports reports =
                new HandlerReports(connections, sender, control, this::error, config.maxMessageBytes());
        this.completions = new Completions("dxnet-" + nodeMap.ownNodeId() + "-completer", this::error);
        this.barriers = new Barriers(connections, control::poll, completions, transport);
        this.stages = new Stages(
                config,
                nodeMap.ownNodeId(),
                handlers,
                pool,
                queue,
                types,
                requests,
                transport,
                strategies,
                connections,
                control,
                reports,
                completions,
                this::error);
        this.valueHandlers = new ValueHandlers(types, sender, reports);
        this.writability = new Writability(connections, control::poll, completions, config);
        this.requester = new Requester(requests, connections, sender, stages, strategies, completions);
        this.memory = new MemoryService(
                config,
                nodeMap.ownNodeId(),
                types,
                new Services(
                        sender,
                        requester,
                        connections,
                        completions,
                        strategies,
                        readiness,
                        this::error,
                        transport::oneSidedMemory));
        connections.wire(transport, stages::ended, stages::handled);
        connecting.wire(transport, connections);
        control.wire(connecting::open);
        control.addListener(memory.losses());
    }

    private Transport create(TransportProvider provider) {
        boolean done = false;
        try {
            Transport created = provider.create(this);
            done = true;
            return created;
        } finally {
            if (!done) {
                freeMemory(0);
            }
        }
    }

    @Override
    public void start(boolean isComplete) {
        if (isComplete) {
            readiness.use();
        }
        boolean isListening = false;
        boolean isStarted = false;
        try {
            transport.start();
            isListening = true;
            stages.start();
            isStarted = true;
        } finally {
            if (!isListening) {
                discard();
            } else if (!isStarted && closing.compareAndSet(false, true)) {
                shutdown(); // for want of a thread, perhaps: others would find a node that handles nothing
            }
        }
    }

    /** Frees what an engine has that never ran. */
    private void discard() {
        if (closing.compareAndSet(false, true)) {
            connections.finishAll(System.nanoTime());
            connections.close();
            connecting.close();
            memory.close();
            transport.close();
            transport.free();
            freeMemory(0);
        }
    }

    // ---------------------------------------------------------------- the application's side

    @Override
    public void registerMessageType(
            int type, int subtype, Supplier<? extends Message> factory, Set<MessageTypeOption> options) {
        readiness.registration();
        types.registerType(type, subtype, factory, options);
    }

    @Override
    public void register(int type, int subtype, MessageReceiver<? extends Message> receiver) {
        readiness.registration();
        types.registerReceiver(type, subtype, receiver);
    }

    @Override
    public void unregister(int type, int subtype) {
        types.unregisterReceiver(type, subtype);
    }

    @Override
    public int cancelRequests(int nodeId) {
        return requests.failAll(request -> request.destination() == nodeId && !request.isOfService(), request -> {
            requests.abandon(request);
            return new CancellationException(request.what() + " to node " + nodeId + " was cancelled");
        });
    }

    @Override
    public <T> void on(MessageType<T> type, Handler<? super T> handler, @Nullable Executor executor) {
        valueHandlers.on(type, handler, executor);
    }

    @Override
    public <Q, R> void answer(
            RequestType<Q, R> type, RequestHandler<? super Q, ? extends R> handler, @Nullable Executor executor) {
        valueHandlers.answer(type, handler, executor);
    }

    @Override
    public <T> void send(int nodeId, MessageType<T> type, T value) throws DXNetException {
        readiness.use();
        sender.send(nodeId, type, value);
    }

    @Override
    public <T> boolean trySend(int nodeId, MessageType<T> type, T value) throws DXNetException {
        readiness.use();
        return sender.trySend(nodeId, type, value);
    }

    @Override
    public CompletableFuture<Void> whenWritable(int nodeId) {
        readiness.use();
        return writability.of(nodeId);
    }

    @Override
    public CompletableFuture<Void> whenHandled(int nodeId) {
        return barriers.whenHandled(nodeId);
    }

    @Override
    public <Q, R> R call(int nodeId, RequestType<Q, R> type, Q value, Duration timeout) throws DXNetException {
        readiness.use();
        return requester
                .sendSync(new ValueRequest<>(nodeId, type, value), timeout)
                .value();
    }

    @Override
    public <Q, R> CompletableFuture<R> callAsync(int nodeId, RequestType<Q, R> type, Q value, Duration timeout) {
        readiness.use();
        return requester.sendAsync(new ValueRequest<>(nodeId, type, value), timeout);
    }

    @Override
    public void sendMessage(Message message) throws DXNetException {
        if (message.destination() < 0) {
            throw new MessagingUsageException(
                    MessageName.of(message) + " has no destination: pass one to its constructor or to setDestination");
        }
        readiness.use();
        if (message instanceof Response) {
            sender.respond(message, originOf(message), ACCESS.id(message), HeaderDescriptor.RESPONSE);
            return;
        }
        if (message instanceof Request) {
            throw new MessagingUsageException(
                    message.getClass().getName() + " is a request: send it with sendSync or sendAsync");
        }
        sender.send(message, message.destination(), HeaderDescriptor.MESSAGE, 0, null);
        for (int destination : ACCESS.moreDestinations(message)) {
            sender.send(message, destination, HeaderDescriptor.MESSAGE, 0, null);
        }
    }

    /**
     * The connection that a response's request came by: on another one it could complete another
     * request.
     */
    private PeerConnection originOf(Message response) {
        if (ACCESS.origin(response) instanceof PeerConnection origin
                && origin.isOf(connections)
                && origin.nodeId() == response.destination()
                && ACCESS.moreDestinations(response).length == 0) {
            return origin;
        }
        throw new MessagingUsageException(MessageName.of(response)
                + " is a response: it answers a request that this DXNet has received, and is sent to its sender alone;"
                + " to others, send a message");
    }

    @Override
    public <R extends Response> R sendSync(Request<R> request, Duration timeout) throws DXNetException {
        readiness.use();
        return requester.sendSync(request, timeout);
    }

    @Override
    public <R extends Response> CompletableFuture<R> sendAsync(Request<R> request, Duration timeout) {
        readiness.use();
        return requester.sendAsync(request, timeout);
    }

    @Override
    public RemoteMemory remoteMemory() {
        return memory;
    }

    /**
     * Responses that are late by a whole round of the ids must not find a request
     * with their id on their connection.
     */
    private void requestIdsReused(int half) {
        for (PeerConnection connection : connections.connections()) {
            if (connection.hasAbandoned(half)) {
                connections.finish(connection, Disconnect.Reason.CLOSED);
            }
        }
    }

    @Override
    public void connectNode(int nodeId) throws DXNetException {
        readiness.use();
        if (!connections.connectionTo(nodeId).isOutReady()) {
            connecting.await(nodeId, EngineThread.current());
        }
    }

    @Override
    public void disconnectNode(int nodeId) {
        PeerConnection connection = connections.get(nodeId);
        if (connection != null) {
            connections.finish(connection, Disconnect.Reason.CLOSED);
        }
    }

    @Override
    public void addConnectionListener(ConnectionListener listener) {
        control.addListener(listener);
    }

    @Override
    public void removeConnectionListener(ConnectionListener listener) {
        control.removeListener(listener);
    }

    @Override
    public Statistics statistics() {
        long delivered = 0;
        long failed = 0;
        long dropped = 0;
        for (MessageHandler handler : stages.handlers()) {
            delivered += handler.delivery().delivered();
            failed += handler.delivery().failed();
            dropped += handler.delivery().dropped();
        }
        List<Statistics.OfConnection> each = new ArrayList<>();
        for (PeerConnection connection : connections.connections()) {
            each.add(new Statistics.OfConnection(
                    connection.nodeId(),
                    connection.bytesSent(),
                    connection.bytesReceived().get(),
                    connection.ring().pending(),
                    connection.unconfirmedBytes()));
        }
        return new Statistics(
                sender.threads().messages(),
                sender.threads().bytes(),
                delivered,
                queue.bytesTotal(),
                requests.outstanding(),
                requests.timedOut(),
                requests.dropped(),
                failed + valueHandlers.failed(),
                dropped,
                control.rejections().total(),
                sender.timesBlocked(),
                connections.opened(),
                connections.ended(),
                refused.sum(),
                pool.inUse() + transport.buffersInUse(),
                pool.allocated(),
                queue.bytes(),
                List.copyOf(each));
    }

    /** For tests. */
    SenderThreads senderThreads() {
        return sender.threads();
    }

    /** For tests. */
    ConnectionManager connections() {
        return connections;
    }

    @Override
    public void reloadSecurity() {
        security.reload();
    }

    @Override
    public String describe() {
        return choice + "; " + transport.describe() + "; " + security.describe() + "; " + stages.describe() + "; "
                + memory();
    }

    /** What this node may use outside of the heap; nothing else bounds it. */
    private String memory() {
        long rings = (long) config.maxConnections() * config.ringBytes();
        return "native memory: " + stages.budget().describe() + "; rings up to " + rings + " bytes (maxConnections="
                + config.maxConnections() + " times ringBytes=" + config.ringBytes()
                + "); what the transport has of its own; not counted by -XX:MaxDirectMemorySize";
    }

    // ---------------------------------------------------------------- the transport's side

    @Override
    public DXNetConfig config() {
        return config;
    }

    @Override
    public NodeMap nodeMap() {
        return nodeMap;
    }

    @Override
    public NodeSecurity security() {
        return security;
    }

    @Override
    public AgentThreads agentThreads() {
        return Stages.isFused(config) ? AgentThreads.ONE_FOR_ALL : AgentThreads.ONE_EACH;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public IncomingBufferPool pool() {
        return pool;
    }

    @Override
    public boolean offer(io.dxnet.transport.Connection from, IncomingBuffer buffer) {
        PeerConnection connection = (PeerConnection) from;
        int length = buffer.length();
        if (!connection.isNextToRead() || !queue.hasShareFor(connection)) {
            connection.readingRefused();
            return false;
        }
        buffer.handOver(connection);
        connection.queuedBuffers().incrementAndGet();
        // Before: what is handled must not be compared with less than what was received.
        connection.bytesReceived().add(length);
        if (!queue.offer(buffer)) {
            connection.bytesReceived().add(-length);
            connection.queuedBuffers().decrementAndGet();
            connection.readingRefused();
            return false;
        }
        connection.readingAccepted();
        stages.received();
        return true;
    }

    @Override
    public PeerConnection incoming(int nodeId, long peerIncarnation, io.dxnet.transport.@Nullable Connection expected)
            throws RefusedException {
        if (!readiness.isReady()) {
            throw RefusedException.temporary("node " + nodeMap.ownNodeId() + " is still registering its message types");
        }
        return connections.incoming(nodeId, peerIncarnation, (PeerConnection) expected);
    }

    @Override
    public void incomingFailed(io.dxnet.transport.Connection connection) {
        connections.incomingFailed((PeerConnection) connection);
    }

    @Override
    public void incomingReady(io.dxnet.transport.Connection connection, Directions ready) {
        connections.incomingReady((PeerConnection) connection, ready);
    }

    @Override
    public void connectionLost(io.dxnet.transport.Connection connection, String detail) {
        connections.brokenByTransport((PeerConnection) connection, detail);
    }

    @Override
    public void refused(String cause, String from) {
        refused.increment();
        JfrEvents.refused(nodeMap.ownNodeId(), cause, from);
    }

    @Override
    public void error(String what, Throwable error) {
        try {
            reporting.set(true);
            config.errorHandler().onError("node " + nodeMap.ownNodeId() + ": " + what, error);
        } catch (Throwable e) {
            SafeLog.error(LOG, "the error handler failed on: ", what, e);
        } finally {
            reporting.remove();
        }
    }

    // ---------------------------------------------------------------- the end

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (EngineThread.current() != null
                || Completions.isCompleter()
                || reporting.get() != null
                || stages.isDriver()) {
            // A callback, a dependent of a future, an error handler or an import closes its own
            // node: the thread can't wait for itself.
            Thread closer = new Thread(this::shutdown, "dxnet-" + nodeMap.ownNodeId() + "-close");
            closer.setDaemon(true);
            try {
                closer.start();
            } catch (Throwable e) {
                closing.set(false); // a later call closes
                throw e;
            }
        } else {
            shutdown();
        }
    }

    private void shutdown() {
        // Kept aside: an interrupt does not end the closing.
        boolean interrupted = Thread.interrupted();
        long timeoutNs = config.closeTimeoutMs() * 1_000_000L;
        long deadlineNs = System.nanoTime() + timeoutNs;
        AtomicBoolean stopped = new AtomicBoolean();
        Runnable[] steps = {
            memory::closing,
            () -> connections.finishAll(deadlineNs),
            () -> awaitEnds(timeoutNs),
            connections::close,
            connecting::close,
            writability::close,
            barriers::close,
            this::failRequests,
            memory::close,
            () -> stopped.set(stages.stop(Math.max(deadlineNs, System.nanoTime() + STOP_NS), timeoutNs)),
            () -> deliverRest(stopped.get()),
            this::closeTransport,
            () -> completions.close(QUIESCENCE_NS),
            () -> freeWhenStopped(stopped.get())
        };
        for (Runnable each : steps) {
            try {
                each.run();
            } catch (Throwable e) { // of want of memory, perhaps: the others are carried out all the same
                error("a step of closing failed", e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void failRequests() {
        requests.failAll(
                request -> true,
                request -> new NetClosedException("this DXNet was closed before " + request.what() + " was answered"));
    }

    private void deliverRest(boolean stopped) {
        if (stopped) {
            deliverRest();
        }
    }

    /** The last reports: again, for a short time, where there is no memory for one. */
    private void deliverRest() {
        for (int left = DELIVERIES_MAX; ; left--) {
            try {
                boolean isLeft = connections.tick();
                control.deliverRest();
                if (!isLeft || left == 0) {
                    return;
                }
            } catch (OutOfMemoryError e) {
                if (left == 0) {
                    throw e;
                }
            }
            IdleStrategies.park(this, DELIVERY_NS);
        }
    }

    /** Unless a callback that has not returned is receiving: that would drive it too. */
    private void closeTransport() {
        if (!stages.isReceiving()) {
            isTransportClosed = true;
            transport.close();
        }
    }

    private void freeWhenStopped(boolean stopped) {
        if (stopped) {
            free();
        } else {
            error(
                    "a callback did not return: the native memory of this node is not freed until it does",
                    new NetClosedException("close"));
            Thread.ofPlatform()
                    .daemon()
                    .name("dxnet-" + nodeMap.ownNodeId() + "-free")
                    .start(() -> {
                        stages.awaitEnd();
                        try {
                            if (!isTransportClosed) {
                                transport.close();
                            }
                            deliverRest();
                        } finally {
                            free();
                        }
                    });
        }
    }

    /** Frees all memory, when no thread of the stages runs any more. */
    private void free() {
        stages.discard();
        transport.free();
        if (!control.awaitRetirements(QUIESCENCE_NS) || !freeMemory(QUIESCENCE_NS)) {
            error(
                    "a thread is still inside a send (its exportObject did not return): the memory of this node's rings"
                            + " is not freed",
                    new NetClosedException("close"));
        }
    }

    private void awaitEnds(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (!connections.isEmpty() && System.nanoTime() - deadlineNs < 0) {
            IdleStrategies.park(this, 1_000_000);
        }
    }

    private boolean freeMemory(long timeoutNs) {
        pool.close();
        return ringMemory.tryFree(timeoutNs);
    }
}
