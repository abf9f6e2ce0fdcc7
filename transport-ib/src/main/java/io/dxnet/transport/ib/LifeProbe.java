package io.dxnet.transport.ib;

import io.dxnet.transport.connection.WireConnection;

/**
 * A question to the other node of an open connection: is it still open on your side? Asked because
 * of a hello that claims it is not. The control channels' thread writes, the acceptor reads.
 */
final class LifeProbe {
    private enum State {
        /** To be sent, or sent. */
        ASKED,
        /** The connection is open on the other side: the hello is false. */
        ANSWERED,
        /** There is no control channel to ask through yet. */
        NOT_SENT
    }

    private final WireConnection<?> connection;
    private volatile State state = State.ASKED; // the control channels' thread

    LifeProbe(WireConnection<?> connection) {
        this.connection = connection;
    }

    /** Returns whether this is a question about that connection. */
    boolean isOf(WireConnection<?> other) {
        return connection == other;
    }

    void answered() {
        state = State.ANSWERED;
    }

    void notSent() {
        state = State.NOT_SENT;
    }

    boolean isAnswered() {
        return state == State.ANSWERED;
    }

    boolean isNotSent() {
        return state == State.NOT_SENT;
    }

    /**
     * Whether there is something to decide: an answer, another question to ask, or the
     * connection's end.
     */
    boolean isOver() {
        return state != State.ASKED || !connection.isInUse();
    }
}
