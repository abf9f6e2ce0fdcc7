package io.dxnet.transport.connection;

import io.dxnet.transport.Connection;
import io.dxnet.transport.shared.ConnectionTable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the transport's state of an engine's connection, and makes it where there is none.
 * Any thread.
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

    private final ConnectionTable<C> table;
    private final Factory<C> factory;
    private final AtomicLong ids = new AtomicLong();

    /**
     * Creates what fills a table.
     *
     * @param table by node id
     * @param factory of its entries
     */
    public Connections(ConnectionTable<C> table, Factory<C> factory) {
        this.table = table;
        this.factory = factory;
    }

    /**
     * Returns the state of a connection, if it was made.
     *
     * @param connection the engine's
     * @return null where it was not made
     */
    @SuppressWarnings("unchecked") // a transport attaches nothing else
    public C attached(Connection connection) {
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

    private C make(Connection connection) {
        synchronized (table) {
            C c = attached(connection);
            if (c == null) {
                c = factory.create(connection, nextId());
                table.add(c);
                connection.attach(c);
            }
            return c;
        }
    }

    /**
     * Returns the newest connection to a node.
     *
     * @param nodeId the other node
     * @return null where there is none
     */
    public C first(int nodeId) {
        return table.first(nodeId);
    }

    /**
     * Returns a number for a connection, or for another attempt to open it.
     *
     * @return higher than all before
     */
    public long nextId() {
        return ids.incrementAndGet();
    }
}
