package io.dxnet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Collects what a node needs before it listens: its configuration, and a handler for each type of
 * messages and requests that it receives. Types that a node only sends need not be named.
 *
 * <pre>{@code
 * try (DXNet net = DXNet.builder(nodes)
 *         .on(HELLO, (hello, from) -> System.out.println(hello.text()))
 *         .answer(PING, (ping, from) -> new Pong(ping.number() + 1))
 *         .start()) {
 *     Pong pong = net.call(1, PING, new Ping(41));
 * }
 * }</pre>
 *
 * <p>Handlers run on the node's message handler threads, which also receive; one that blocks, on a
 * database for example, needs an executor of its own:
 * {@code .on(TYPE, handler, Thread::startVirtualThread)} runs each call on a virtual thread.
 *
 * <p>One thread.
 */
public final class DXNetBuilder {
    private final NodeMap nodeMap;
    private final List<Consumer<DXNet>> registrations = new ArrayList<>();
    private final Set<Integer> ids = new HashSet<>();
    private DXNetConfig config = DXNetConfig.builder().build();

    DXNetBuilder(NodeMap nodeMap) {
        this.nodeMap = Objects.requireNonNull(nodeMap, "nodeMap");
    }

    /**
     * Sets the configuration. Without it, all values are the defaults.
     *
     * @param toUse the configuration
     * @return this builder
     */
    public DXNetBuilder config(DXNetConfig toUse) {
        config = Objects.requireNonNull(toUse, "config");
        return this;
    }

    /**
     * Sets the handler of a type; it runs on the node's message handler
     * threads and must not block for long.
     *
     * @param <T> the type of the values
     * @param type the type
     * @param handler its handler
     * @return this builder
     * @throws MessagingUsageException when another type of this builder has the same id
     */
    public <T> DXNetBuilder on(MessageType<T> type, Handler<? super T> handler) {
        checkNew(type.id(), type);
        Objects.requireNonNull(handler, "handler");
        registrations.add(net -> net.engine().on(type, handler, null));
        return this;
    }

    /**
     * Sets the handler of a type, and where it runs. Messages in the executor's hands count as not
     * handled: they use up the sender's flow-control window, which bounds them, and an orderly end
     * of their connection waits for them. Messages of {@link MessageType#ordered() ordered} types
     * from one node are passed to executors one at a time.
     *
     * @param <T> the type of the values
     * @param type the type, not {@link MessageType#reusable() reusable}
     * @param handler its handler; it may block
     * @param executor runs it; it must run what it accepts. Not closed by DXNet; what it has may
     *     run after {@link DXNet#close}. A message that it refuses is rejected:
     *     {@link ConnectionListener#rejected}
     * @return this builder
     * @throws MessagingUsageException when another type of this builder has the
     *     same id, or the type is reusable
     */
    public <T> DXNetBuilder on(MessageType<T> type, Handler<? super T> handler, Executor executor) {
        checkNew(type.id(), type);
        checkNotReusable(type);
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(executor, "executor");
        registrations.add(net -> net.engine().on(type, handler, executor));
        return this;
    }

    /**
     * Sets the handler that answers a type's requests; it runs on the node's message handler
     * threads and must not block for long.
     *
     * @param <Q> the type of the requests
     * @param <R> the type of the responses
     * @param type the type
     * @param handler its handler
     * @return this builder
     * @throws MessagingUsageException when another type of this builder has the same id
     */
    public <Q, R> DXNetBuilder answer(RequestType<Q, R> type, RequestHandler<? super Q, ? extends R> handler) {
        checkNew(type.id(), type);
        Objects.requireNonNull(handler, "handler");
        registrations.add(net -> net.engine().answer(type, handler, null));
        return this;
    }

    /**
     * Sets the handler that answers a type's requests, and where it runs: as
     * {@link #on(MessageType, Handler, Executor)}.
     *
     * @param <Q> the type of the requests
     * @param <R> the type of the responses
     * @param type the type
     * @param handler its handler; it may block
     * @param executor runs it; a request that it refuses fails at its sender
     * @return this builder
     * @throws MessagingUsageException when another type of this builder has the same id
     */
    public <Q, R> DXNetBuilder answer(
            RequestType<Q, R> type, RequestHandler<? super Q, ? extends R> handler, Executor executor) {
        checkNew(type.id(), type);
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(executor, "executor");
        registrations.add(net -> net.engine().answer(type, handler, executor));
        return this;
    }

    /**
     * Adds a listener that gets every event of the node.
     *
     * @param listener the listener
     * @return this builder
     */
    public DXNetBuilder listener(ConnectionListener listener) {
        Objects.requireNonNull(listener, "listener");
        registrations.add(net -> net.addConnectionListener(listener));
        return this;
    }

    /**
     * Adds registrations of message classes:
     * {@link DXNet#registerMessageType} and {@link DXNet#register}.
     *
     * @param toRun called once, before the node listens; it may register and do nothing else
     * @return this builder
     */
    public DXNetBuilder registering(Consumer<? super DXNet> toRun) {
        Objects.requireNonNull(toRun, "toRun");
        registrations.add(toRun::accept);
        return this;
    }

    /**
     * Starts the node: when this returns, its threads run and its transport listens.
     *
     * @return the node; close it
     * @throws ConfigurationException when the transport refuses a value or can't listen
     * @throws MessagingUsageException when the runtime is not on the class path or module path
     */
    public DXNet start() {
        return new DXNet(config, nodeMap, registrations);
    }

    private void checkNew(int id, Object type) {
        if (!ids.add(id)) {
            throw new MessagingUsageException(
                    type + " has an id that is in use: give each type of messages and requests an id of its own");
        }
    }

    private static void checkNotReusable(MessageType<?> type) {
        if (type.options().contains(MessageTypeOption.REUSABLE)) {
            throw new MessagingUsageException(
                    type + " is reusable, and its object is valid on the handler's thread only: "
                            + "leave out the executor, or reusable()");
        }
    }
}
