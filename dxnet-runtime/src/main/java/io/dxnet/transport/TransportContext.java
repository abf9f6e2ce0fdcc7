package io.dxnet.transport;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;

/** What the engine offers to a transport. Any thread, where nothing else is said. */
public interface TransportContext {
    /**
     * The configuration.
     *
     * @return the configuration
     */
    DXNetConfig config();

    /**
     * The node map.
     *
     * @return the node map
     */
    NodeMap nodeMap();

    /**
     * A random number of this run of this node: tells a restarted node from its predecessor.
     *
     * @return not 0
     */
    long incarnation();

    /**
     * Whether one thread runs all agents of the transport ({@link io.dxnet.ThreadingLayout#FUSED}, also where AUTO chose it):
     * then {@link Agent#await} is called for the first agent only, and has to wait for all.
     *
     * @return false where each agent has a thread of its own
     */
    boolean isFused();

    /**
     * Where received data goes.
     *
     * @return the pool
     */
    IncomingBufferPool pool();

    /**
     * Hands a filled buffer to the engine (pushes it to the incoming buffer queue). One thread at a time for one connection.
     *
     * @param connection where it came from
     * @param buffer filled: {@link IncomingBuffer#length} is set and more than 0
     * @return false when the queue is full: keep the buffer and offer it again later
     */
    boolean offer(Connection connection, IncomingBuffer buffer);

    /**
     * Another node opens the direction to this one: gives the connection object to attach to. May take a lock for short.
     *
     * @param nodeId the other node
     * @param incarnation the other node's
     * @param expected the connection that the other node says the direction belongs to, because this node opened the other
     *     direction of it; null when it begins a connection
     * @return {@code expected}, or else the connection to that node, made now where there was none
     * @throws RefusedException when it is to be refused: say why to the other side and close
     */
    Connection incoming(int nodeId, long incarnation, Connection expected) throws RefusedException;

    /**
     * The direction to this node was not opened after all: takes back what {@link #incoming} noted, so that the other node can
     * open it later. Called instead of {@link #incomingReady}, by the thread that called {@link #incoming}.
     *
     * @param connection from {@link #incoming}
     */
    default void incomingFailed(Connection connection) {}

    /**
     * The direction to this node is usable: called after {@link #incoming} once the transport is ready.
     *
     * @param connection from {@link #incoming}
     * @param bothWays whether the direction to the other node is usable with it, so that {@link Transport#connect} need not be called
     */
    void incomingReady(Connection connection, boolean bothWays);

    /**
     * A connection broke, or its peer ended it. The engine calls {@link Transport#close(Connection, boolean)} for it. A second
     * call for the same connection does nothing. In an orderly end this is how the transport tells that the peer hung up.
     *
     * @param connection the connection
     * @param detail what happened, in words
     */
    void connectionLost(Connection connection, String detail);

    /**
     * Reports what can't be thrown at anybody.
     *
     * @param what one sentence
     * @param error what was thrown
     */
    void error(String what, Throwable error);
}
