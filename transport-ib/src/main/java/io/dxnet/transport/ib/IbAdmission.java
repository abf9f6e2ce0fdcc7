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
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The passive side of opening a connection (Ibdxnet §7.1): makes this side's queue pair for the one that the other node told of, and
 * answers with its data. The acceptor's thread only.
 *
 * <p>Where both nodes open at once, the node with the lower id accepts, and the node with the higher id lets the other wait: when its
 * own attempt succeeded, the waiting one has nothing to do any more, and else it is accepted.
 *
 * <p>A hello never ends a connection: what it says, anybody can say.
 */
final class IbAdmission implements Admission {
    private final TransportContext context;
    private final IbTransport transport;
    private final Map<Hello, LifeProbe> probes = new WeakHashMap<>(); // gone with the handshake

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
            throw RefusedException.stale();
        }
        for (IbConnection c = transport.first(hello.nodeId()); c != null; c = c.next()) {
            Decision later = judge(c, hello);
            if (later != null) {
                return later;
            }
        }
        Connection connection = context.incoming(hello.nodeId(), hello.incarnation(), null);
        IbConnection c = transport.state(connection);
        try {
            if (c.establish(peer, hello.incarnation(), hello.connectionId(), IbConnection.BY_PEER)) {
                return new Opened(c, channel, peer);
            }
        } catch (ConnectionSlots.FullException e) {
            context.incomingFailed(connection);
            return new Later(e.getMessage(), () -> !transport.slots().isFull());
        } catch (LockedMemory.ExceededException e) {
            context.incomingFailed(connection);
            context.error("node " + hello.nodeId() + " can't be connected", e);
            throw new RefusedException(LockedMemory.ExceededException.REASON);
        } catch (VerbsException | IllegalStateException e) {
            context.incomingFailed(connection);
            throw new RefusedException("its queue pair could not be connected: " + e.getMessage());
        }
        context.incomingFailed(connection);
        return new Later(previousNotEnded(hello), () -> c.isClosed() || c.state() != IbConnection.State.CONNECTING);
    }

    /** What an open connection to the same node means for the new one; null: nothing. */
    private Decision judge(IbConnection c, Hello hello) throws RefusedException {
        Counterpart theirs = c.counterpart();
        if (!c.isInUse()) {
            if (theirs.equals(new Counterpart(hello.incarnation(), hello.connectionId()))) {
                throw RefusedException.stale();
            }
            return null; // the hello is of its successor
        }
        if (theirs.isOf(hello)) {
            throw RefusedException.connectedAlready(hello.nodeId());
        }
        if (theirs.isSupersededBy(hello) || theirs.isOfAnotherRunThan(hello)) {
            return probe(c, hello);
        }
        if (c.state() == IbConnection.State.CONNECTING && !transport.givesWayTo(hello.nodeId())) {
            return new Later(
                    "node " + context.nodeMap().ownNodeId() + " is connecting to node " + hello.nodeId() + " itself",
                    () -> c.state() != IbConnection.State.CONNECTING);
        }
        return null;
    }

    /**
     * The hello says that the connection is over: the other node has made another one, or was started again. That may be false, so
     * the other side of the connection is asked. It answers: the hello is refused. It does not know the connection any more: its
     * side channel is cut, or its machine resets it, and the connection ends. It is silent: the connection ends when that was so
     * for {@code ib.keepAliveMs}.
     */
    private Decision probe(IbConnection c, Hello hello) throws RefusedException {
        LifeProbe probe = probes.get(hello);
        if (probe == null || probe.connection() != c || probe.isNotSent()) {
            probe = transport.sides().probe(c);
            probes.put(hello, probe);
        } else if (probe.isAnswered()) {
            throw new RefusedException(
                    c.counterpart().isOfAnotherRunThan(hello)
                            ? "node id " + hello.nodeId() + " is in use by another running node"
                            : "node " + hello.nodeId() + " is connected already, and its connection answers");
        }
        return new Later(previousNotEnded(hello), probe::isOver);
    }

    private static String previousNotEnded(Hello hello) {
        return "the previous connection of node " + hello.nodeId() + " has not ended yet: try again";
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
            connection.establishingFailed();
            context.incomingFailed(connection.connection());
        }
    }
}
