package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The active side of opening a connection: tells of this side's queue pair, connects it to the one that the other node answers with,
 * and says that it is ready. The connecting thread only.
 */
final class IbOpening implements Connector.Opening {
    private final TransportContext context;
    private final IbTransport transport;
    private final IbConnection connection;
    private final long attempt;
    private final long deadlineNs;

    IbOpening(TransportContext context, IbTransport transport, IbConnection connection, long attempt, long deadlineNs) {
        this.context = context;
        this.transport = transport;
        this.connection = connection;
        this.attempt = attempt;
        this.deadlineNs = deadlineNs;
    }

    @Override
    public int nodeId() {
        return connection.nodeId();
    }

    @Override
    public boolean connecting(SocketChannel channel) {
        return connection.connecting(attempt, channel);
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public Hello hello() {
        return Hello.of(
                context.config(),
                IbOptions.NAME,
                context.nodeMap().ownNodeId(),
                connection.nodeId(),
                context.incarnation(),
                attempt,
                0,
                transport.info(connection).encode());
    }

    @Override
    public void accepted(SocketChannel channel, Reply reply) throws IOException {
        QpInfo peer = QpInfo.decode(reply.payload());
        noteIncarnation(reply.incarnation());
        boolean established = false;
        boolean done = false;
        try {
            established = connection.establish(peer, reply.incarnation(), reply.connectionId(), attempt);
            if (!established) {
                throw new StaleConnectionException(
                        "the " + connection.connection() + " was closed, or opened by the other node");
            }
            channel.write(ByteBuffer.wrap(new byte[] {SideChannel.READY}));
            channel.configureBlocking(false);
            transport.sides().watch(connection, channel, peer.keepAliveMs());
            transport.peerIsReady(connection);
            done = true;
        } catch (VerbsException | IllegalStateException e) {
            throw new IOException("the queue pair could not be connected: " + e.getMessage(), e);
        } finally {
            if (!done) {
                takeBack(established);
            }
        }
    }

    /** Undoes what this attempt did; what the acceptor has made of the connection meanwhile stays. */
    private void takeBack(boolean established) {
        if (established && !connection.establishingFailed()) {
            connection.fail("the side channel broke in the handshake"); // a message of the other node was faster
        }
        if (!connection.isEstablished()) {
            context.incomingFailed(connection.connection());
        }
    }

    private void noteIncarnation(long incarnation) throws NodeUnreachableException {
        for (; ; ) {
            try {
                context.incoming(connection.nodeId(), incarnation, connection.connection());
                return;
            } catch (RefusedException e) {
                // The acceptor may be just about to decide on the other node's own attempt: it succeeds, or
                // takes this back.
                boolean wait = (e.isTemporary() || e.isExpected()) && System.nanoTime() - deadlineNs < 0;
                if (!wait || !connection.awaitOtherAttempt()) {
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
