package io.dxnet;

import io.dxnet.memory.RemoteMemory;
import io.dxnet.spi.Engine;
import io.dxnet.spi.EngineProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One node of a cluster that sends objects to other nodes (DXNet Table I).
 * Connections are opened when they are needed.
 *
 * <pre>{@code
 * try (DXNet net = new DXNet(config, nodeMap)) {
 *     net.registerMessageType(Hello.TYPE, Hello.SUBTYPE, Hello::new);
 *     net.register(Hello.TYPE, Hello.SUBTYPE, (Hello hello) -> System.out.println(hello.text()));
 *     net.sendMessage(new Hello(destination, "hi"));
 *     Pong pong = net.sendSync(new Ping(destination), Duration.ofMillis(500));
 * }
 * }</pre>
 *
 * <p>Any thread may call any method, message handlers included. Messages that one thread sends to
 * one node arrive in that order (and are handled in it where their type is
 * {@link MessageTypeOption#EXCLUSIVE exclusive}); a message arrives once and whole, or the sender
 * learns from an exception or from {@link ConnectionListener#disconnected} that it may not have.
 *
 * <p>It has more than 400 lines: both layers of the interface, with their documentation.
 */
public final class DXNet implements AutoCloseable {
    private final Engine engine;
    private final DXNetConfig config;
    private final NodeMap nodeMap;

    /**
     * Starts a node: its threads run and its transport listens when this returns.
     *
     * @param config the configuration
     * @param nodeMap the nodes' addresses, and which of them is this node
     * @throws ConfigurationException when the transport refuses a value or can't listen
     * @throws MessagingUsageException when the runtime is not on the class path or module path
     */
    public DXNet(DXNetConfig config, NodeMap nodeMap) {
        this.config = Objects.requireNonNull(config, "config");
        this.nodeMap = Objects.requireNonNull(nodeMap, "nodeMap");
        this.engine = provider().create(config, nodeMap);
        engine.start(false);
    }

    DXNet(DXNetConfig config, NodeMap nodeMap, List<Consumer<DXNet>> registrations) {
        this.config = config;
        this.nodeMap = nodeMap;
        this.engine = provider().create(config, nodeMap);
        boolean isStarted = false;
        try {
            registrations.forEach(each -> each.accept(this));
            engine.start(true);
            isStarted = true;
        } finally {
            if (!isStarted) {
                engine.close();
            }
        }
    }

    /**
     * Makes a builder: it registers all types before the node listens.
     *
     * @param nodeMap the addresses of the nodes, and which of them this node is
     * @return the builder
     */
    public static DXNetBuilder builder(NodeMap nodeMap) {
        return new DXNetBuilder(nodeMap);
    }

    Engine engine() {
        return engine;
    }

    private static EngineProvider provider() {
        return ServiceLoader.load(EngineProvider.class, DXNet.class.getClassLoader())
                .findFirst()
                .or(() -> ServiceLoader.load(EngineProvider.class).findFirst())
                .orElseThrow(() -> new MessagingUsageException(
                        "no DXNet engine found: put dxnet-runtime (and a transport) on the class path or module path"));
    }

    // ---------------------------------------------------------------- values

    /**
     * Sends a message and returns when it is in the outgoing ring buffer: see
     * {@link #sendMessage} for what it waits for. Allocates nothing on a platform thread, besides
     * what the type's codec allocates.
     *
     * @param <T> the type of the value
     * @param nodeId the receiver, 0 to 65535
     * @param type the type
     * @param value the message; it may be changed when this returns
     * @throws DXNetException as {@link #sendMessage} throws them
     * @throws MessageTooLargeException when it is larger than {@link DXNetConfig#maxMessageBytes()}
     * @throws MessagingUsageException when the codec's size is not what it wrote
     * @throws NetClosedException after {@link #close}, or when that is called meanwhile
     */
    public <T> void send(int nodeId, MessageType<T> type, T value) throws DXNetException {
        engine.send(Message.checkNode(nodeId), type, Objects.requireNonNull(value, "value"));
    }

    /**
     * Sends a message unless that would have to wait. Where there is no connection, it begins to
     * open one in the background and returns false.
     *
     * @param <T> the type of the value
     * @param nodeId the receiver, 0 to 65535
     * @param type the type
     * @param value the message
     * @return whether it was sent; false: no connection is open, or ring or flow-control window are
     *     full, see {@link #whenWritable}
     * @throws ConnectionLostException when the connection broke while the message was being written
     * @throws DXNetException never another than that
     * @throws MessageTooLargeException when it is larger than half a ring
     *     ({@link DXNetConfig#ringBytes()}), or than
     *     {@link DXNetConfig#maxMessageBytes()}: use {@link #send}
     * @throws MessagingUsageException when the codec's size is not what it wrote
     * @throws NetClosedException after {@link #close}, or when that is called meanwhile
     */
    public <T> boolean trySend(int nodeId, MessageType<T> type, T value) throws DXNetException {
        return engine.trySend(Message.checkNode(nodeId), type, Objects.requireNonNull(value, "value"));
    }

    /**
     * Waits, without a thread, until {@link #trySend} may succeed: the node is
     * connected, and ring and flow-control window have room again. Other threads may use
     * that room first; then call this again.
     *
     * @param nodeId the node, 0 to 65535
     * @return completes on a completer thread, within about a millisecond; exceptionally with
     *     {@link NodeUnreachableException} when no connection could be made, with
     *     {@link SendTimeoutException} when there is no room for
     *     {@link DXNetConfig#sendTimeoutMs()}, with {@link NetClosedException} after {@link #close}
     */
    public CompletableFuture<Void> whenWritable(int nodeId) {
        return engine.whenWritable(Message.checkNode(nodeId));
    }

    /**
     * Waits, without a thread, until a node has handled all messages whose sends to it have
     * returned, on any thread of this node: their handlers have returned there, also those that an
     * executor runs. Messages that were rejected, or whose handler threw, count as handled. Stops
     * no sender, and does not wait for the flow control's threshold.
     *
     * <p>Calls for one node share a barrier where one is on its way: call this once for a batch of
     * messages. It lasts a round trip, about two milliseconds more, and as long as the slowest of
     * those handlers. It has no time limit of its own, which {@link CompletableFuture#orTimeout}
     * adds. A handler must not wait for the node that sent it its message, or for its own: that
     * message counts as handled when the handler returns.
     *
     * <p>Messages on connections that have ended do not count: what may not have been
     * handled of them is reported to {@link ConnectionListener#disconnected}, which may be
     * called shortly after this method.
     *
     * @param nodeId the node, 0 to 65535
     * @return completes on a completer thread, at once where there is no connection to that node;
     *     exceptionally with {@link ConnectionLostException} when a connection ended before all was
     *     handled, with {@link NetClosedException} on {@link #close}
     * @throws NetClosedException after {@link #close}, or when that is called meanwhile
     */
    public CompletableFuture<Void> whenHandled(int nodeId) {
        return engine.whenHandled(Message.checkNode(nodeId));
    }

    /**
     * Sends a request and waits for its response for {@link DXNetConfig#requestTimeoutMs()}.
     *
     * @param <Q> the type of the request
     * @param <R> the type of the response
     * @param nodeId the node, 0 to 65535
     * @param type the type
     * @param request the request
     * @return the response
     * @throws DXNetException as {@link #sendSync(Request, Duration)} throws them
     */
    public <Q, R> R call(int nodeId, RequestType<Q, R> type, Q request) throws DXNetException {
        return call(nodeId, type, request, Duration.ofMillis(config.requestTimeoutMs()));
    }

    /**
     * Sends a request and waits for its response.
     *
     * @param <Q> the type of the request
     * @param <R> the type of the response
     * @param nodeId the node, 0 to 65535
     * @param type the type
     * @param request the request
     * @param timeout the longest wait for the response; zero and less: none,
     *     longer than 146 years: 146 years
     * @return the response
     * @throws RequestTimeoutException when none came in time
     * @throws RequestFailedException when the other node cannot answer: its handler threw, it has
     *     none, or it has another version of the request's class
     * @throws ConnectionLostException when the connection broke meanwhile
     * @throws MessagingUsageException when the response cannot be read here
     * @throws DXNetException as {@link #send} throws them, or when the thread was
     *     interrupted; its flag stays set
     */
    public <Q, R> R call(int nodeId, RequestType<Q, R> type, Q request, Duration timeout) throws DXNetException {
        return engine.call(Message.checkNode(nodeId), type, Objects.requireNonNull(request, "request"), timeout);
    }

    /**
     * Sends a request and returns: as {@link #callAsync(int, RequestType, Object, Duration)},
     * with {@link DXNetConfig#requestTimeoutMs()}.
     *
     * @param <Q> the type of the request
     * @param <R> the type of the response
     * @param nodeId the node, 0 to 65535
     * @param type the type
     * @param request the request
     * @return the future response
     */
    public <Q, R> CompletableFuture<R> callAsync(int nodeId, RequestType<Q, R> type, Q request) {
        return callAsync(nodeId, type, request, Duration.ofMillis(config.requestTimeoutMs()));
    }

    /**
     * Sends a request, waiting for room as {@link #send} does, and returns: the
     * response is collected later. Threads and dependents of the future are as
     * described at {@link #sendAsync(Request)}.
     *
     * @param <Q> the type of the request
     * @param <R> the type of the response
     * @param nodeId the node, 0 to 65535
     * @param type the type
     * @param request the request
     * @param timeout until the future fails with {@link RequestTimeoutException}; zero and less:
     *     soon, longer than 146 years: 146 years
     * @return completes with the response, or exceptionally with what {@link #call}
     *     throws; cancelling it frees its place
     */
    public <Q, R> CompletableFuture<R> callAsync(int nodeId, RequestType<Q, R> type, Q request, Duration timeout) {
        return engine.callAsync(Message.checkNode(nodeId), type, Objects.requireNonNull(request, "request"), timeout);
    }

    // ---------------------------------------------------------------- messages (DXNet Table I)

    /**
     * Makes messages of a type known, so that they can be received. Messages that arrive earlier
     * are rejected ({@link ConnectionListener#rejected}), requests fail at their sender. Other
     * nodes that connect wait until this node has sent something itself, has registered nothing for
     * 50 ms, or runs for 2 s; {@link DXNetBuilder#registering} needs no such wait.
     *
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @param factory makes an empty message, to be filled by {@link Message#importObject}
     * @param options of the type
     * @throws MessagingUsageException when the type is registered already
     */
    public void registerMessageType(
            int type, int subtype, Supplier<? extends Message> factory, MessageTypeOption... options) {
        Objects.requireNonNull(factory, "factory");
        Set<MessageTypeOption> set = EnumSet.noneOf(MessageTypeOption.class);
        for (MessageTypeOption option : options) {
            set.add(option);
        }
        engine.registerMessageType(type, subtype, factory, set);
    }

    /**
     * Sets the callback for messages and requests of a type. Where one is registered
     * already, the new one replaces it.
     *
     * @param <M> the message class
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @param receiver the callback
     */
    public <M extends Message> void register(int type, int subtype, MessageReceiver<M> receiver) {
        engine.register(type, subtype, Objects.requireNonNull(receiver, "receiver"));
    }

    /**
     * Removes the callback of a type. Messages of the type that come later are rejected,
     * requests fail at their sender.
     *
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @throws IllegalArgumentException when a number is out of range
     */
    public void unregister(int type, int subtype) {
        engine.unregister(type, subtype);
    }

    /**
     * Sends a message and returns when it is in the outgoing ring buffer of each destination. Waits
     * while a ring or the flow control's window is full; an interrupt does not end that wait, and
     * the thread's flag is still set afterwards. A message that a callback sends leaves at once or
     * together with those of the messages that are handled after it, within about 20 ms.
     *
     * @param message what to send, with its destinations
     * @throws NodeUnreachableException when there is no connection and none could be made, also
     *     because the thread was interrupted while it waited for one (its flag stays set); earlier
     *     destinations of the same message were served
     * @throws SendTimeoutException when the other node received nothing for
     *     {@link DXNetConfig#sendTimeoutMs()}
     * @throws ConnectionLostException when the connection broke while the message was being written
     * @throws DXNetException never another than those
     * @throws MessageTooLargeException when it is larger than {@link DXNetConfig#maxMessageBytes()}
     * @throws MessagingUsageException when its size is not what it wrote, it has no destination or
     *     no type, it is a {@link Request}, or a {@link Response} that is not addressed to the
     *     sender of its request alone
     * @throws NetClosedException after {@link #close}, or when that is called meanwhile
     */
    public void sendMessage(Message message) throws DXNetException {
        engine.sendMessage(message);
    }

    /**
     * Sends a request and waits for its response.
     *
     * @param <R> the type of the response
     * @param request the request
     * @param timeout the longest wait for the response; zero and less: none,
     *     longer than 146 years: 146 years
     * @return the response
     * @throws RequestTimeoutException when none came in time
     * @throws RequestFailedException when the other node cannot answer: its callback threw,
     *     or nothing is registered there
     * @throws ConnectionLostException when the connection broke meanwhile
     * @throws MessagingUsageException when the response is not of the class
     *     that the request class declares
     * @throws SendTimeoutException when its time was over while it waited for a connection, or for
     *     room: it was not sent
     * @throws DXNetException as {@link #sendMessage} throws them, or when the thread was
     *     interrupted; its flag stays set
     */
    public <R extends Response> R sendSync(Request<R> request, Duration timeout) throws DXNetException {
        return engine.sendSync(request, timeout);
    }

    /**
     * Sends a request and waits for its response for {@link DXNetConfig#requestTimeoutMs()}.
     *
     * @param <R> the type of the response
     * @param request the request
     * @return the response
     * @throws DXNetException as {@link #sendSync(Request, Duration)} throws them
     */
    public <R extends Response> R sendSync(Request<R> request) throws DXNetException {
        return engine.sendSync(request, Duration.ofMillis(config.requestTimeoutMs()));
    }

    /**
     * Sends a request and returns: the response is collected later. Where there is no connection,
     * or no room, it waits for them as {@link #sendMessage} does; a request whose time is over
     * then is not sent, and its future fails with {@link SendTimeoutException}. A callback may
     * wait for the future with {@code get} or {@code join}, also for one that depends on it; not
     * for {@code CompletableFuture.allOf} or {@code anyOf}, whose wait lets the thread do nothing
     * else: with one handler it lasts for the requests' timeout. It waits for each in turn.
     *
     * <p>Dependents of the future that are not asynchronous run on a message handler thread between
     * two callbacks, or on a completer thread of this node (where the request failed or timed out,
     * where a callback or another thread handled the response, or where another dependent
     * blocks). They may block as callbacks may. A dependent that is added when the future is
     * complete runs at once on the thread that adds it.
     *
     * @param <R> the type of the response
     * @param request the request
     * @return completes with the response, or exceptionally with what {@link #sendSync}
     *     throws; cancelling it frees its place
     */
    public <R extends Response> CompletableFuture<R> sendAsync(Request<R> request) {
        return engine.sendAsync(request, Duration.ofMillis(config.requestTimeoutMs()));
    }

    /**
     * As {@link #sendAsync(Request)}, with a timeout of its own.
     *
     * @param <R> the type of the response
     * @param request the request
     * @param timeout until the future fails with {@link RequestTimeoutException}; zero and less:
     *     soon, longer than 146 years: 146 years
     * @return the future response
     */
    public <R extends Response> CompletableFuture<R> sendAsync(Request<R> request, Duration timeout) {
        return engine.sendAsync(request, timeout);
    }

    /**
     * Memory that nodes share: one-sided reads, writes and atomics.
     *
     * @return the same object at each call
     */
    public RemoteMemory remoteMemory() {
        return engine.remoteMemory();
    }

    /**
     * Ends the outstanding requests to a node: {@code call}, {@code sendSync} and the futures end
     * with {@link java.util.concurrent.CancellationException}. The node may still handle them.
     *
     * @param nodeId 0 to 65535
     * @return how many there were
     * @throws IllegalArgumentException when it is out of that range
     */
    public int cancelRequests(int nodeId) {
        return engine.cancelRequests(Message.checkNode(nodeId));
    }

    /**
     * Connects to a node now, instead of with the first message. Fails at once where the node is
     * not started and its machine refuses: to wait for the start of a cluster, repeat the call.
     *
     * @param nodeId 0 to 65535
     * @throws IllegalArgumentException when it is out of that range
     * @throws DXNetException {@link NodeUnreachableException} when that fails
     */
    public void connectNode(int nodeId) throws DXNetException {
        engine.connectNode(Message.checkNode(nodeId));
    }

    /**
     * Begins to close the connection to a node gracefully, if there is one, and returns: what was
     * sent is delivered first, then {@link ConnectionListener#disconnected} is called. Keeps no
     * node out: the next message of either node connects again.
     *
     * @param nodeId 0 to 65535
     * @throws IllegalArgumentException when it is out of that range
     */
    public void disconnectNode(int nodeId) {
        engine.disconnectNode(Message.checkNode(nodeId));
    }

    /**
     * Adds a listener.
     *
     * @param listener receives the events of connections that follow
     */
    public void addConnectionListener(ConnectionListener listener) {
        engine.addConnectionListener(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Removes a listener.
     *
     * @param listener receives no further events
     */
    public void removeConnectionListener(ConnectionListener listener) {
        engine.removeConnectionListener(listener);
    }

    /**
     * Counters since the start and levels now. Cheap enough to be called every second.
     *
     * @return a snapshot
     */
    public Statistics statistics() {
        return engine.statistics();
    }

    /**
     * Reads what {@link DXNetConfig#security()} uses again: the cluster's keys, or certificates.
     * Handshakes from here on use it; connections that are open stay. So the key of a cluster
     * changes while it runs: each node first has both keys, the old one first, then the new one
     * first, then the new one alone, each time with a reload.
     *
     * @throws ConfigurationException when it can't be read, or is not valid: the node continues
     *     with what it has
     */
    public void reloadSecurity() {
        engine.reloadSecurity();
    }

    /**
     * What was chosen where the configuration left a choice: transport, threading layout, threads.
     *
     * @return one line
     */
    public String describe() {
        return engine.describe();
    }

    /**
     * This node's id.
     *
     * @return 0 to 65535
     */
    public int nodeId() {
        return nodeMap.ownNodeId();
    }

    /**
     * The node map that this node uses; changes to it count from the next connect on.
     *
     * @return the node map
     */
    public NodeMap nodeMap() {
        return nodeMap;
    }

    /**
     * The configuration of this node.
     *
     * @return the one in force: as given, but for {@code transport=auto}, where a transport that
     *     may lock little memory runs with smaller rings and pools
     */
    public DXNetConfig config() {
        return engine.config();
    }

    /**
     * Closes all connections gracefully (bounded by
     * {@link DXNetConfig#closeTimeoutMs()}), fails what is outstanding with
     * {@link NetClosedException} and ends the threads. Closing twice does nothing.
     *
     * <p>Threads get a second after the last connection, and up to
     * {@link DXNetConfig#closeTimeoutMs()} more as long as callbacks return. A callback
     * that does not return is reported to the {@link ErrorHandler}; the node's native
     * memory is freed when it returns.
     *
     * <p>On a thread of the node (a callback, a connection listener, a dependent of a future, the
     * error handler) it returns at once, and another thread closes. A second call returns at once
     * too.
     */
    @Override
    public void close() {
        engine.close();
    }
}
