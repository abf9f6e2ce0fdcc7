package io.dxnet.transport.nio;

import static io.dxnet.transport.connection.ConnectionState.FREED;
import static io.dxnet.transport.connection.ConnectionState.USABLE;

import io.dxnet.transport.Connection;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.WireConnection;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A TCP connection: its two pipes. It starts with one of them, gets the other when the other
 * direction is opened, and ends when the engine closes it.
 *
 * <p>Any thread, where nothing else is specified. The monitor is never held during I/O other than
 * closing a channel that is not registered.
 */
final class NioConnection extends WireConnection<NioConnection> {
    /** The agent that sends and receives for a connection. */
    interface Driver {
        /** Posts an interest, and signals the agent where it waits. Any thread. */
        void post(int nodeId, int interest);

        /** Visits a connection in every duty cycle, as long as it needs that. The agent. */
        void attend(NioConnection connection);
    }

    private final Driver driver;
    private volatile OutgoingPipe outgoing; // under the monitor, once
    private volatile IncomingPipe incoming; // under the monitor, once
    private boolean attended; // the agent: it is in the agent's list

    NioConnection(Connection connection, long id, Driver driver) {
        super(connection, id, 2); // the ring's use, the pool's use
        this.driver = driver;
    }

    /** Returns the direction from this node; null as long as it is not open. */
    OutgoingPipe outgoing() {
        return outgoing;
    }

    /** Returns the direction to this node; null as long as it is not open. */
    IncomingPipe incoming() {
        return incoming;
    }

    void post(int interest) {
        driver.post(nodeId(), interest);
    }

    /** Asks for a visit in every duty cycle. The agent. */
    void attend() {
        if (!attended) {
            attended = true;
            driver.attend(this);
        }
    }

    /** The agent removed it from its list. The agent. */
    void unattended() {
        attended = false;
    }

    /**
     * Opens the direction from this node on a channel whose handshake is done; false where it does
     * not belong here any more.
     */
    synchronized boolean attachOutgoing(ByteStream channel, Reply reply) {
        handshake(null);
        boolean attached = state().isAlive()
                && pairing().attachOutgoing(new PeerIdentity(reply.incarnation(), reply.connectionId()));
        if (attached) {
            outgoing = new OutgoingPipe(this, channel);
            advance(USABLE);
        }
        return attached;
    }

    /**
     * Opens the direction to this node on a channel whose handshake is done but for the reply;
     * false as above.
     */
    synchronized boolean attachIncoming(ByteStream channel, Hello hello, TransportContext context) {
        boolean attached = state().isAlive()
                && pairing().attachIncoming(new PeerIdentity(hello.incarnation(), hello.connectionId()));
        if (attached) {
            incoming = new IncomingPipe(this, channel, context);
            advance(USABLE);
        }
        return attached;
    }

    /**
     * Makes the kernel probe the other node: if the connection is dead, the kernel reports its end
     * within seconds.
     */
    void probe() {
        pipes().forEach(pipe -> pipe.channel().probe());
    }

    private Stream<Pipe> pipes() {
        return Stream.of(outgoing, incoming).filter(Objects::nonNull);
    }

    @Override
    protected void dataPosted() {
        OutgoingPipe out = outgoing;
        if (out != null && !out.attended()) {
            post(Interest.WRITE);
        }
    }

    @Override
    protected boolean sendNow() {
        OutgoingPipe out = outgoing;
        return out != null && out.sendByCaller();
    }

    @Override
    protected void flowControlPosted() {
        post(Interest.WRITE_FC);
    }

    @Override
    protected void failed() {
        post(Interest.CLOSE);
    }

    @Override
    protected void stopReceiving() {
        pipes().forEach(Pipe::quiet);
    }

    /** Frees everything, once. The agent. */
    void finish() {
        if (!advance(FREED)) {
            return;
        }
        closeHandshake(); // under the monitor: no pipe is attached afterwards
        if (incoming != null) {
            incoming.close();
        }
        if (outgoing != null) {
            outgoing.seal();
            outgoing.close();
        } else {
            release(); // in the place of the pipe
        }
        release();
    }
}
