package io.dxnet.transport.ib;

import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.WcStatus;
import io.dxnet.transport.Connection;
import io.dxnet.transport.ConnectionTable;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Counterpart;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The transport's state of a connection: one reliable queue pair for both directions, and a side channel that tells when the other
 * node ends.
 *
 * <p>One of the two nodes opens it. Where both do at once, the one with the higher id goes on and the one with the lower id takes
 * what the other opens. Any thread, where nothing else is said; changes of state exclude each other by this object's monitor.
 */
final class IbConnection extends ConnectionTable.Entry<IbConnection> {
    /** Where it is in its life; only grows, but for an attempt that failed. */
    enum State {
        /** Nobody has begun. */
        NEW,
        /** This node is opening it. */
        CONNECTING,
        /** The other node has opened it, and has not said yet that it is ready. */
        ACCEPTED,
        /** Both may send. */
        USABLE,
        /** The engine closed it. */
        CLOSED
    }

    /** Whether and how the engine closed it; only grows. */
    enum CloseMode {
        OPEN,
        ORDERLY,
        NOW
    }

    /** Stands for the other node's attempt, where this node's attempts have a number. */
    static final long BY_PEER = 0;

    private static final int LOOK_MS = 20; // how often a thread that waits for the opening looks whether it failed

    private final Connection connection;
    private volatile long id; // under the monitor
    private final SendEndpoint endpoint;
    private final IbTransport transport;
    private final SendStream stream = new SendStream(this);
    private final AtomicReference<String> failure = new AtomicReference<>(); // the first one counts
    private volatile State state = State.NEW; // under the monitor
    private volatile CloseMode closeMode = CloseMode.OPEN; // under the monitor
    private final LocalQueuePair queuePair;
    private volatile SendQueue sendQueue; // under the monitor, once
    private volatile int queuePairNumber = -1; // with the queue pair, once it is connected
    private volatile long requestId; // ConnectionSlots
    private SocketChannel connecting; // under the monitor: a channel in the active handshake
    private boolean interrupted; // under the monitor: the other node's attempt ended this node's
    private Counterpart counterpart = Counterpart.NONE; // under the monitor
    private boolean receivingEnded; // the receiving agent
    private long refusedPass; // the receiving agent: IncomingRing's last one in which the engine refused its data
    private int messages; // received; the receiving agent, others see an old value at the worst
    private boolean released; // under the monitor
    private volatile SideChannel side; // the side channels' thread

    IbConnection(Connection connection, long id, SendEndpoint endpoint, IbTransport transport) {
        this.connection = connection;
        this.id = id;
        this.endpoint = endpoint;
        this.transport = transport;
        this.queuePair = new LocalQueuePair(this, transport);
    }

    Connection connection() {
        return connection;
    }

    /** Which of this node's connections and attempts to open one it is; later ones have higher numbers. */
    long id() {
        return id;
    }

    @Override
    public int nodeId() {
        return connection.nodeId();
    }

    SendEndpoint endpoint() {
        return endpoint;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    int queuePairNumber() {
        return queuePairNumber;
    }

    long requestId() {
        return requestId;
    }

    void requestId(long value) {
        requestId = value;
    }

    SideChannel side() {
        return side;
    }

    void side(SideChannel channel) {
        side = channel;
    }

    // ---------------------------------------------------------------- what it may do

    boolean isUsable() {
        return state == State.USABLE && failure.get() == null;
    }

    /** Whether what it sent is taken. The receiving agent. */
    boolean mayReceive() {
        if (closeMode != CloseMode.OPEN) {
            return false; // the engine has read everything that it wanted to
        }
        State now = receivingEnded ? State.CLOSED : state;
        if (now == State.ACCEPTED) {
            transport.peerIsReady(this); // its first message is as good as its word
            return true;
        }
        return now == State.USABLE;
    }

    /** A message came. The receiving agent. */
    void received() {
        messages++;
    }

    /** How many came; wraps, and may be old. Any thread. */
    int messages() {
        return messages;
    }

    /** The engine refused its data in a pass of the {@link IncomingRing}. The receiving agent. */
    void refused(long pass) {
        refusedPass = pass;
    }

    /** Whether its data was refused in that pass. The receiving agent. */
    boolean wasRefused(long pass) {
        return refusedPass == pass;
    }

    /** The engine is told of its end: nothing of it is taken any more. The receiving agent. */
    void endReceiving() {
        receivingEnded = true;
    }

    boolean isClosed() {
        return closeMode != CloseMode.OPEN;
    }

    CloseMode closeMode() {
        return closeMode;
    }

    State state() {
        return state;
    }

    // ---------------------------------------------------------------- opening

    /**
     * Begins an attempt of this node to open it, on the calling thread.
     *
     * @return the attempt's number, which is the connection's id now; {@link #BY_PEER}: the connection is open, being opened,
     *     or closed
     */
    synchronized long beginConnecting() {
        if (state != State.NEW || failure.get() != null) {
            return BY_PEER;
        }
        state = State.CONNECTING;
        id = transport.nextId(); // an attempt of before, whose end the other node has not noticed, has a lower one
        interrupted = false;
        return id;
    }

    private boolean isConnecting(long attempt) {
        return state == State.CONNECTING && id == attempt;
    }

    /**
     * Ends an attempt of this node without success, unless the other node has opened the connection meanwhile, or another
     * attempt has begun.
     *
     * @return whether another attempt may do better: the other node's, which failed as well, ended this one
     */
    synchronized boolean connectingFailed(long attempt) {
        if (isConnecting(attempt)) {
            connecting = null;
            state = State.NEW;
            queuePair.drop();
            notifyAll();
        }
        return state == State.NEW && interrupted;
    }

    /** Waits a little for the other node's attempt, which is being decided on; false when this node's is over. */
    synchronized boolean awaitOtherAttempt() {
        try {
            if (state == State.CONNECTING) {
                wait(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return state == State.CONNECTING;
    }

    /** Says which channel is in an attempt's handshake, so that closing ends it; false when it is not wanted any more. */
    synchronized boolean connecting(long attempt, SocketChannel channel) {
        boolean wanted = isConnecting(attempt);
        if (wanted) {
            connecting = channel;
        }
        return wanted;
    }

    /** The queue pair's address, made when first asked for. */
    synchronized QpAddress address() {
        return queuePair.address();
    }

    /**
     * Connects the queue pair. Where that fails, it is as if it had not been tried.
     *
     * @param attempt this node's attempt that opens it; {@link #BY_PEER}: the other node's, to which this node's own attempt
     *     gives way where its id is the lower one
     * @return false when it is not to be opened that way any more
     */
    synchronized boolean establish(QpInfo peer, long incarnation, long theirId, long attempt) {
        if (failure.get() != null || !isWelcome(attempt)) {
            return false;
        }
        boolean done = false;
        try {
            sendQueue = transport.createSendQueue(this, queuePair.connect(peer), peer.receiveBytesMax());
            done = true;
        } finally {
            if (!done) {
                queuePair.drop();
            }
            if (attempt == BY_PEER) {
                Channels.closeQuietly(connecting); // ours was slower
                if (!done && state == State.CONNECTING) {
                    state = State.NEW; // its queue pair is gone
                    interrupted = true;
                    notifyAll();
                }
            }
            connecting = null;
        }
        counterpart = new Counterpart(incarnation, theirId);
        queuePairNumber = queuePair.number();
        state = State.ACCEPTED;
        return true;
    }

    private boolean isWelcome(long attempt) {
        if (attempt != BY_PEER) {
            return isConnecting(attempt) && queuePair.isMade();
        }
        // Else both nodes could take what the other one opens, and wait for each other.
        return state == State.NEW || state == State.CONNECTING && transport.givesWayTo(nodeId());
    }

    /** Whether the engine uses it for new messages: once it does not, a successor may be opened. */
    boolean isInUse() {
        return closeMode == CloseMode.OPEN && connection.isOpen();
    }

    /** Whether it is established, in use, and has not failed: what a {@link LifeProbe} asks for. */
    boolean isOpen() {
        return isEstablished() && isInUse() && failure.get() == null;
    }

    /** Whether an attempt, of either node, has succeeded, and the connection is not closed. */
    boolean isEstablished() {
        State now = state;
        return now == State.ACCEPTED || now == State.USABLE;
    }

    /**
     * Takes back {@link #establish}: the other node does not know that it succeeded. Only by the thread whose call of it
     * returned true.
     *
     * @return false when both nodes use the connection already
     */
    synchronized boolean establishingFailed() {
        if (state == State.ACCEPTED) {
            state = State.NEW;
            queuePairNumber = -1;
            sendQueue = null;
            counterpart = Counterpart.NONE;
            queuePair.drop();
            notifyAll();
        }
        return state != State.USABLE;
    }

    /** Both may send; true for the first caller. */
    synchronized boolean ready() {
        if (state != State.ACCEPTED) {
            return false;
        }
        state = State.USABLE;
        notifyAll();
        return true;
    }

    /** Waits until it is usable, over, or nobody opens it; or the time is up. */
    synchronized void awaitOpening(long deadlineNs) throws InterruptedException {
        while ((state == State.CONNECTING || state == State.ACCEPTED) && failure.get() == null) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return;
            }
            wait(Math.clamp(leftNs / 1_000_000, 1, LOOK_MS));
        }
    }

    // ---------------------------------------------------------------- who the other side is

    /** Which of the other node's connections it leads to. */
    synchronized Counterpart counterpart() {
        return counterpart;
    }

    // ---------------------------------------------------------------- failing and closing

    /** The connection broke: the receiving agent will tell the engine, after it handed over what arrived. */
    void fail(String detail) {
        if (failure.compareAndSet(null, detail)) {
            // Without the monitor: who polls completions must not wait for somebody who closes the queue pair.
            transport.receiver().endLater(this);
        }
    }

    /** A work request failed: that is the queue pair's end. */
    void requestFailed(String what, WcStatus status) {
        fail(Outcomes.describe(nodeId(), what, status));
    }

    /** Why it broke; null when it did not. */
    String failure() {
        return failure.get();
    }

    /**
     * The engine closes it.
     *
     * @return false when it did before
     */
    synchronized boolean requestClose(boolean orderly) {
        CloseMode mode = orderly ? CloseMode.ORDERLY : CloseMode.NOW;
        if (closeMode.compareTo(mode) >= 0) {
            return false;
        }
        closeMode = mode;
        Channels.closeQuietly(connecting);
        connecting = null;
        if (state == State.NEW || state == State.CONNECTING) {
            state = State.CLOSED;
        }
        notifyAll();
        return true;
    }

    /** Nothing is sent or received any more. */
    synchronized void seal() {
        closeMode = CloseMode.NOW;
        state = State.CLOSED;
        notifyAll();
        if (sendQueue != null) {
            sendQueue.seal();
        }
        queuePair.stop();
    }

    /** Frees the queue pair; the device touches no memory of this connection afterwards. */
    synchronized void destroy() {
        queuePairNumber = -1;
        queuePair.drop();
    }

    /** True for the first caller. */
    synchronized boolean release() {
        boolean before = released;
        released = true;
        return !before;
    }

    /** The direction from this node, as the sending agent watches it. */
    SendStream stream() {
        return stream;
    }
}
