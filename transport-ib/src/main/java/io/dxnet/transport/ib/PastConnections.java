package io.dxnet.transport.ib;

import io.dxnet.transport.handshake.Counterpart;
import io.dxnet.transport.handshake.Hello;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which connection of each other node ended last. Both nodes may have begun it, and the hello of the one that did not succeed may
 * still wait in the acceptor when the connection is over: it must not make another one, which nobody on the other side knows. One
 * entry for each node id that ever was connected. Any thread.
 */
final class PastConnections {
    private final ConcurrentHashMap<Integer, Counterpart> last = new ConcurrentHashMap<>();

    /** A connection ended, or an attempt to which nobody answered. */
    void add(int nodeId, Counterpart ended) {
        if (ended.isKnown()) {
            last.merge(nodeId, ended, (before, now) -> before.isLaterThan(now) ? before : now);
        }
    }

    /** Whether a hello belongs to a connection that ended: later ones, and later attempts, have higher numbers. */
    boolean isOf(Hello hello) {
        Counterpart ended = last.get(hello.nodeId());
        return ended != null && ended.isOf(hello);
    }
}
