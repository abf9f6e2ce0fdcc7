package io.dxnet.transport.connection;

import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which connections of each other node ended lately. Both nodes may have begun a connection, and
 * the hello of the one that did not succeed may still wait in the acceptor when the connection is
 * over: it must not make another one, which does not exist on the other side. Any thread.
 *
 * <p>The ids are compared exactly. "All up to the highest" would let a single connection with a
 * forged id lock the real node out until it restarts. {@link #KEPT} ids of each node that ever was
 * connected are kept: a hello waits in the acceptor for the handshake's timeout at most, and this
 * many connections to one node do not end in that time.
 */
final class ClosedConnections {
    static final int KEPT = 32;

    private final ConcurrentHashMap<Integer, PeerIdentity[]> ended =
            new ConcurrentHashMap<>(); // newest first, never changed

    /** A connection ended, or an attempt that was not answered. */
    void add(int nodeId, PeerIdentity peerIdentity) {
        if (peerIdentity.isKnown()) {
            ended.merge(nodeId, new PeerIdentity[] {peerIdentity}, ClosedConnections::prepend);
        }
    }

    private static PeerIdentity[] prepend(PeerIdentity[] before, PeerIdentity[] newest) {
        PeerIdentity[] all = Arrays.copyOf(newest, Math.min(KEPT, before.length + 1));
        System.arraycopy(before, 0, all, 1, all.length - 1);
        return all;
    }

    /** Whether a hello belongs to a connection that ended. */
    boolean isOf(Hello hello) {
        for (PeerIdentity each : ended.getOrDefault(hello.nodeId(), new PeerIdentity[0])) {
            if (each.incarnation() == hello.incarnation() && each.connectionId() == hello.connectionId()) {
                return true;
            }
        }
        return false;
    }
}
