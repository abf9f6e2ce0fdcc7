package io.dxnet.transport.nio;

import io.dxnet.transport.Connection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Admission;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PairingDecision;
import io.dxnet.transport.handshake.Reply;
import java.nio.channels.SocketChannel;

/**
 * Finds the connection that another node's direction belongs to, and makes its channel the incoming
 * one. The acceptor's thread.
 *
 * @param context the engine
 * @param connections of this node
 */
record NioAdmission(TransportContext context, Connections<NioConnection> connections) implements Admission {
    @Override
    public String transport() {
        return NioOptions.NAME;
    }

    @Override
    public Decision open(Hello hello, SocketChannel channel) throws RefusedException {
        PairingDecision<NioConnection> decision =
                new PairingDecision<>(hello, context.nodeMap().ownNodeId());
        Later later = null;
        for (NioConnection c = connections.first(hello.nodeId()); c != null; c = c.next()) {
            switch (decision.consider(c, c.pairing(), c.stage())) {
                case LATER -> later = awaitAttempt(c);
                case SUPERSEDED -> later = awaitEnd(c);
                case OTHER_RUN -> c.probe();
                case MINE, NONE -> {
                    // the decision knows
                }
            }
        }
        if (decision.mustWait()) {
            return later;
        }
        NioConnection expected = decision.expected();
        Connection connection =
                context.incoming(hello.nodeId(), hello.incarnation(), expected == null ? null : expected.connection());
        NioConnection c = connections.of(connection);
        if (!c.attachIncoming(channel, hello, context)) {
            context.incomingFailed(connection);
            throw RefusedException.stale();
        }
        return new Opened(context, c);
    }

    private static Later awaitAttempt(NioConnection c) {
        return new Later(
                "both nodes connect, and the other attempt is not over",
                () -> !c.pairing().isAttempting());
    }

    /**
     * The other node would not make a new connection if it still had the old one, whose end is then
     * about to be noticed. A hello by itself ends no connection: it may be a stranger's.
     */
    private static Later awaitEnd(NioConnection c) {
        c.probe();
        return new Later(
                "the previous connection of node " + c.nodeId() + " has not ended yet: try again",
                () -> c.stage() != PairingDecision.Stage.OPEN);
    }

    private record Opened(TransportContext context, NioConnection connection) implements Accepted {
        @Override
        public Reply reply() {
            return Reply.accepting(context.incarnation(), connection.pairing().id(), NioOpening.NO_PAYLOAD);
        }

        @Override
        public void replied() {
            context.incomingReady(connection.connection(), TransportContext.Directions.INCOMING);
            connection.post(Interest.READ);
        }

        @Override
        public void replyFailed(String detail) {
            connection.fail(detail);
            replied(); // the engine has the connection already, and learns of its loss as of any other
        }
    }
}
