package io.dxnet;

/**
 * Receives the events of a node's connections. Called on the engine's control thread, one event at
 * a time, in order; must not block for long. An exception is reported to
 * {@link DXNetConfig#errorHandler()}.
 */
public interface ConnectionListener {
    /**
     * A connection to or from that node is ready.
     *
     * @param nodeId the node
     */
    default void connected(int nodeId) {}

    /**
     * The connection to that node ended. Its outstanding requests have ended when this is called;
     * their futures are completed by then or shortly after. The next send connects again.
     *
     * @param nodeId the node
     * @param cause why, and what may not have been delivered
     */
    default void disconnected(int nodeId, Disconnect cause) {}

    /**
     * Another node received messages of this node and could not pass them to a handler. Called
     * before an orderly end of their connection is reported. Reports of one node and type are
     * added up while this method runs.
     *
     * @param rejection which, how many and why
     */
    default void rejected(Rejection rejection) {}
}
