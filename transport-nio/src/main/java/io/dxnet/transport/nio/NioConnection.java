package io.dxnet.transport.nio;

import io.dxnet.transport.Connection;
import io.dxnet.transport.ConnectionTable;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Counterpart;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Pairing;
import io.dxnet.transport.handshake.PairingDecision;
import io.dxnet.transport.handshake.Reply;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The transport's state of a connection: its two pipes, and where it is in its life. It starts with one pipe, gets the other
 * when the other direction is opened, and ends when the engine closes it.
 *
 * <p>Any thread, where nothing else is said. Changes of pipes and closing exclude each other by this object's monitor, which is
 * never held during I/O other than closing a channel that is not registered.
 */
final class NioConnection extends ConnectionTable.Entry<NioConnection> {
    /** Whether and how the engine closed it; only grows. */
    enum CloseMode {
        OPEN,
        ORDERLY,
        NOW
    }

    private final Connection connection;
    private final Pairing pairing;
    private final SelectorAgent agent;
    private final AtomicReference<String> failure = new AtomicReference<>(); // the first one counts
    private final AtomicInteger holds = new AtomicInteger(2); // the ring's use, the pool's use
    private volatile OutgoingPipe outgoing; // under the monitor, once
    private volatile IncomingPipe incoming; // under the monitor, once
    private volatile CloseMode closeMode = CloseMode.OPEN; // under the monitor
    private SocketChannel connecting; // under the monitor: a channel in the active handshake

    // The selector agent only:
    private boolean attended; // it is in the agent's list
    private boolean lost; // the engine was told
    private boolean lingering;
    private boolean finished;
    private long failedNs; // when failure was seen
    private boolean failing; // failedNs is set
    private long lingerEndNs;

    NioConnection(Connection connection, long id, SelectorAgent agent) {
        this.connection = connection;
        this.pairing = new Pairing(id);
        this.agent = agent;
    }

    Connection connection() {
        return connection;
    }

    /** Which connection of the other node it leads to. */
    Pairing pairing() {
        return pairing;
    }

    /** How far its end has come. */
    PairingDecision.Stage stage() {
        if (closeMode != CloseMode.OPEN) {
            return PairingDecision.Stage.CLOSED;
        }
        return connection.isOpen() ? PairingDecision.Stage.OPEN : PairingDecision.Stage.ENDING;
    }

    @Override
    public int nodeId() {
        return connection.nodeId();
    }

    /** Null as long as this direction is not open. */
    OutgoingPipe outgoing() {
        return outgoing;
    }

    /** Null as long as this direction is not open. */
    IncomingPipe incoming() {
        return incoming;
    }

    void post(int interest) {
        agent.post(nodeId(), interest);
    }

    /** Asks for a visit in every duty cycle. Selector agent only. */
    void attend() {
        if (!attended) {
            attended = true;
            agent.attend(this);
        }
    }

    // ---------------------------------------------------------------- opening

    /** Says which channel is in the active handshake, so that closing ends it; false when it is closed already. */
    synchronized boolean connecting(SocketChannel channel) {
        connecting = channel;
        return closeMode == CloseMode.OPEN;
    }

    /** Opens the direction from this node on a channel whose handshake is done; false where it does not belong here any more. */
    synchronized boolean attachOutgoing(SocketChannel channel, Reply reply) {
        connecting = null;
        boolean attached =
                mayAttach() && pairing.attachOutgoing(new Counterpart(reply.incarnation(), reply.connectionId()));
        if (attached) {
            outgoing = new OutgoingPipe(this, channel);
        }
        return attached;
    }

    /** Opens the direction to this node on a channel whose handshake is done but for the reply; false as above. */
    synchronized boolean attachIncoming(SocketChannel channel, Hello hello, TransportContext context) {
        boolean attached =
                mayAttach() && pairing.attachIncoming(new Counterpart(hello.incarnation(), hello.connectionId()));
        if (attached) {
            incoming = new IncomingPipe(this, channel, context);
        }
        return attached;
    }

    private boolean mayAttach() {
        return closeMode == CloseMode.OPEN && failure.get() == null;
    }

    /** Makes the kernel ask the other node for a sign of life: of a dead connection, it then reports the end within seconds. */
    void probe() {
        OutgoingPipe out = outgoing;
        IncomingPipe in = incoming;
        if (out != null) {
            out.probe();
        }
        if (in != null) {
            in.probe();
        }
    }

    // ---------------------------------------------------------------- failing and closing

    /** The connection broke: the selector agent will tell the engine, after it handed over what is left to read. */
    void fail(String detail) {
        if (failure.compareAndSet(null, detail)) {
            post(Interest.CLOSE);
        }
    }

    /** Why it broke; null when it did not. */
    String failure() {
        return failure.get();
    }

    CloseMode closeMode() {
        return closeMode;
    }

    /**
     * The engine closes it.
     *
     * @return false when it did before
     */
    boolean requestClose(boolean orderly) {
        CloseMode mode = orderly ? CloseMode.ORDERLY : CloseMode.NOW;
        synchronized (this) {
            if (closeMode.compareTo(mode) >= 0) {
                return false;
            }
            closeMode = mode;
            Channels.closeQuietly(connecting);
            connecting = null;
        }
        if (mode == CloseMode.NOW && outgoing != null) {
            outgoing.seal();
        }
        post(Interest.CLOSE);
        return true;
    }

    /** Called once, by the outgoing pipe or in its place. */
    void ringReleased() {
        release();
    }

    private void release() {
        if (holds.decrementAndGet() == 0) {
            connection.released();
        }
    }

    // ---------------------------------------------------------------- selector agent only

    boolean lost() {
        return lost;
    }

    /** Tells the engine, and stops reading and writing until it closes the connection. */
    void reportLost(TransportContext context) {
        lost = true;
        if (outgoing != null) {
            outgoing.quiet();
        }
        if (incoming != null) {
            incoming.quiet();
        }
        context.connectionLost(connection, failure.get());
    }

    boolean lingering() {
        return lingering;
    }

    void startLingering(long endNs) {
        lingering = true;
        lingerEndNs = endNs;
        if (incoming != null) {
            incoming.startDiscarding();
        }
    }

    long lingerEndNs() {
        return lingerEndNs;
    }

    /** When it was first seen that it failed. */
    long failedNs(long nowNs) {
        if (!failing) {
            failing = true;
            failedNs = nowNs;
        }
        return failedNs;
    }

    void unattended() {
        attended = false;
    }

    boolean finished() {
        return finished;
    }

    /** Frees everything, once. */
    void finish() {
        if (finished) {
            return;
        }
        finished = true;
        synchronized (this) {
            closeMode = CloseMode.NOW; // nothing is attached any more
            Channels.closeQuietly(connecting);
            connecting = null;
        }
        if (incoming != null) {
            incoming.close();
        }
        if (outgoing != null) {
            outgoing.seal();
            outgoing.close();
        } else {
            ringReleased();
        }
        release();
    }
}
