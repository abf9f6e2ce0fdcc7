package io.dxnet.transport;

/** A node that wants to connect is refused. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean temporary;

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
        super(message);
        this.temporary = temporary;
    }

    /**
     * Whether asking again soon may succeed.
     *
     * @return false: tell the other side now
     */
    public boolean isTemporary() {
        return temporary;
    }
}
