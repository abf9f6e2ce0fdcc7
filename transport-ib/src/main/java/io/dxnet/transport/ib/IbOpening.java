package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.WireOpening;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The active side of opening a connection: sends the address of this side's queue pair, connects it
 * to the one that the other node answers with, and reports that it is ready. The connecting thread.
 */
final class IbOpening extends WireOpening<IbConnection> {
    /** How long to wait for the decision on the other node's attempt before asking again. */
    private static final long DECISION_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ControlChannels sides; // where the channel stays after the handshake
    private final long attempt; // of this node to open it
    private final long deadlineNs; // of System.nanoTime()

    IbOpening(TransportContext context, ControlChannels sides, IbConnection connection, long attempt, long deadlineNs) {
        super(context, IbOptions.NAME, connection);
        this.sides = sides;
        this.attempt = attempt;
        this.deadlineNs = deadlineNs;
    }

    @Override
    public boolean connecting(SocketChannel channel) {
        return connection.connecting(attempt, channel);
    }

    @Override
    public Hello hello() {
        return hello(attempt, 0, connection.info().encode());
    }

    @Override
    public void accepted(ByteStream channel, Reply reply) throws IOException {
        open(QpInfo.decode(reply.payload()), new PeerIdentity(reply.incarnation(), reply.connectionId()), channel);
    }

    /**
     * Connects the queue pair to itself, where a node connects to itself: there is no handshake,
     * and no control channel.
     */
    void openToItself() throws IOException {
        open(connection.info(), new PeerIdentity(context.incarnation(), attempt), null);
    }

    private void open(QpInfo peer, PeerIdentity theirs, ByteStream channel) throws IOException {
        noteIncarnation(theirs.incarnation());
        boolean established = false;
        boolean done = false;
        try {
            established = connection.establish(peer, theirs, attempt);
            if (!established) {
                throw new StaleConnectionException(
                        "the " + connection.connection() + " was closed, or opened by the other node");
            }
            if (channel != null) {
                channel.write(ByteBuffer.wrap(new byte[] {ControlChannel.READY}));
                channel.socket().configureBlocking(false);
                sides.watch(connection, channel, peer.keepAliveMs());
            }
            connection.peerReady();
            done = true;
        } catch (VerbsException | IllegalStateException e) {
            throw new IOException("the queue pair could not be connected: " + e.getMessage(), e);
        } finally {
            if (!done) {
                takeBack(established);
            }
        }
    }

    /**
     * Undoes what this attempt did; what the acceptor has made of the connection meanwhile stays.
     */
    private void takeBack(boolean established) {
        if (established && !connection.establishingFailed()) {
            connection.fail("the control channel broke in the handshake"); // a message of the other node was faster
        }
        if (connection.sendQueue() == null) {
            context.incomingFailed(connection.connection());
        }
    }

    private void noteIncarnation(long incarnation) throws NodeUnreachableException {
        for (; ; ) {
            try {
                context.incoming(connection.nodeId(), incarnation, connection.connection());
                return;
            } catch (RefusedException e) {
                // The acceptor may be about to decide on the other node's own
                // attempt: it succeeds, or undoes this.
                boolean wait = (e.isTemporary() || e.isExpected()) && System.nanoTime() - deadlineNs < 0;
                if (!wait
                        || !connection.awaitOpening(System.nanoTime() + DECISION_NS)
                        || connection.state() != ConnectionState.CONNECTING) {
                    String message =
                            "node " + connection.nodeId() + " was connected otherwise meanwhile: " + e.getMessage();
                    throw e.isStale()
                            ? new StaleConnectionException(message)
                            : new NodeUnreachableException(message, e);
                }
            }
        }
    }
}
