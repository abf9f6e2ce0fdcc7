package io.dxnet.runtime;

import io.dxnet.Disconnect;
import io.dxnet.transport.OutgoingRingBuffer;
import io.dxnet.transport.Transport;
import java.util.function.BooleanSupplier;

/**
 * The graceful end of a connection (DXNet §IX-3), step by step on the control thread, without blocking it: outstanding requests
 * get their responses, the stream gets a last message (goodbye), all of it goes out, the peer does the same, and both close.
 * Everything is bounded by the close timeout.
 */
final class Farewell implements BooleanSupplier {
    private final PeerConnection connection;
    private final Transport transport;
    private final RequestMap requests;
    private final ConnectionManager manager;
    private final long timeoutMs;
    private final long deadlineNs;
    private boolean triedToConnect;

    Farewell(
            PeerConnection connection,
            Transport transport,
            RequestMap requests,
            ConnectionManager manager,
            int closeTimeoutMs) {
        this.connection = connection;
        this.transport = transport;
        this.requests = requests;
        this.manager = manager;
        this.timeoutMs = closeTimeoutMs;
        this.deadlineNs = System.nanoTime() + closeTimeoutMs * 1_000_000L;
    }

    /** Goes as far as possible; true when it is over. */
    @Override
    public boolean getAsBoolean() {
        if (connection.state() == PeerConnection.CLOSED) {
            return true;
        }
        if (System.nanoTime() - deadlineNs > 0) {
            manager.end(
                    connection,
                    connection.closeReason(),
                    "was not closed in order within " + timeoutMs + " ms (closeTimeoutMs)",
                    false);
            return true;
        }
        if (!connection.isOutReady()) {
            return withoutOutgoingDirection();
        }
        if (!connection.hasSaidGoodbye()) {
            // No responses are waited for while a handler waits for this end: where both nodes do so, each of the two
            // handlers
            // would have to give the response that lets the other one go on.
            if (!connection.hasPeerSaidGoodbye() && !connection.isEndUrgent() && requests.hasAny(connection)) {
                return false;
            }
            tryGoodbye();
        }
        if (!connection.hasSaidGoodbye() || !connection.ring().isDrained()) {
            return false;
        }
        // The one who began closes when the other's goodbye is here: then both have read everything. The other one is
        // told by
        // the transport when that happened.
        boolean began = connection.closeReason() != Disconnect.Reason.CLOSED_BY_PEER;
        if (began && (connection.hasPeerSaidGoodbye() || connection.peerIncarnation() == 0)) {
            manager.end(connection, connection.closeReason(), "closed in order", true);
            return true;
        }
        return false;
    }

    /** Without a direction to the peer, it can't be told to finish: it is connected for that, unless the peer has finished. */
    private boolean withoutOutgoingDirection() {
        if (connection.isConnecting()) {
            return false;
        }
        if (!connection.hasPeerSaidGoodbye() && !triedToConnect) {
            triedToConnect = true;
            manager.connectForGoodbye(connection);
            return false;
        }
        manager.end(connection, connection.closeReason(), "closed in order", connection.hasPeerSaidGoodbye());
        return true;
    }

    private void tryGoodbye() {
        OutgoingRingBuffer ring = connection.ring();
        // The lock is never given back: nothing follows a goodbye.
        if (!connection.isGoodbyeLockHeld()) {
            if (!ring.tryLock()) {
                return;
            }
            connection.goodbyeLockHeld();
        }
        if (ring.capacity() - ring.pending() < HeaderDescriptor.BYTES) {
            return;
        }
        int bytes = ring.tryClaimLocked(HeaderDescriptor.BYTES, true);
        if (bytes != HeaderDescriptor.BYTES) {
            return;
        }
        writeGoodbye(ring);
        connection.saidGoodbye(); // before it can be read: from then on the peer may hang up
        ring.commit(ring.lockedClaim(), bytes);
        transport.dataPosted(connection);
    }

    private static void writeGoodbye(OutgoingRingBuffer ring) {
        RingExporter exporter = new RingExporter(null);
        exporter.begin(ring, ring.lockedClaim(), HeaderDescriptor.BYTES);
        exporter.writeHeader(HeaderDescriptor.word(0, HeaderDescriptor.GOODBYE, 0, 0, 0), HeaderDescriptor.tail(0));
    }
}
