package io.dxnet.transport.connection;

/**
 * The states of a transport's connection, in their order: a connection never returns to an earlier
 * one, but for an attempt to open it that failed.
 *
 * <pre>
 *            beginConnecting              establish              ready
 *   +-----+ ----------------&gt; +------------+ --&gt; +----------+ --&gt; +--------+
 *   | NEW |                   | CONNECTING |     | ACCEPTED |     | USABLE |
 *   +-----+ &lt;---------------- +------------+     +----------+     +--------+
 *    ^ | |    attempt failed                      |    ^              ^
 *    | | |           establishing failed          |    |              |
 *    +-|-|----------------------------------------+    |              |
 *      | +--- establish by the other node's attempt ---+              |
 *      +----- the first direction of a PairedConnection is attached --+
 *
 *                        fail            reportLoss
 *   from all above: ------------&gt; +--------+ --&gt; +------+
 *                                 | FAILED |     | LOST |
 *                                 +--------+     +------+
 *
 *                   close(LINGERING)    both hung up       freed
 *   from all above: ------------&gt; +-----------+ --&gt; +--------+ --&gt; +-------+
 *                                 | LINGERING |     | CLOSED |     | FREED |
 *                                 +-----------+     +--------+     +-------+
 *                   close(CLOSED)                     ^              ^
 *                   ----------------------------------+              |
 *                   the transport ends                               |
 *                   -------------------------------------------------+
 * </pre>
 */
public enum ConnectionState {
    /** No attempt to open it is under way. */
    NEW,
    /** An attempt of this node to open it is under way; InfiniBand only. */
    CONNECTING,
    /**
     * An attempt succeeded, but the other node has not reported yet that it is ready;
     * InfiniBand only.
     */
    ACCEPTED,
    /** This node may send or receive. */
    USABLE,
    /** It broke: what arrived before is passed to the engine. */
    FAILED,
    /** The engine knows that it broke: nothing is sent or received until the engine closes it. */
    LOST,
    /** The engine closed it in order: the last signals are sent, then both nodes hang up. */
    LINGERING,
    /** Nothing is sent or received any more. */
    CLOSED,
    /** Its channels, or its queue pair, are freed. */
    FREED;

    /**
     * Returns whether a connection may change from this state to another one, as the diagram shows.
     *
     * @param next the other state
     * @return false where it may not; a state does not lead to itself
     */
    public boolean leadsTo(ConnectionState next) {
        return switch (next) {
            case NEW -> this == CONNECTING || this == ACCEPTED;
            case CONNECTING -> this == NEW;
            case ACCEPTED -> this == NEW || this == CONNECTING;
            case USABLE -> this == NEW || this == ACCEPTED;
            case FAILED -> isAlive();
            case LOST -> this == FAILED;
            case LINGERING, CLOSED, FREED -> compareTo(next) < 0;
        };
    }

    /**
     * Returns whether the connection has neither failed nor been closed.
     *
     * @return true up to {@link #USABLE}
     */
    public boolean isAlive() {
        return compareTo(USABLE) <= 0;
    }

    /**
     * Returns whether the engine has closed the connection.
     *
     * @return true from {@link #LINGERING} on
     */
    public boolean isClosed() {
        return compareTo(LINGERING) >= 0;
    }
}
