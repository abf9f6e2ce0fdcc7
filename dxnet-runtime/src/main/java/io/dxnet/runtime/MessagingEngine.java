package io.dxnet.runtime;

import io.dxnet.ConnectionListener;
import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Message;
import io.dxnet.MessageReceiver;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.SendTimeoutException;
import io.dxnet.Statistics;
import io.dxnet.spi.Engine;
import io.dxnet.spi.MessageAccess;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** One node: wires the stages together and offers them to the application and to the transport. */
final class MessagingEngine implements Engine, TransportContext {
    private static final MessageAccess ACCESS = MessageAccess.get();

    private final DXNetConfig config;
    private final NodeMap nodeMap;
    private final long incarnation;
    private final TypeRegistry types;
    private final RequestMap requests;
    private final Parking parking;
    private final IncomingBufferPool pool;
    private final IncomingBufferQueue queue;
    private final RingMemory ringMemory;
    private final ConnectionManager connections;
    private final Control control;
    private final Transport transport;
    private final Stages stages;
    private final Sender sender;
    private final String choice;
    private final Readiness readiness = new Readiness();
    private final AtomicBoolean closing = new AtomicBoolean();

    MessagingEngine(DXNetConfig config, NodeMap nodeMap, TransportProvider provider, String choice) {
        this.config = config;
        this.nodeMap = nodeMap;
        this.choice = choice;
        this.incarnation = new SecureRandom().nextLong() | 1;
        this.parking = new Parking(config);
        this.pool = new IncomingBufferPool(config);
        this.queue = new IncomingBufferQueue(config.incomingQueueBuffers(), config.incomingQueueBytes());
        this.ringMemory = new RingMemory(config.orbBytes());
        this.requests = new RequestMap(config.requestMapEntries());
        this.control = new Control(nodeMap.ownNodeId(), requests, this::error);
        this.connections = new ConnectionManager(config, nodeMap, incarnation, ringMemory, requests, control, parking);
        this.transport = provider.create(this);
        int handlers = Stages.handlers(config);
        this.types = new TypeRegistry(handlers);
        this.sender = new Sender(config, types, transport, parking, connections);
        this.stages = new Stages(
                config,
                nodeMap.ownNodeId(),
                handlers,
                queue,
                types,
                requests,
                transport,
                parking,
                connections,
                control,
                sender,
                this::error);
        connections.wire(transport, stages.coordinator());
    }

    void start() {
        try {
            transport.start();
        } catch (RuntimeException e) {
            transport.close();
            freeMemory();
            throw e;
        }
        stages.start();
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
    public void sendMessage(Message message) throws DXNetException {
        if (message.destination() < 0) {
            throw new MessagingUsageException(message.getClass().getName()
                    + " has no destination: give one to its constructor or to setDestination");
        }
        readiness.use();
        int control = HeaderDescriptor.MESSAGE;
        int id = 0;
        if (message instanceof Response) {
            control = HeaderDescriptor.RESPONSE;
            id = ACCESS.id(message);
        } else if (message instanceof Request) {
            throw new MessagingUsageException(
                    message.getClass().getName() + " is a request: send it with sendSync or sendAsync");
        }
        sender.send(message, message.destination(), control, id, null);
        for (int destination : ACCESS.moreDestinations(message)) {
            sender.send(message, destination, control, id, null);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <R extends Response> R sendSync(Request<R> request, Duration timeout) throws DXNetException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        PendingRequest pending = new PendingRequest(
                request.destination(), request.getClass().getName(), Thread.currentThread(), null, deadlineNs);
        post(request, pending);
        awaitResponse(pending);
        Exception failure = pending.failure();
        if (failure == null) {
            return (R) pending.response();
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        // Made anew: the stack trace is to be this caller's.
        throw new ConnectionLostException(failure.getMessage(), failure);
    }

    private void awaitResponse(PendingRequest pending) throws DXNetException {
        EngineThread own = Thread.currentThread() instanceof EngineThread thread ? thread : null;
        int step = parking.firstStep();
        while (!pending.isDone()) {
            long leftNs = pending.deadlineNs - System.nanoTime();
            if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                if (requests.remove(pending)) {
                    throw unanswered(pending, leftNs);
                }
            } else if (own != null) {
                sender.flush(sender.threads().current());
                if (own.work().progress() == 0) {
                    parking.pause(step++);
                }
            } else if (parking.spins() && step < parking.responseSpins()) {
                step++;
                Thread.onSpinWait();
            } else if (parking.spins() || !stages.drive(pending)) {
                // Where idle threads spin, the engine's thread would not sleep while its duty is lent, nor take it
                // back.
                LockSupport.parkNanos(pending, leftNs);
            }
        }
    }

    private DXNetException unanswered(PendingRequest pending, long leftNs) {
        if (leftNs > 0) {
            return new DXNetException(
                    "interrupted while waiting for the answer to " + pending.what + " to node " + pending.destination);
        }
        return control.timeout(pending);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <R extends Response> CompletableFuture<R> sendAsync(Request<R> request, Duration timeout) {
        CompletableFuture<Response> future = new CompletableFuture<>();
        PendingRequest pending = new PendingRequest(
                request.destination(),
                request.getClass().getName(),
                null,
                future,
                System.nanoTime() + timeout.toNanos());
        try {
            post(request, pending);
        } catch (DXNetException | RuntimeException e) {
            future.completeExceptionally(e);
            return (CompletableFuture<R>) future;
        }
        future.whenComplete((response, error) -> {
            if (future.isCancelled()) {
                requests.remove(pending);
            }
        });
        return (CompletableFuture<R>) future;
    }

    /** Enters the request into the map and sends it; on failure it is out again. */
    private void post(Request<?> request, PendingRequest pending) throws DXNetException {
        if (request.destination() < 0 || ACCESS.moreDestinations(request).length > 0) {
            throw new MessagingUsageException(request.getClass().getName() + " needs exactly one destination");
        }
        connections.checkOpen();
        readiness.use();
        awaitPlace(pending);
        try {
            sender.send(request, request.destination(), HeaderDescriptor.REQUEST, pending.id, pending);
        } catch (DXNetException | RuntimeException | Error e) {
            requests.remove(pending);
            throw e;
        }
        PeerConnection connection = pending.connection;
        if (connection.state() == PeerConnection.CLOSED && requests.remove(pending)) {
            // It ended before the map's scan could find this request there.
            pending.end(
                    null,
                    new ConnectionLostException("the connection to node " + pending.destination + " ended before "
                            + pending.what + " was answered"));
        }
    }

    private void awaitPlace(PendingRequest pending) throws DXNetException {
        if (requests.tryAdd(pending)) {
            return;
        }
        EngineThread own = Thread.currentThread() instanceof EngineThread thread ? thread : null;
        int step = parking.firstStep();
        while (!requests.tryAdd(pending)) {
            connections.checkOpen();
            if (System.nanoTime() - pending.deadlineNs > 0) {
                throw new SendTimeoutException("no place for " + pending.what + " in time: " + requests.outstanding()
                        + " requests are outstanding (requestMapEntries)");
            }
            if (own == null || own.work().progress() == 0) {
                parking.pause(step++);
            }
        }
    }

    @Override
    public void connectNode(int nodeId) throws DXNetException {
        readiness.use();
        PeerConnection connection = connections.connectionTo(nodeId);
        while (!connection.isOutReady()) {
            connections.connectOut(connection, Thread.currentThread() instanceof EngineThread thread ? thread : null);
            connection = connections.connectionTo(nodeId);
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
            delivered += handler.delivered.get();
            failed += handler.failed.get();
            dropped += handler.dropped.get();
        }
        List<Statistics.OfConnection> each = new ArrayList<>();
        for (PeerConnection connection : connections.connections()) {
            each.add(new Statistics.OfConnection(
                    connection.nodeId(),
                    connection.bytesSent(),
                    connection.bytesReceived.get(),
                    connection.ring().pending(),
                    connection.unconfirmedBytes()));
        }
        return new Statistics(
                sender.threads().messages(),
                sender.threads().bytes(),
                delivered,
                queue.bytesTotal(),
                requests.outstanding(),
                control.timedOut(),
                requests.dropped(),
                failed,
                dropped,
                sender.timesBlocked(),
                connections.opened(),
                connections.ended(),
                pool.inUse() + transport.buffersInUse(),
                pool.allocated(),
                queue.bytes(),
                List.copyOf(each));
    }

    @Override
    public String describe() {
        return choice + "; " + transport.describe() + "; " + stages.describe();
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
    public boolean isFused() {
        return Stages.isFused(config);
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
        buffer.handOver(connection);
        connection.queuedBuffers.incrementAndGet();
        if (!queue.offer(buffer)) {
            connection.queuedBuffers.decrementAndGet();
            return false;
        }
        connection.bytesReceived.add(length);
        stages.received();
        return true;
    }

    @Override
    public PeerConnection incoming(int nodeId, long peerIncarnation, io.dxnet.transport.Connection expected)
            throws RefusedException {
        if (!readiness.isReady()) {
            throw new RefusedException("node " + nodeMap.ownNodeId() + " is still registering its message types", true);
        }
        return connections.incoming(nodeId, peerIncarnation, (PeerConnection) expected);
    }

    @Override
    public void incomingFailed(io.dxnet.transport.Connection connection) {
        ((PeerConnection) connection).peerIncarnation(0); // whoever has opened it has made incoming refuse
    }

    @Override
    public void incomingReady(io.dxnet.transport.Connection connection, boolean bothWays) {
        connections.incomingReady((PeerConnection) connection, bothWays);
    }

    @Override
    public void connectionLost(io.dxnet.transport.Connection connection, String detail) {
        connections.brokenByTransport((PeerConnection) connection, detail);
    }

    @Override
    public void error(String what, Throwable error) {
        try {
            config.errorHandler().onError("node " + nodeMap.ownNodeId() + ": " + what, error);
        } catch (Throwable e) {
            System.getLogger("io.dxnet").log(System.Logger.Level.ERROR, "the error handler failed on: " + what, e);
        }
    }

    // ---------------------------------------------------------------- the end

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (Thread.currentThread() instanceof EngineThread) {
            // A callback closes its own node: the thread can't wait for itself.
            Thread closer = new Thread(this::shutdown, "dxnet-" + nodeMap.ownNodeId() + "-close");
            closer.setDaemon(true);
            closer.start();
        } else {
            shutdown();
        }
    }

    private void shutdown() {
        connections.finishAll();
        long deadlineNs = System.nanoTime() + config.closeTimeoutMs() * 1_000_000L;
        while (!connections.isEmpty() && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        connections.close();
        for (PeerConnection connection : connections.connections()) {
            connections.lost(connection, Disconnect.Reason.CLOSED, "this node was closed");
        }
        requests.failAll(
                request -> true,
                request -> new NetClosedException("this DXNet was closed before " + request.what + " was answered"));
        boolean stopped = stages.stop();
        transport.close();
        if (stopped) {
            freeMemory();
        } else {
            error(
                    "a callback did not return: the native memory of this node is not freed",
                    new NetClosedException("close"));
        }
    }

    private void freeMemory() {
        pool.close();
        ringMemory.close();
    }
}
