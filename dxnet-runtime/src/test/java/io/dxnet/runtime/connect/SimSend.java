package io.dxnet.runtime.connect;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.ring.Window;

/**
 * A message on its way into a ring: the steps of the engine's sender and of {@link Connecting}, one
 * turn at a time.
 */
final class SimSend {
    private enum Wait {
        /** For room in the ring, or for nothing. */
        ROOM,
        /**
         * For the stream of this connection:
         * {@link Connecting#openStream}, {@link Connecting#awaitOpen}.
         */
        OWN_STREAM,
        /** For the stream of a connection: {@link Connecting#await}. */
        STREAM
    }

    final SimMessage message;
    private final SimNode node;
    private final PeerConnection origin; // of the request; null but for a response
    private final boolean isHandler;
    private PeerConnection connection; // null: to be chosen
    private PeerConnection chosen; // before the wait for a stream
    private Wait wait = Wait.ROOM;
    private long deadlineNs;
    private long runsAgainNs; // the thread has chosen a connection, and is not running

    SimSend(SimNode node, SimMessage message, PeerConnection origin, boolean isHandler) {
        this.node = node;
        this.message = message;
        this.origin = origin;
        this.isHandler = isHandler;
    }

    boolean isResponse() {
        return origin != null;
    }

    /** Continues; where the message still waits, another turn has to follow. */
    void turn() throws DXNetException {
        switch (wait) {
            case ROOM -> claim();
            case OWN_STREAM -> awaitOwnStream();
            case STREAM -> awaitStream();
        }
    }

    private void claim() throws DXNetException {
        if (node.world.now < runsAgainNs) {
            return;
        }
        if (connection == null) {
            if (!choose()) {
                return;
            }
            runsAgainNs = node.world.now + node.world.pauseNs();
            if (runsAgainNs > node.world.now) {
                return;
            }
        }
        if (node.accept(message, connection, isHandler ? Window.IGNORED : Window.OBSERVED)) {
            return;
        }
        if (!isOfUse(connection)) {
            if (origin == null) {
                node.connections.leaveIfEnding(connection);
            }
            connection = null;
        } else if (!connection.isOutReady()) {
            deadlineNs = node.world.now + SimWorld.CONNECT_NS + node.world.closeTimeoutNs;
            if (origin != null) {
                node.connections.openOutgoing(connection);
                wait = Wait.OWN_STREAM;
            } else if (connection.isOpen()) {
                chosen = connection;
                wait = Wait.STREAM;
                connect();
            } else {
                wait = Wait.OWN_STREAM;
            }
        }
    }

    private boolean isOfUse(PeerConnection candidate) {
        return origin == null
                ? candidate.life().acceptsMessages()
                : candidate.life().acceptsResponses();
    }

    private boolean choose() throws DXNetException {
        if (origin != null) {
            if (!isOfUse(origin)) {
                throw new ConnectionLostException("the connection of the request has ended");
            }
            connection = origin;
            return true;
        }
        PeerConnection candidate = node.connections.connectionTo(message.destination);
        if (isHandler && !candidate.isOutReady()) {
            candidate = node.connections.usableNow(
                    candidate,
                    message.request == null ? ConnectionLife::acceptsMessages : ConnectionLife::acceptsRequests);
        }
        if (message.request != null) {
            message.request.connection(candidate);
            if (!candidate.life().acceptsRequests()) {
                node.connections.leaveIfEnding(candidate);
                return false;
            }
        }
        connection = candidate;
        return true;
    }

    private void connect() throws DXNetException {
        if (message.request != null) {
            message.request.connection(null);
        }
        connection = node.connections.connectionTo(message.destination);
        node.connections.openOutgoing(connection);
    }

    private void awaitOwnStream() throws DXNetException {
        if (!connection.life().isEnded() && isOpening()) {
            pause();
            return;
        }
        wait = Wait.ROOM;
        if (!connection.isOutReady()) {
            if (origin != null) {
                checkFailure();
            }
            connection = null;
        }
    }

    private void awaitStream() throws DXNetException {
        if (connection.isOpen() && isOpening()) {
            pause();
            return;
        }
        if (connection.isOutReady() && connection.isOpen()) {
            wait = Wait.ROOM;
            if (message.request != null || connection != chosen) {
                connection = null;
            }
            return;
        }
        node.connections.checkOpen();
        node.connections.leaveIfEnding(connection);
        checkFailure();
        if (node.world.now - deadlineNs > 0) {
            throw new NodeUnreachableException("not connected in time");
        }
        connect();
    }

    /** Throws why its stream could not be opened, unless another attempt may succeed. */
    private void checkFailure() throws DXNetException {
        Exception failure = connection.connectFailure();
        if (failure != null && !(failure instanceof StaleConnectionException)) {
            if (failure instanceof NetClosedException closed) {
                throw closed;
            }
            throw new NodeUnreachableException(failure.getMessage());
        }
    }

    private boolean isOpening() {
        return !connection.isOutReady() && connection.life().isOpening() && node.world.now - deadlineNs <= 0;
    }

    private void pause() {
        if (isHandler) {
            connection.handlerWaits();
        }
    }
}
