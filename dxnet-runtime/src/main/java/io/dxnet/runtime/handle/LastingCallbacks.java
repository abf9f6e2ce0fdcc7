package io.dxnet.runtime.handle;

import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.Transport;
import java.util.List;
import java.util.function.Consumer;

/**
 * Bounds how long a message waits in a ring while a callback lasts. A handler signals
 * what its callbacks send at the end of their batch, and in the fused layout its thread
 * is also the one that sends. So at each tick of its clock the control thread checks
 * whether a handler is in the same callback as at the last one, and then sends what the
 * rings hold: after two ticks, 20 ms, at the latest.
 */
public final class LastingCallbacks {
    private final List<MessageHandler> handlers;
    private final ConnectionManager connections;
    private final Transport transport;
    private final Consumer<PeerConnection> send = this::send;
    private final long[] marks; // control thread

    public LastingCallbacks(List<MessageHandler> handlers, ConnectionManager connections, Transport transport) {
        this.handlers = handlers;
        this.connections = connections;
        this.transport = transport;
        this.marks = new long[handlers.size()];
    }

    /**
     * Checks once. The control thread.
     *
     * @return whether a handler is at work, and a next check is needed
     */
    public boolean tick() {
        boolean atWork = false;
        boolean lasting = false;
        for (int i = 0; i < marks.length; i++) {
            long mark = handlers.get(i).callMark();
            if (mark != MessageHandler.IDLE) {
                atWork = true;
                lasting |= mark == marks[i];
            }
            marks[i] = mark;
        }
        if (lasting) {
            // A busy machine makes many callbacks last: nothing is allocated for it.
            connections.forEach(send);
        }
        return atWork;
    }

    /** Also while it ends: its thread may be the one in the callback. */
    private void send(PeerConnection connection) {
        if (connection.isOutReady() && connection.ring().backlog() > 0 && !transport.sendNow(connection)) {
            transport.dataPosted(connection);
        }
    }
}
