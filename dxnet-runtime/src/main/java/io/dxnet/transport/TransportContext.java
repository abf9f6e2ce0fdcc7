package io.dxnet.transport;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.transport.security.NodeSecurity;
import org.jspecify.annotations.Nullable;

/** What the engine offers to a transport. Any thread, except where a method states otherwise. */
public interface TransportContext {
    /** The directions of a connection that are usable. */
    enum Directions {
        /** The one to this node. */
        INCOMING,
        /** Both, so that {@link Transport#connect} need not be called. */
        BOTH
    }

    /** The threads that run the agents of a transport. */
    enum AgentThreads {
        /** Each agent has a thread of its own, which waits in its {@link Agent#await}. */
        ONE_EACH,
        /** One thread runs all. It waits in the first agent, which has to wait for all. */
        ONE_FOR_ALL
    }

    /** {@return the configuration} */
    DXNetConfig config();

    /** {@return the node map} */
    NodeMap nodeMap();

    /**
     * {@return a random number of this run of this node, not 0} It distinguishes a
     * restarted node from its predecessor.
     */
    long incarnation();

    /** {@return what other nodes have to prove in the handshake, and the keys for it} */
    NodeSecurity security();

    /** {@return the threads that run the transport's agents} */
    AgentThreads agentThreads();

    /** {@return the pool of buffers for received data} */
    IncomingBufferPool pool();

    /**
     * Hands a filled buffer to the engine (pushes it to the incoming buffer queue).
     * One thread at a time for one connection.
     *
     * @param connection where it came from
     * @param buffer filled: {@link IncomingBuffer#length} is set and more than 0
     * @return false when the queue is full: keep the buffer and offer it again later
     */
    boolean offer(Connection connection, IncomingBuffer buffer);

    /**
     * Returns the connection object to attach to, when another node opens the direction
     * to this one. May hold a lock for a short time.
     *
     * @param nodeId the other node
     * @param incarnation the other node's
     * @param expected the connection that the other node assigns the direction to, because
     *     this node opened the other direction of it; null when it begins a connection
     * @return {@code expected}, or else the connection to that node,
     *     made here where there was none
     * @throws RefusedException when it is to be refused: send the reason to
     *     the other node and close
     */
    Connection incoming(int nodeId, long incarnation, @Nullable Connection expected) throws RefusedException;

    /**
     * Undoes what {@link #incoming} recorded, when the direction to this node was not
     * opened after all, so that the other node can open it later. Called instead of
     * {@link #incomingReady}, by the thread that called {@link #incoming}. Where this node does
     * not open its own direction either, that ends the connection: {@link Transport#close} is
     * called within this call.
     *
     * @param connection from {@link #incoming}
     */
    default void incomingFailed(Connection connection) {}

    /**
     * The direction to this node is usable: called after {@link #incoming} once the transport is
     * ready, and before it reads anything: the engine orders what is read of the connections to a
     * node.
     *
     * @param connection from {@link #incoming}
     * @param ready what is usable
     */
    void incomingReady(Connection connection, Directions ready);

    /**
     * A connection broke, or its peer ended it. The engine calls
     * {@link Transport#close} for it. A second call for the same connection
     * does nothing. In an orderly end, the transport reports with this call that the peer hung up.
     *
     * @param connection the connection
     * @param detail what happened, in words
     */
    void connectionLost(Connection connection, String detail);

    /**
     * A handshake of another node, or of a stranger, was refused or came to nothing. One thread,
     * often where strangers attack.
     *
     * @param cause in general words
     * @param from the address that it came from, in words
     */
    void refused(String cause, String from);

    /**
     * Reports an exception that no caller can catch.
     *
     * @param what one sentence
     * @param error what was thrown
     */
    void error(String what, Throwable error);
}
