package io.dxnet.transport;

/** A node that wants to connect is refused. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean temporary;
    private final boolean expected;

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
        this(message, temporary, false);
    }

    private RefusedException(String message, boolean temporary, boolean expected) {
        super(message);
        this.temporary = temporary;
        this.expected = expected;
    }

    /**
     * Because both nodes asked at the same time and the other connection of the two is open.
     *
     * @param nodeId the other node
     * @return the exception
     */
    public static RefusedException connectedAlready(int nodeId) {
        return new RefusedException("node " + nodeId + " is connected already", false, true);
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
        return temporary;
    }

    /**
     * Whether this is a part of two nodes connecting, and nobody has to be told.
     *
     * @return false: something is wrong, and the log has to say so
     */
    public boolean isExpected() {
        return expected;
    }
}
