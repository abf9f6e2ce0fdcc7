package io.dxnet.transport;

/** A node that wants to connect is refused. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * With the reason.
     *
     * @param message why, in words that the other side gets too
     */
    public RefusedException(String message) {
        super(message);
    }
}
