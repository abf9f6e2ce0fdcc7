package io.dxnet.transport.ib;

import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.connection.WireAdmission;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The passive side of opening a connection (Ibdxnet §7.1): makes this side's queue pair for the one
 * that the other node's hello describes, and answers with its address. The acceptor's thread.
 *
 * <p>Where both nodes open at once, the node with the lower id accepts, and the node with the
 * higher id lets the other wait: when its own attempt succeeded, the waiting one has nothing to do
 * any more, and else it is accepted.
 */
final class IbAdmission extends WireAdmission<IbConnection> {
    private final ConnectionSlots slots;
    private final ControlChannels sides;
    private final DeviceEvents events;
    private final Map<Hello, ConnectionKey> keys = new WeakHashMap<>(); // gone with the handshake
    private final Map<Hello, Question> questions = new WeakHashMap<>(); // the same

    /** Asked because of a hello that claims the contrary: is the connection open on your side? */
    private record Question(IbConnection connection, ControlChannel side, int number) {
        boolean isAnswered() {
            return side.isAnswered(number);
        }

        /** Returns whether there is something to decide. */
        boolean isOver() {
            return isAnswered() || !connection.isInUse();
        }
    }

    IbAdmission(
            TransportContext context,
            Connections<IbConnection> connections,
            ConnectionSlots slots,
            ControlChannels sides,
            DeviceEvents events) {
        super(context, IbOptions.NAME, connections);
        this.slots = slots;
        this.sides = sides;
        this.events = events;
    }

    @Override
    public void proved(Hello hello, ConnectionKey key) {
        keys.put(hello, key);
    }

    @Override
    public Decision open(Hello hello, ByteStream channel) throws RefusedException {
        peer(hello);
        return super.open(hello, channel);
    }

    private static QpInfo peer(Hello hello) throws RefusedException {
        try {
            return QpInfo.decode(hello.payload());
        } catch (IOException e) {
            throw new RefusedException(e.getMessage());
        }
    }

    @Override
    protected Decision attach(IbConnection c, Hello hello, ByteStream channel) throws RefusedException {
        if (c.sendQueue() != null) {
            throw RefusedException.stale(); // a queue pair serves both directions: it is open, or has ended
        }
        QpInfo peer = peer(hello);
        boolean done = false;
        try {
            if (events.failure() != null) { // the queue pair might connect, and nothing would be received
                throw new RefusedException("its RDMA device failed: " + events.failure());
            }
            PeerIdentity theirs = new PeerIdentity(hello.incarnation(), hello.connectionId());
            done = c.establish(peer, theirs, IbConnection.BY_PEER, keys.get(hello));
            return done
                    ? accepted(c, channel, peer.keepAliveMs())
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
                context.incomingFailed(c.connection());
            }
        }
    }

    /** Connected, but the other side has not reported that it is ready. */
    private Accepted accepted(IbConnection c, ByteStream channel, int keepAliveMs) {
        return new Accepted(
                () -> Reply.accepting(
                        context.incarnation(), c.pairing().id(), c.info().encode()),
                () -> sides.watch(c, channel, keepAliveMs),
                detail -> {
                    Channels.closeQuietly(channel);
                    if (c.establishingFailed()) {
                        context.incomingFailed(c.connection());
                    } else { // the other node has the reply and uses it, and nothing watches the channel
                        c.fail(detail);
                    }
                });
    }

    /**
     * The hello claims that the connection is over: the other node has made another one, or was
     * started again. That may be false, so the other side of the connection is asked. It answers:
     * the hello is refused. It does not know the connection any more: its control channel is cut,
     * or its machine resets it, and the connection ends. It is silent: the connection ends when
     * that was so for {@code ib.keepAliveMs}.
     */
    @Override
    protected Later probe(IbConnection c, Hello hello) throws RefusedException {
        ControlChannel side = c.side();
        if (side == null) { // it is asked when there is one
            return new Later(previousNotEnded(hello), () -> c.side() != null || !c.isInUse());
        }
        Question asked = questions.get(hello);
        if (asked == null || asked.connection != c) {
            asked = new Question(c, side, side.ask());
            questions.put(hello, asked);
            sides.post(c.nodeId(), Interest.WRITE);
        } else if (asked.isAnswered()) {
            throw new RefusedException(
                    c.pairing().peer().isOfAnotherRunThan(hello)
                            ? "node id " + hello.nodeId() + " is in use by another running node"
                            : "node " + hello.nodeId() + " is connected already, and its connection answers");
        }
        return new Later(previousNotEnded(hello), asked::isOver);
    }
}
