package io.dxnet.runtime.connect;

import io.dxnet.runtime.peer.PeerConnection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CopyOnWriteArraySet;

/** Connections; a test decides what happens before they are iterated. */
@SuppressWarnings("serial") // never serialized
final class WatchedSet extends CopyOnWriteArraySet<PeerConnection> {
    /** Each before one of the next iterations. */
    final Deque<Runnable> before = new ArrayDeque<>();

    @Override
    public Iterator<PeerConnection> iterator() {
        if (!before.isEmpty()) {
            before.remove().run();
        }
        return super.iterator();
    }
}
