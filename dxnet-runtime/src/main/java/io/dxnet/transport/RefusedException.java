package io.dxnet.transport;

/** A node that opens a connection is refused. */
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
     * A refusal for good.
     *
     * @param message why, in words that the other node gets too
     */
    public RefusedException(String message) {
        this(message, Kind.FINAL);
    }

    private RefusedException(String message, Kind kind) {
        super(message);
        this.kind = kind;
    }

    /**
     * Makes a refusal for the moment: a retry soon may succeed, for instance because the old
     * connection to that node is about to end. The transport retries for as long as its
     * handshake may last.
     *
     * @param message why, in words that the other node gets too
     * @return the exception
     */
    public static RefusedException temporary(String message) {
        return new RefusedException(message, Kind.TEMPORARY);
    }

    /**
     * Makes the refusal for two nodes that asked at the same time, where the other
     * connection of the two is open.
     *
     * @param nodeId the other node
     * @return the exception
     */
    public static RefusedException connectedAlready(int nodeId) {
        return new RefusedException("node " + nodeId + " is connected already", Kind.EXPECTED);
    }

    /**
     * Makes the refusal for a connection that has ended here, or whose last message is being
     * sent, though the other node wants to open it or its other direction. The other node may
     * make a new one at once.
     *
     * @return the exception
     */
    public static RefusedException stale() {
        return new RefusedException("that connection has ended", Kind.STALE);
    }

    /**
     * Makes the refusal for a connection or a node that ends in order, which is not logged.
     *
     * @param message why, in words that the other node gets too
     * @return the exception, for good
     */
    public static RefusedException ordinary(String message) {
        return new RefusedException(message, Kind.ORDINARY);
    }

    /**
     * Makes the refusal for a node id that another run of the node, or another node,
     * is connected with.
     *
     * @param nodeId the other node
     * @return the exception; a retry succeeds when the end of that run is noticed
     */
    public static RefusedException idInUse(int nodeId) {
        return temporary(
                "node id " + nodeId + " is in use by another running node (or by one whose end was not noticed yet)");
    }

    /**
     * {@return whether a retry soon may succeed; if false, the other node gets the refusal at once}
     */
    public boolean isTemporary() {
        return kind == Kind.TEMPORARY;
    }

    /**
     * {@return whether this is a part of connections beginning and ending in order;
     * if false, something is wrong, and it is logged}
     */
    public boolean isExpected() {
        return kind != Kind.FINAL && kind != Kind.TEMPORARY;
    }

    /**
     * {@return whether the other node is to make a new connection, which is no failure} True for
     * {@link #stale}, and where the other connection of two that were asked for at once is open.
     */
    public boolean isStale() {
        return kind == Kind.STALE || kind == Kind.EXPECTED;
    }

    /**
     * {@return whether the connection that the hello names has ended: each attempt for it will be
     * refused}
     */
    public boolean isEnd() {
        return kind == Kind.STALE;
    }
}
