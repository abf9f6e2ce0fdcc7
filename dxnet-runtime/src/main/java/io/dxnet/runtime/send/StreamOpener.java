package io.dxnet.runtime.send;

import io.dxnet.DXNetException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.thread.EngineThread;
import org.jspecify.annotations.Nullable;

/**
 * Lets a sender wait until the stream of a connection is open. An engine's thread works on
 * meanwhile: each call gets the calling thread, where it is one of the engine, else null.
 */
public interface StreamOpener {
    /**
     * Opens the stream of a connection to a node, and waits until it is open.
     *
     * @return the connection
     * @throws NodeUnreachableException with the reason
     */
    PeerConnection await(int nodeId, @Nullable EngineThread engineThread) throws DXNetException;

    /**
     * Opens the stream of this connection for a response; returns when it
     * is open, or not of use any more.
     */
    void openStream(PeerConnection connection, @Nullable EngineThread engineThread) throws DXNetException;

    /** Waits until the stream of this connection is open; false when it will not be. */
    boolean awaitOpen(PeerConnection connection, @Nullable EngineThread engineThread) throws NodeUnreachableException;
}
