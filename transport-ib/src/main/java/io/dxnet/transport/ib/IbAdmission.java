package io.dxnet.transport.ib;

import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.Connection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Admission;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Pairing;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The passive side of opening a connection (Ibdxnet §7.1): makes this side's queue pair for the one
 * that the other node's hello describes, and answers with its address. The acceptor's thread.
 *
 * <p>Where both nodes open at once, the node with the lower id accepts, and the node with the
 * higher id lets the other wait: when its own attempt succeeded, the waiting one has nothing to do
 * any more, and else it is accepted.
 *
 * <p>A hello never ends a connection: any stranger can send one.
 */
final class IbAdmission implements Admission {
    private final TransportContext context;
    private final Connections<IbConnection> connections;
    private final ConnectionSlots slots;
    private final ClosedConnections past;
    private final ControlChannels sides;
    private final Map<Hello, LifeProbe> probes = new WeakHashMap<>(); // gone with the handshake

    IbAdmission(
            TransportContext context,
            Connections<IbConnection> connections,
            ConnectionSlots slots,
            ClosedConnections past,
            ControlChannels sides) {
        this.context = context;
        this.connections = connections;
        this.slots = slots;
        this.past = past;
        this.sides = sides;
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
        if (past.isOf(hello)) {
            throw RefusedException.stale();
        }
        for (IbConnection c = connections.first(hello.nodeId()); c != null; c = c.next()) {
            Decision later = judge(c, hello);
            if (later != null) {
                return later;
            }
        }
        Connection connection = context.incoming(hello.nodeId(), hello.incarnation(), null);
        IbConnection c = connections.of(connection);
        PeerIdentity theirs = new PeerIdentity(hello.incarnation(), hello.connectionId());
        boolean done = false;
        try {
            done = c.establish(peer, theirs, IbConnection.BY_PEER);
            return done
                    ? new Opened(context, sides, c, channel, peer)
                    : new Later(previousNotEnded(hello), () -> c.state() != ConnectionState.CONNECTING);
        } catch (ConnectionSlots.FullException e) {
            return new Later(e.getMessage(), () -> !slots.isFull());
        } catch (LockedMemory.ExceededException e) {
            context.error("node " + hello.nodeId() + " can't be connected", e);
            throw new RefusedException(LockedMemory.ExceededException.REASON);
        } catch (VerbsException | IllegalStateException e) {
            throw new RefusedException("its queue pair could not be connected: " + e.getMessage());
        } finally {
            if (!done) {
                context.incomingFailed(connection);
            }
        }
    }

    /** Returns what an open connection to the same node means for the new one; null: nothing. */
    private Decision judge(IbConnection c, Hello hello) throws RefusedException {
        boolean isInUse = c.isInUse();
        boolean goesFirst = context.nodeMap().ownNodeId() > hello.nodeId();
        Pairing.Claim claim = c.pairing().judge(hello, isInUse, goesFirst);
        return switch (claim) {
            case MINE, NONE -> {
                if (isInUse && c.pairing().peer().isOf(hello)) { // or of an earlier attempt to open it
                    throw RefusedException.connectedAlready(hello.nodeId());
                } else if (claim == Pairing.Claim.MINE) {
                    throw RefusedException.stale();
                }
                yield null; // the hello is of its successor
            }
            case SUPERSEDED, OTHER_RUN -> probe(c, hello);
            case LATER ->
                new Later(
                        "node " + context.nodeMap().ownNodeId() + " is connecting to node " + hello.nodeId()
                                + " itself",
                        () -> c.state() != ConnectionState.CONNECTING);
        };
    }

    /**
     * The hello claims that the connection is over: the other node has made another one, or was
     * started again. That may be false, so the other side of the connection is asked. It answers:
     * the hello is refused. It does not know the connection any more: its control channel is cut,
     * or its machine resets it, and the connection ends. It is silent: the connection ends when
     * that was so for {@code ib.keepAliveMs}.
     */
    private Decision probe(IbConnection c, Hello hello) throws RefusedException {
        LifeProbe probe = probes.get(hello);
        if (probe == null || !probe.isOf(c) || probe.isNotSent()) {
            probe = sides.probe(c);
            probes.put(hello, probe);
        } else if (probe.isAnswered()) {
            throw new RefusedException(
                    c.pairing().peer().isOfAnotherRunThan(hello)
                            ? "node id " + hello.nodeId() + " is in use by another running node"
                            : "node " + hello.nodeId() + " is connected already, and its connection answers");
        }
        return new Later(previousNotEnded(hello), probe::isOver);
    }

    private static String previousNotEnded(Hello hello) {
        return "the previous connection of node " + hello.nodeId() + " has not ended yet: try again";
    }

    /** Connected, but the other side has not reported that it is ready. */
    private record Opened(
            TransportContext context,
            ControlChannels sides,
            IbConnection connection,
            SocketChannel channel,
            QpInfo peer)
            implements Accepted {
        @Override
        public Reply reply() {
            return Reply.accepting(
                    context.incarnation(),
                    connection.pairing().id(),
                    connection.info().encode());
        }

        @Override
        public void replied() {
            sides.watch(connection, channel, peer.keepAliveMs());
        }

        @Override
        public void replyFailed(String detail) {
            Channels.closeQuietly(channel);
            connection.establishingFailed();
            context.incomingFailed(connection.connection());
        }
    }
}
