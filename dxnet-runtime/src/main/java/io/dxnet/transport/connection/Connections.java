package io.dxnet.transport.connection;

import io.dxnet.transport.Connection;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.shared.InterestQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A transport's live connections by node id, each made by the first call that asks for it. There is
 * mostly one to a node; while one is still being closed there may be its successor too, so they
 * form a chain. Lookups by any thread without a lock; changes under the monitor.
 *
 * @param <C> the transport's state of a connection
 */
public final class Connections<C extends WireConnection<C>> {
    /**
     * Makes the transport's state of a connection.
     *
     * @param <C> the transport's state of a connection
     */
    @FunctionalInterface
    public interface Factory<C> {
        /**
         * Makes it.
         *
         * @param connection the engine's
         * @param id of this node's end
         * @return not yet in the table
         */
        C create(Connection connection, long id);
    }

    private final Factory<C> factory;
    private final AtomicReferenceArray<C> heads = new AtomicReferenceArray<>(InterestQueue.IDS);
    private final AtomicLong ids = new AtomicLong();
    private final ClosedConnections closed = new ClosedConnections();

    /**
     * Creates an empty table.
     *
     * @param factory of its entries
     */
    public Connections(Factory<C> factory) {
        this.factory = factory;
    }

    /**
     * Returns the state of a connection, if it was made.
     *
     * @param connection the engine's
     * @return null where it was not made
     */
    @SuppressWarnings("unchecked") // a transport attaches nothing else
    public @Nullable C attached(Connection connection) {
        return (C) connection.attachment();
    }

    /**
     * Returns the state of a connection, made by the first call.
     *
     * @param connection the engine's
     * @return always the same
     */
    public C of(Connection connection) {
        C c = attached(connection);
        return c != null ? c : make(connection);
    }

    private synchronized C make(Connection connection) {
        C c = attached(connection);
        if (c == null) {
            c = factory.create(connection, nextId());
            c.next = heads.get(c.nodeId());
            heads.set(c.nodeId(), c);
            connection.attach(c);
        }
        return c;
    }

    /**
     * Returns the newest connection to a node; {@link WireConnection#next} leads to the others.
     *
     * @param nodeId the other node
     * @return null where there is none
     */
    public C first(int nodeId) {
        return heads.get(nodeId);
    }

    /**
     * Returns a number for a connection, or for another attempt to open it.
     *
     * @return higher than all before
     */
    public long nextId() {
        return ids.incrementAndGet();
    }

    /**
     * Remembers that a connection was closed, also after it is removed.
     *
     * @param connection whichever
     */
    void closed(C connection) {
        closed.add(connection.nodeId(), connection.pairing().peer());
    }

    /**
     * {@return whether a hello belongs to a connection that was closed lately}
     *
     * @param hello of another node
     */
    boolean isClosed(Hello hello) {
        return closed.isOf(hello);
    }

    /**
     * Removes a connection, if it is there.
     *
     * @param connection whichever
     */
    public synchronized void remove(C connection) {
        C previous = null;
        for (C c = heads.get(connection.nodeId()); c != null; previous = c, c = c.next) {
            if (c == connection) {
                if (previous == null) {
                    heads.set(connection.nodeId(), c.next);
                } else {
                    previous.next = c.next;
                }
                return;
            }
        }
    }

    /**
     * Returns all of them; slow.
     *
     * @return a copy
     */
    public synchronized List<C> all() {
        List<C> all = new ArrayList<>();
        for (int i = 0; i < heads.length(); i++) {
            for (C c = heads.get(i); c != null; c = c.next) {
                all.add(c);
            }
        }
        return all;
    }
}
