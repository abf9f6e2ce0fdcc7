package io.dxnet.tools.ledger.node;

/** From where messages are sent. */
public enum SenderKind {
    /** Two platform threads. */
    THREAD,
    /** A virtual thread. */
    VIRTUAL,
    /** A virtual thread for each message. */
    SPAWNED,
    /** Callbacks of messages. */
    CALLBACK,
    /** The connection listener, in {@code connected}. */
    LISTENER,
    /** Dependents of futures. */
    DEPENDENT
}
