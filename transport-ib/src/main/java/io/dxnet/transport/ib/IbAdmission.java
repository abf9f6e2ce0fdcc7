package io.dxnet.transport.ib;

import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.Connection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Admission;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Counterpart;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * The passive side of opening a connection (Ibdxnet §7.1): makes this side's queue pair for the one that the other node told of, and
 * answers with its data. The acceptor's thread only.
 *
 * <p>Where both nodes open at once, the node with the lower id accepts, and the node with the higher id lets the other wait: when its
 * own attempt succeeded, the waiting one has nothing to do any more, and else it is accepted.
 */
final class IbAdmission implements Admission {
    private final TransportContext context;
    private final IbTransport transport;

    IbAdmission(TransportContext context, IbTransport transport) {
        this.context = context;
        this.transport = transport;
    }

    @Override
    public String transport() {
        return IbOptions.NAME;
    }

    @Override
    public Decision open(Hello hello, SocketChannel channel) throws RefusedException {
        QpInfo peer;
        try {
            peer = QpInfo.decode(hello.payload());
        } catch (IOException e) {
            throw new RefusedException(e.getMessage());
        }
        if (transport.past().isOf(hello)) {
            throw new RefusedException("that connection has ended");
        }
        for (IbConnection c = transport.first(hello.nodeId()); c != null; c = c.next()) {
            Decision later = c.isClosed() ? null : judge(c, hello);
            if (later != null) {
                return later;
            }
        }
        Connection connection = context.incoming(hello.nodeId(), hello.incarnation(), null);
        IbConnection c = transport.state(connection);
        try {
            if (c.establish(peer, hello.incarnation(), hello.connectionId(), false)) {
                return new Opened(c, channel, peer);
            }
        } catch (VerbsException | IllegalStateException e) {
            context.incomingFailed(connection);
            throw new RefusedException("its queue pair could not be connected: " + e.getMessage());
        }
        context.incomingFailed(connection);
        return new Later(
                "the previous connection of node " + hello.nodeId() + " has not ended yet: try again",
                () -> c.isClosed() || c.state() != IbConnection.State.CONNECTING);
    }

    /** What an open connection to the same node means for the new one; null: nothing. */
    private Decision judge(IbConnection c, Hello hello) throws RefusedException {
        Counterpart theirs = c.counterpart();
        if (theirs.isOf(hello)) {
            throw RefusedException.connectedAlready(hello.nodeId());
        }
        if (theirs.isSupersededBy(hello)) {
            // The other node would not make a new one if it still had the old one.
            c.fail("node " + hello.nodeId() + " opened a new connection");
            return new Later(
                    "the previous connection of node " + hello.nodeId() + " has not ended yet: try again", c::isClosed);
        }
        if (theirs.isOfAnotherRunThan(hello)) {
            throw RefusedException.idInUse(hello.nodeId());
        }
        if (c.state() == IbConnection.State.CONNECTING && !transport.givesWayTo(hello.nodeId())) {
            return new Later(
                    "node " + context.nodeMap().ownNodeId() + " is connecting to node " + hello.nodeId() + " itself",
                    () -> c.state() != IbConnection.State.CONNECTING);
        }
        return null;
    }

    /** Connected but for the other side's word that it is ready. */
    private final class Opened implements Accepted {
        private final IbConnection connection;
        private final SocketChannel channel;
        private final QpInfo peer;

        Opened(IbConnection connection, SocketChannel channel, QpInfo peer) {
            this.connection = connection;
            this.channel = channel;
            this.peer = peer;
        }

        @Override
        public Reply reply() {
            return Reply.accepting(
                    context.incarnation(),
                    connection.id(),
                    transport.info(connection).encode());
        }

        @Override
        public void replied() {
            transport.sides().watch(connection, channel, peer.keepAliveMs());
        }

        @Override
        public void replyFailed(String detail) {
            Channels.closeQuietly(channel);
            connection.acceptingFailed();
            context.incomingFailed(connection.connection());
        }
    }
}
