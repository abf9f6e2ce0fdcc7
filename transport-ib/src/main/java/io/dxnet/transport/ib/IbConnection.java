package io.dxnet.transport.ib;

import static io.dxnet.transport.connection.ConnectionState.ACCEPTED;
import static io.dxnet.transport.connection.ConnectionState.CLOSED;
import static io.dxnet.transport.connection.ConnectionState.CONNECTING;
import static io.dxnet.transport.connection.ConnectionState.FAILED;
import static io.dxnet.transport.connection.ConnectionState.FREED;
import static io.dxnet.transport.connection.ConnectionState.LINGERING;
import static io.dxnet.transport.connection.ConnectionState.NEW;
import static io.dxnet.transport.connection.ConnectionState.USABLE;

import io.dxnet.transport.Connection;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.WireConnection;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.security.ConnectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;

/**
 * An InfiniBand connection: one reliable queue pair for both directions, and a control channel that
 * shows when the other node ends.
 *
 * <p>One of the two nodes opens it. Where both do at once, the one with the higher id proceeds, and
 * the one with the lower id accepts what the other opens. Any thread, where nothing else is
 * specified; opening and closing exclude each other by this object's monitor.
 */
final class IbConnection extends WireConnection<IbConnection> {
    /** The receiving agent, as far as a connection uses it. */
    interface Receiver {
        /**
         * Has the loss of a failed connection reported, after what arrived before. Any thread;
         * never waits.
         */
        void endLater(IbConnection connection);

        /** Drops what arrived of a connection. The receiving agent. */
        void purge(IbConnection connection);
    }

    /** Stands for the other node's attempt, where this node's attempts have a number. */
    static final long BY_PEER = 0;
    /** In place of an attempt's id: none has begun. */
    static final long NOT_BEGUN = -1;

    private static final int CHECK_MS = 20; // how often a thread that waits for the opening checks whether it failed

    private final TransportContext context;
    private final SendSide endpoint;
    private final Receiver receiver;
    private final SendStream stream = new SendStream(this);
    private final LocalQueuePair queuePair; // under the monitor
    private volatile SendQueue sendQueue; // under the monitor; null: not established
    private volatile int queuePairNumber = -1; // under the monitor, with the send queue
    private volatile boolean ready; // under the monitor: the engine was notified that both may send
    private volatile long requestId; // ConnectionSlots
    IbConnection nextFailed; // EndingConnections
    private boolean interrupted; // under the monitor: the other node's attempt ended this node's
    private long refusedPass; // the receiving agent: IncomingRing's last one in which the engine refused its data
    private int messages; // received; the receiving agent, others see an old value at the worst
    private volatile ControlChannel side; // the thread that opened it, once

    /**
     * Creates a connection without a queue pair.
     *
     * @param context the engine
     * @param connection the engine's
     * @param id of this node's end, until an attempt has another one
     * @param endpoint that sends for it
     * @param queuePairs that makes its queue pair
     * @param receiver that receives for it
     */
    IbConnection(
            TransportContext context,
            Connection connection,
            long id,
            SendSide endpoint,
            QueuePairs queuePairs,
            Receiver receiver) {
        super(connection, id, 1);
        this.context = context;
        this.endpoint = endpoint;
        this.receiver = receiver;
        this.queuePair = new LocalQueuePair(this, queuePairs);
    }

    SendSide endpoint() {
        return endpoint;
    }

    /** Returns the direction from this node, as the sending agent watches it. */
    SendStream stream() {
        return stream;
    }

    /** Returns its send queue; null where it is not established. */
    SendQueue sendQueue() {
        return sendQueue;
    }

    int queuePairNumber() {
        return queuePairNumber;
    }

    ReceiveCipher receiveCipher() {
        return queuePair.receiveCipher();
    }

    long requestId() {
        return requestId;
    }

    void requestId(long value) {
        requestId = value;
    }

    ControlChannel side() {
        return side;
    }

    /** Sets the control channel, once; where the connection is over already, it is closed. */
    void side(ControlChannel channel) {
        side = channel;
        if (state() == FREED) {
            channel.close();
        }
    }

    // ---------------------------------------------------------------- what it may do

    /** Returns whether it may send. */
    boolean isUsable() {
        ConnectionState now = state();
        return now == USABLE || now == LINGERING && ready && failure() == null;
    }

    /** Returns whether what the other node sent is accepted. The receiving agent. */
    boolean mayReceive() {
        return switch (state()) {
            case USABLE -> true;
            case ACCEPTED, FAILED -> {
                peerReady(); // its first message reports it as well as the control channel
                yield true;
            }
            default -> false; // the engine has read everything that it wanted to
        };
    }

    /** A message arrived. The receiving agent. */
    void received() {
        messages++;
    }

    /** Returns how many messages arrived; wraps, and may be old. */
    int messages() {
        return messages;
    }

    /** The engine refused its data in a pass of the {@link IncomingRing}. The receiving agent. */
    void refused(long pass) {
        refusedPass = pass;
    }

    /** Returns whether its data was refused in that pass. The receiving agent. */
    boolean wasRefused(long pass) {
        return refusedPass == pass;
    }

    // ---------------------------------------------------------------- opening

    /**
     * Begins an attempt of this node to open it, on the calling thread.
     *
     * @param ids returns a new id, positive and larger than those before
     * @return the attempt's id, which is the connection's from here on; {@link #NOT_BEGUN} where it
     *     is open, being opened, has failed or is closed
     */
    synchronized long beginConnecting(LongSupplier ids) {
        if (!advance(CONNECTING)) {
            return NOT_BEGUN;
        }
        long attempt = ids.getAsLong(); // here: the ids of a connection's attempts grow
        pairing().beginAttempt(attempt);
        interrupted = false;
        return attempt;
    }

    private boolean isConnecting(long attempt) {
        return state() == CONNECTING && pairing().id() == attempt;
    }

    /**
     * Ends an attempt of this node without success, unless the other node has opened the connection
     * meanwhile, or another attempt has begun.
     *
     * @return whether another attempt may succeed: the other node's, which failed as well, ended
     *     this one
     */
    synchronized boolean connectingFailed(long attempt) {
        if (isConnecting(attempt)) {
            handshake(null);
            advance(NEW);
            dropQueuePair();
        }
        return state() == NEW && interrupted;
    }

    /**
     * Keeps the channel of an attempt's handshake, so that closing ends it; false when it is not
     * wanted any more.
     */
    synchronized boolean connecting(long attempt, SocketChannel channel) {
        return isConnecting(attempt) && handshake(channel);
    }

    /** Returns this node's part of the handshake; makes the queue pair where there is none. */
    synchronized QpInfo info() {
        if (isClosed()) { // the queue pair would not be freed
            throw new IllegalStateException("the connection to node " + nodeId() + " is closed");
        }
        return queuePair.info();
    }

    /**
     * Connects the queue pair. Where that fails, it is as if it had not been tried.
     *
     * @param peer the other node's queue pair
     * @param theirs the other node's end of the connection
     * @param attempt this node's attempt that opens it; {@link #BY_PEER}: the other node's, which
     *     ends this node's own attempt where its id is the lower one
     * @param proved the key of the handshake; null where it has none
     * @return false when it is not to be opened that way any more
     */
    synchronized boolean establish(QpInfo peer, PeerIdentity theirs, long attempt, ConnectionKey proved) {
        if (!isWelcome(attempt)) {
            return false;
        }
        boolean done = false;
        try {
            sendQueue = queuePair.connect(peer, attempt, proved);
            queuePairNumber = queuePair.number();
            pairing().attachBoth(theirs);
            done = advance(ACCEPTED); // else it failed meanwhile
        } finally {
            if (attempt == BY_PEER) {
                closeHandshake(); // of this node's attempt, which was slower
            }
            handshake(null);
            if (!done) {
                interrupted |= attempt == BY_PEER && advance(NEW); // the own attempt's queue pair is gone
                dropQueuePair();
                if (isConnecting(attempt)) {
                    pairing().beginAttempt(attempt); // it continues with the host's next address
                }
            }
        }
        return done;
    }

    private boolean isWelcome(long attempt) {
        if (attempt != BY_PEER) {
            return isConnecting(attempt) && queuePair.isMade();
        }
        // Else both nodes could accept what the other one opens, and wait for each other.
        return state() == NEW || state() == CONNECTING && context.nodeMap().ownNodeId() < nodeId();
    }

    /**
     * Undoes {@link #establish}: the other node does not know that it succeeded. Only by the thread
     * whose call of it returned true.
     *
     * @return false when both nodes use the connection already
     */
    synchronized boolean establishingFailed() {
        if (!ready && !isClosed()) {
            advance(NEW);
            dropQueuePair();
        }
        return !ready;
    }

    private void dropQueuePair() {
        queuePairNumber = -1;
        sendQueue = null;
        pairing().attachBoth(PeerIdentity.NONE);
        notifyAll();
        queuePair.drop();
    }

    /** The other node's queue pair receives: both may send. Further calls do nothing. */
    void peerReady() {
        if (!ready && becomeReady()) {
            context.incomingReady(connection(), TransportContext.Directions.BOTH);
            endpoint.post(nodeId(), SendSide.WRITE | SendSide.FLOW_CONTROL);
        }
    }

    private synchronized boolean becomeReady() {
        ConnectionState now = state();
        if (ready || sendQueue == null || now != ACCEPTED && now != FAILED) {
            return false;
        }
        ready = true;
        advance(USABLE); // else it has failed: what arrived before is still passed to the engine
        notifyAll();
        return true;
    }

    /**
     * Waits until it is usable, over, or no node opens it; or the time is up.
     *
     * @return false where the thread was interrupted, as it stays
     */
    synchronized boolean awaitOpening(long deadlineNs) {
        while (state() == CONNECTING || state() == ACCEPTED) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return true;
            }
            try {
                wait(Math.clamp(leftNs / 1_000_000, 1, CHECK_MS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- sending

    @Override
    protected void dataPosted() {
        if (!stream.isWatched() && !stream.isFull()) {
            endpoint.post(nodeId(), SendSide.WRITE);
        }
    }

    @Override
    protected boolean sendNow() {
        return endpoint.sendNow(this);
    }

    @Override
    protected void flowControlPosted() {
        endpoint.post(nodeId(), SendSide.FLOW_CONTROL);
    }

    // ---------------------------------------------------------------- failing and closing

    @Override
    protected void failed() {
        // Without the monitor: a thread that polls completions must not wait for
        // one that closes the queue pair.
        receiver.endLater(this);
    }

    @Override
    protected void stopReceiving() {
        receiver.purge(this);
    }

    /** Ends sending and receiving. */
    synchronized void seal() {
        advance(CLOSED);
        notifyAll();
        if (sendQueue != null) {
            sendQueue.seal();
        }
        queuePair.stop();
    }

    /** After {@link #seal}: the device touches no memory of this connection afterwards. */
    @Override
    protected void finish() {
        try {
            freeQueuePair();
        } catch (RuntimeException e) {
            // The library refuses: the queue pair is in the error state, and does nothing any more.
            context.error("freeing the queue pair of the " + connection() + " failed", e);
        } finally { // also after an error: no thread calls it again
            boolean freed = advance(FREED);
            ControlChannel channel = side;
            if (channel != null) {
                channel.close();
            }
            if (freed) {
                release();
            }
        }
    }

    private synchronized void freeQueuePair() {
        queuePairNumber = -1;
        queuePair.drop();
    }
}
