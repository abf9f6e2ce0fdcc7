package io.dxnet.transport.ib;

import io.dxnet.transport.handshake.Hello;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which connection of each other node ended last. Both nodes may have begun it, and the hello of the one that did not succeed may
 * still wait in the acceptor when the connection is over: it must not make another one, which nobody on the other side knows. One
 * entry for each node id that ever was connected. Any thread.
 */
final class PastConnections {
    private record Last(long incarnation, long connectionId) {}

    private final ConcurrentHashMap<Integer, Last> last = new ConcurrentHashMap<>();

    /** A connection ended. */
    void add(int nodeId, long incarnation, long connectionId) {
        last.merge(
                nodeId,
                new Last(incarnation, connectionId),
                (before, now) ->
                        before.incarnation == now.incarnation && before.connectionId > now.connectionId ? before : now);
    }

    /** Whether a hello belongs to a connection that ended: later ones, and later attempts, have higher numbers. */
    boolean isOf(Hello hello) {
        Last ended = last.get(hello.nodeId());
        return ended != null && ended.incarnation == hello.incarnation() && hello.connectionId() <= ended.connectionId;
    }
}
