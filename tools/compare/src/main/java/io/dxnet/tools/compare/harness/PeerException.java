package io.dxnet.tools.compare.harness;

/** A peer failed; the message is for the user. */
public final class PeerException extends Exception {
    private static final long serialVersionUID = 1L;

    PeerException(String message) {
        super(message);
    }

    PeerException(String message, Throwable cause) {
        super(message, cause);
    }
}
