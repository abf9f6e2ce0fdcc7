package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.WireOpening;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The active side of opening a connection: sends the address of this side's queue pair, connects it
 * to the one that the other node answers with, and reports that it is ready; again, where the other
 * node's attempt ended this one and failed. The connecting thread.
 */
final class IbOpening extends WireOpening<IbConnection> {
    /** How long to wait for the other node's attempt, or for a queue pair, before asking again. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Connections<IbConnection> connections; // that number the attempts
    private final ControlChannels sides; // where the channel stays after the handshake
    private final DeviceEvents events;
    private final long deadlineNs; // of System.nanoTime()
    private long attempt = IbConnection.NOT_BEGUN; // of this node to open it
    private ConnectionKey proved; // null: the handshake has none

    IbOpening(
            TransportContext context,
            Connections<IbConnection> connections,
            ControlChannels sides,
            DeviceEvents events,
            IbConnection connection,
            long deadlineNs) {
        super(context, IbOptions.NAME, connection);
        this.connections = connections;
        this.sides = sides;
        this.events = events;
        this.deadlineNs = deadlineNs;
    }

    /**
     * Returns when the connection may be used.
     *
     * @param connector for the handshake
     * @param address of the other node's acceptor
     * @throws NodeUnreachableException if it can't be opened, or not in time
     */
    void open(Connector connector, InetSocketAddress address) throws NodeUnreachableException {
        while (!connection.isUsable()) {
            checkMayOpen();
            if (begin()) {
                attempt(connector, address);
            } else if (!connection.awaitOpening(deadlineNs)) {
                throw unreachable("interrupted");
            }
        }
    }

    private void checkMayOpen() throws NodeUnreachableException {
        String deviceFailure = events.failure();
        if (deviceFailure != null) {
            throw unreachable(deviceFailure);
        }
        // The failed attempt may be the other node's, which it abandoned:
        // another connection may succeed.
        if (connection.failure() != null) {
            throw new StaleConnectionException("node " + nodeId() + " can't be reached: " + connection.failure());
        }
        if (isClosed()) {
            throw new StaleConnectionException("the " + connection.connection() + " was closed while it was opened");
        }
        if (System.nanoTime() - deadlineNs > 0) {
            throw unreachable("it did not answer in time");
        }
    }

    /** Begins an attempt; false where the other node's is under way. */
    boolean begin() {
        attempt = connection.beginConnecting(connections::nextId);
        return attempt != IbConnection.NOT_BEGUN;
    }

    private void attempt(Connector connector, InetSocketAddress address) throws NodeUnreachableException {
        try {
            if (nodeId() == context.nodeMap().ownNodeId()) {
                openToItself();
            } else {
                connector.connect(this, address, deadlineNs);
            }
        } catch (NodeUnreachableException e) {
            boolean retry = connection.connectingFailed(attempt);
            ConnectionState now = connection.state();
            if (!retry && (now == ConnectionState.NEW || now.isClosed())) {
                throw e;
            } // else the other node was faster, or it failed
        } catch (ConnectionSlots.FullException e) {
            connection.connectingFailed(attempt);
            LockSupport.parkNanos(this, PAUSE_NS); // until a connection has ended, or the time is up
        } catch (IOException | VerbsException | IllegalStateException e) {
            connection.connectingFailed(attempt);
            throw unreachable(e.getMessage());
        } catch (RuntimeException | Error e) { // else no attempt would be begun any more
            connection.connectingFailed(attempt);
            throw e;
        }
    }

    private NodeUnreachableException unreachable(String why) {
        return new NodeUnreachableException("node " + nodeId() + " can't be reached: " + why);
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
    public void proved(ConnectionKey key) {
        proved = key;
    }

    @Override
    public void accepted(ByteStream channel, Reply reply) throws IOException {
        open(QpInfo.decode(reply.payload()), new PeerIdentity(reply.incarnation(), reply.connectionId()), channel);
    }

    /**
     * Connects the queue pair to itself, where a node connects to itself: there is no handshake,
     * and no control channel.
     */
    private void openToItself() throws IOException {
        open(connection.info(), new PeerIdentity(context.incarnation(), attempt), null);
    }

    private void open(QpInfo peer, PeerIdentity theirs, ByteStream channel) throws IOException {
        noteIncarnation(theirs.incarnation());
        boolean established = false;
        boolean done = false;
        try {
            established = connection.establish(peer, theirs, attempt, proved);
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
                        || !connection.awaitOpening(System.nanoTime() + PAUSE_NS)
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
