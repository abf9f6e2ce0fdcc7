package io.dxnet.transport.nio;

import io.dxnet.transport.Connection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Admission;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.nio.channels.SocketChannel;

/** Finds the connection that another node's direction belongs to, and makes its channel the incoming one. */
final class NioAdmission implements Admission {
    private final TransportContext context;
    private final NioTransport transport;

    NioAdmission(TransportContext context, NioTransport transport) {
        this.context = context;
        this.transport = transport;
    }

    @Override
    public String transport() {
        return NioTransport.NAME;
    }

    @Override
    public Decision open(Hello hello, SocketChannel channel) throws RefusedException {
        NioConnection expected = null;
        for (NioConnection c = transport.first(hello.nodeId()); c != null; c = c.next()) {
            if (c.id() == hello.listenerConnectionId()) {
                expected = c;
            } else if (c.isSupersededBy(hello)) {
                // The other node would not make a new one if it still had the old one.
                return replace(c);
            } else if (c.isOfAnotherRunThan(hello)) {
                // The engine knows the other run only by what it opened itself; this one is perhaps all that we opened.
                throw RefusedException.idInUse(hello.nodeId());
            }
        }
        if (hello.listenerConnectionId() != 0
                && (expected == null || expected.closeMode() != NioConnection.CloseMode.OPEN)) {
            throw new RefusedException("the connection that it belongs to has ended");
        }
        Connection connection =
                context.incoming(hello.nodeId(), hello.incarnation(), expected == null ? null : expected.connection());
        NioConnection c = transport.state(connection);
        NioConnection.Attached attached = c.attachIncoming(channel, hello, context);
        if (attached != NioConnection.Attached.YES) {
            context.incomingFailed(connection);
        }
        return switch (attached) {
            case OUTDATED -> throw new RefusedException("the connection that it belongs to has ended");
            case STALE -> replace(c);
            case CLOSED -> awaitEnd(c);
            case YES -> new Opened(c);
        };
    }

    private static Later replace(NioConnection c) {
        c.fail("node " + c.nodeId() + " opened a new connection");
        return awaitEnd(c);
    }

    private static Later awaitEnd(NioConnection c) {
        return new Later(
                "the previous connection of node " + c.nodeId() + " has not ended yet: try again",
                () -> c.closeMode() != NioConnection.CloseMode.OPEN);
    }

    private final class Opened implements Accepted {
        private final NioConnection connection;

        Opened(NioConnection connection) {
            this.connection = connection;
        }

        @Override
        public Reply reply() {
            return Reply.accepting(context.incarnation(), connection.id(), NioOpening.NO_PAYLOAD);
        }

        @Override
        public void replied() {
            context.incomingReady(connection.connection(), false);
            connection.post(Interest.READ);
        }

        @Override
        public void replyFailed(String detail) {
            connection.fail(detail);
            replied(); // the engine has the connection already, and learns of its loss as of any other
        }
    }
}
