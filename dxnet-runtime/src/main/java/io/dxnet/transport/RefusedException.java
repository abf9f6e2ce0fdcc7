package io.dxnet.transport;

/** A node that wants to connect is refused. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private enum Kind {
        FINAL,
        TEMPORARY,
        ORDINARY,
        EXPECTED,
        STALE
    }

    private final Kind kind;

    /**
     * For good.
     *
     * @param message why, in words that the other side gets too
     */
    public RefusedException(String message) {
        this(message, false);
    }

    /**
     * With the reason.
     *
     * @param message why, in words that the other side gets too
     * @param temporary whether asking again soon may succeed: the old connection to that node is about to end. The transport
     *     asks again for as long as its handshake may last.
     */
    public RefusedException(String message, boolean temporary) {
        this(message, temporary ? Kind.TEMPORARY : Kind.FINAL);
    }

    private RefusedException(String message, Kind kind) {
        super(message);
        this.kind = kind;
    }

    /**
     * Because both nodes asked at the same time and the other connection of the two is open.
     *
     * @param nodeId the other node
     * @return the exception
     */
    public static RefusedException connectedAlready(int nodeId) {
        return new RefusedException("node " + nodeId + " is connected already", Kind.EXPECTED);
    }

    /**
     * Because the connection that the other node wants to open, or open the other direction of, has ended here: it may
     * make a new one at once.
     *
     * @return the exception
     */
    public static RefusedException stale() {
        return new RefusedException("that connection has ended", Kind.STALE);
    }

    /**
     * Because a connection or a node ends in order: nobody has to be told in the log.
     *
     * @param message why, in words that the other side gets too
     * @return the exception, for good
     */
    public static RefusedException ordinary(String message) {
        return new RefusedException(message, Kind.ORDINARY);
    }

    /**
     * Because another run of the node is connected, or another node with its id.
     *
     * @param nodeId the other node
     * @return the exception; asking again succeeds when the end of that run is noticed
     */
    public static RefusedException idInUse(int nodeId) {
        return new RefusedException(
                "node id " + nodeId + " is in use by another running node (or by one whose end was not noticed yet)",
                true);
    }

    /**
     * Whether asking again soon may succeed.
     *
     * @return false: tell the other side now
     */
    public boolean isTemporary() {
        return kind == Kind.TEMPORARY;
    }

    /**
     * Whether this is a part of connections beginning and ending in order, and nobody has to be told.
     *
     * @return false: something is wrong, and the log has to say so
     */
    public boolean isExpected() {
        return kind != Kind.FINAL && kind != Kind.TEMPORARY;
    }

    /**
     * Whether the other node is to make a new connection, which is no failure.
     *
     * @return true for {@link #stale} and where the other connection of two that were asked for at once is open
     */
    public boolean isStale() {
        return kind == Kind.STALE || kind == Kind.EXPECTED;
    }
}
