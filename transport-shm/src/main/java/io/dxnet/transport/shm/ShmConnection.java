package io.dxnet.transport.shm;

import static io.dxnet.transport.connection.ConnectionState.CLOSED;
import static io.dxnet.transport.connection.ConnectionState.FREED;
import static io.dxnet.transport.connection.ConnectionState.USABLE;

import io.dxnet.transport.Connection;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.WireConnection;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Selector;

/**
 * A connection through shared memory: its two directions. It starts with one of them, gets the
 * other when the other node opens it, and ends when the engine closes it. Any thread, where nothing
 * else is specified.
 */
final class ShmConnection extends WireConnection<ShmConnection> {
    /** An interest: a direction was opened. */
    static final int OPENED = 1;
    /** An interest: flow-control data is to be sent. */
    static final int FLOW_CONTROL = 1 << 1;
    /** An interest: the ring's data is to be sent. */
    static final int WRITE = 1 << 2;
    /** An interest: the connection ends. */
    static final int CLOSE = 1 << 3;

    static final String CUT_OFF = "the other node made the file of the shared memory shorter";

    /** Posts an interest to the agent, and wakes it up where it waits. Any thread. */
    @FunctionalInterface
    interface Driver {
        void post(int nodeId, int interest);
    }

    private final Driver driver;
    private volatile Outgoing outgoing; // under the monitor, once
    private volatile Incoming incoming; // under the monitor, once
    private boolean listed; // the agent: it is in the agent's list

    ShmConnection(Connection connection, long id, Driver driver) {
        super(connection, id, 2); // the ring's use, the pool's use
        this.driver = driver;
    }

    /** Returns the direction from this node; null as long as it is not open. */
    Outgoing outgoing() {
        return outgoing;
    }

    /** Returns the direction to this node; null as long as it is not open. */
    Incoming incoming() {
        return incoming;
    }

    void post(int interest) {
        driver.post(nodeId(), interest);
    }

    /**
     * Opens the direction from this node; false where it does not belong here any more: then
     * channel and file are the caller's.
     */
    synchronized boolean attachOutgoing(ByteStream channel, Reply reply, RingFile file) {
        handshake(null);
        boolean attached = state().isAlive()
                && pairing().attachOutgoing(new PeerIdentity(reply.incarnation(), reply.connectionId()));
        if (attached) {
            outgoing = new Outgoing(this, new SideChannel(channel), file);
            advance(USABLE);
        }
        return attached;
    }

    /** Opens the direction to this node, but for the reply; false as above. */
    synchronized boolean attachIncoming(ByteStream channel, Hello hello, RingFile file, TransportContext context) {
        boolean attached = state().isAlive()
                && pairing().attachIncoming(new PeerIdentity(hello.incarnation(), hello.connectionId()));
        if (attached) {
            incoming = new Incoming(context, connection(), new SideChannel(channel), file);
            advance(USABLE);
        }
        return attached;
    }

    @Override
    protected void dataPosted() {
        Outgoing out = outgoing;
        if (out != null && !out.isAttended()) {
            post(WRITE);
        }
    }

    @Override
    protected boolean sendNow() {
        Outgoing out = outgoing;
        return out != null && out.sendByCaller();
    }

    @Override
    protected void flowControlPosted() {
        post(FLOW_CONTROL);
    }

    @Override
    protected void failed() {
        post(CLOSE);
    }

    @Override
    protected void stopReceiving() {
        abandon();
        if (incoming != null) {
            incoming.discard();
        }
    }

    @Override
    public boolean close(ConnectionState end) {
        boolean closed = super.close(end);
        if (closed && end == CLOSED && outgoing != null) {
            outgoing.seal();
        }
        return closed;
    }

    // ---------------------------------------------------------------- the agent

    /** Puts it into the agent's list; returns whether it was not there. */
    boolean list() {
        boolean isNew = !listed;
        listed = true;
        return isNew;
    }

    /** Registers the channels of the directions that were opened. */
    void register(Selector selector) throws ClosedChannelException {
        if (outgoing != null) {
            outgoing.channel().register(selector, this);
        }
        if (incoming != null) {
            incoming.channel().register(selector, this);
        }
    }

    /** Reads the channels, and fails where the other node has hung up. */
    void drainChannels(ByteBuffer scratch) {
        boolean ended = false;
        if (outgoing != null) {
            outgoing.channel().drain(scratch);
            ended = outgoing.channel().hasEnded();
        }
        if (incoming != null) {
            incoming.channel().drain(scratch);
            ended |= incoming.channel().hasEnded();
        }
        if (ended) {
            fail("the other node closed the connection");
        }
    }

    /** Returns whether a poll would find something. */
    boolean hasWork() {
        return switch (state()) {
            case USABLE, FAILED -> outgoing != null && outgoing.hasWork() || incoming != null && incoming.hasWork();
            default -> false;
        };
    }

    /** Returns whether it waits for something that is not announced. */
    boolean needsVisits() {
        return switch (state()) {
            case FAILED, LINGERING, CLOSED -> true;
            case USABLE -> incoming != null && incoming.isStalled();
            default -> false;
        };
    }

    /** Has the other node wake this one up. */
    void announceSleep() {
        if (state() == USABLE) {
            if (outgoing != null) {
                outgoing.announceSleep();
            }
            if (incoming != null) {
                incoming.announceSleep();
            }
        }
    }

    void awake() {
        if (state() == USABLE) {
            if (outgoing != null) {
                outgoing.awake();
            }
            if (incoming != null) {
                incoming.awake();
            }
        }
    }

    /** Returns whether the other process has cut off the memory of a direction. */
    boolean isCutOff() {
        return outgoing != null && outgoing.file().isCutOff()
                || incoming != null && incoming.file().isCutOff();
    }

    /** Uses the shared memory no more. */
    void abandon() {
        if (outgoing != null) {
            outgoing.abandon();
        }
        if (incoming != null) {
            incoming.abandon();
        }
    }

    /** Frees everything, once. */
    void finish() {
        if (!advance(FREED)) {
            return;
        }
        closeHandshake(); // under the monitor: no direction is attached afterwards
        if (incoming != null) {
            incoming.close();
        }
        if (outgoing != null) {
            outgoing.close();
        }
        release();
        release();
    }
}
