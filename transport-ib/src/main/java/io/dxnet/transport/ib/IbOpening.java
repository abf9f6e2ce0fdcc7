package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
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
    private final long deadlineNs;

    IbOpening(TransportContext context, IbTransport transport, IbConnection connection, long deadlineNs) {
        this.deadlineNs = deadlineNs;
        this.context = context;
        this.transport = transport;
        this.connection = connection;
    }

    @Override
    public int nodeId() {
        return connection.nodeId();
    }

    @Override
    public boolean connecting(SocketChannel channel) {
        return connection.connecting(channel);
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
                connection.id(),
                0,
                transport.info(connection).encode());
    }

    @Override
    public void accepted(SocketChannel channel, Reply reply) throws IOException {
        QpInfo peer = QpInfo.decode(reply.payload());
        noteIncarnation(reply.incarnation());
        boolean done = false;
        try {
            if (!connection.establish(peer, reply.incarnation(), reply.connectionId(), true)) {
                throw new IOException("the connection was closed, or opened by the other node");
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
                connection.acceptingFailed();
                context.incomingFailed(connection.connection());
            }
        }
    }

    private void noteIncarnation(long incarnation) throws NodeUnreachableException {
        for (; ; ) {
            try {
                context.incoming(connection.nodeId(), incarnation, connection.connection());
                return;
            } catch (RefusedException e) {
                // The acceptor may be just about to decide on the other node's own attempt: it succeeds, or takes this
                // back.
                boolean wait = e.isTemporary() && System.nanoTime() - deadlineNs < 0;
                if (!wait || !connection.awaitOtherAttempt()) {
                    throw new NodeUnreachableException(
                            "node " + connection.nodeId() + " was connected otherwise meanwhile: " + e.getMessage(), e);
                }
            }
        }
    }
}
