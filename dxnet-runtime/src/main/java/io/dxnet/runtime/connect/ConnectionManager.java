package io.dxnet.runtime.connect;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.StreamState;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.send.Connections;
import io.dxnet.runtime.send.StreamMarks;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.idle.RunningTime;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Connections by node id (DXNet §IX): made on demand, at most one open to a node,
 * {@code maxConnections} in all, the least recently used dismissed in order. {@link ConnectionLife}
 * decides what happens to each; this class carries it out.
 *
 * <p>A connection that ends leaves the table at once, so that either node can make a new one.
 * The new one's stream begins when the other node has reached the handover of its
 * predecessors, which keeps the order of messages.
 *
 * <p>Nothing here blocks or reads a clock of its own: a {@link Host} provides time and threads,
 * so that the tests can simulate any schedule on one thread.
 *
 * <p>It has more than 400 lines: table, openings and ends change under one
 * monitor, and are simulated together.
 */
public final class ConnectionManager implements PeerConnection.Owner, Connections {
    /** Connections of a node that end at the same time before a further one has to wait. */
    private static final int ENDING_MAX = 4;
    /**
     * A connection that carried nothing yet is not dismissed for this long:
     * its maker is about to use it.
     */
    private static final long UNUSED_NS = 100_000_000;

    /** The same for one of which only one direction is open: the other one follows. */
    private static final long ONE_WAY_NS = 1_000_000_000;

    /** How old a sum over all connections may be that serves as a sign of progress. */
    private static final long HANDLED_SUM_NS = 10_000_000;

    /** Of all attempts for whose own failure there is no memory. */
    private static final StaleConnectionException NO_MEMORY =
            new StaleConnectionException("opening it failed, for want of memory");

    static {
        NO_MEMORY.setStackTrace(new StackTraceElement[0]);
    }

    /** Time, threads and listeners of the connections. */
    interface Host {
        /** The time, as of {@link System#nanoTime}. */
        long nanoTime();

        /** A coarse clock for the least recently used connection. */
        int tick();

        /** Keeps the coarse clock running. */
        void used();

        /** The application is to be informed. Called in the order of the events of a connection. */
        void connected(int nodeId);

        void disconnected(int nodeId, Disconnect cause);

        /** Calls a step about every millisecond, on the control thread, until it returns true. */
        void poll(BooleanSupplier step);

        /**
         * Opens the connection's outgoing stream, elsewhere; {@link #opened} or
         * {@link #openingFailed} follows.
         */
        void open(PeerConnection connection);

        /** Returns the ring's memory when no producer writes to it. */
        void retire(PeerConnection connection, RingMemory memory);
    }

    private final DXNetConfig config;
    private final NodeMap nodeMap;
    private final long incarnation;
    private final RingMemory memory;
    private final RequestMap requests;
    private final Host host;
    private final AtomicReferenceArray<PeerConnection> table;
    // The newest one of a node that ends.
    private final AtomicReferenceArray<PeerConnection> leaving;
    // In the table, or ending.
    private final Set<PeerConnection> live;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicLong incomingNumbers = new AtomicLong();
    private final AtomicBoolean enforcing = new AtomicBoolean();
    private final Function<PendingRequest, Exception> requestFailure = this::failure; // while there is memory
    private volatile boolean unpolled; // an end or the limit, for want of memory: see tick
    private volatile @Nullable PeerConnection unreported; // the first whose end is to be reported; under the monitor
    private @Nullable PeerConnection lastUnreported; // the same
    private boolean isReporting; // a thread reports the first one; the same
    private final long stepBytes;
    private final long closeTimeoutNs;
    private long handledSum; // messages' bytes, of all connections; the control thread
    private long handledSumNs; // when that was summed up; the same
    private volatile long handledOfEnded; // so that the sum does not fall; under the monitor

    @SuppressWarnings("NullAway.Init") // by wire()
    private Transport transport; // set before anything runs

    private LongSupplier delivered = () -> 0; // set before anything runs
    private Consumer<PeerConnection> whenReleased = connection -> {}; // set before anything runs

    private volatile boolean closing; // no connection is made any more; under the monitor
    private volatile boolean closed;

    public ConnectionManager(
            DXNetConfig config,
            NodeMap nodeMap,
            int nodes,
            long incarnation,
            RingMemory memory,
            RequestMap requests,
            Host host) {
        this(config, nodeMap, nodes, incarnation, memory, requests, host, ConcurrentHashMap.newKeySet());
    }

    /** With an empty set for concurrent use, which may throw. */
    ConnectionManager(
            DXNetConfig config,
            NodeMap nodeMap,
            int nodes,
            long incarnation,
            RingMemory memory,
            RequestMap requests,
            Host host,
            Set<PeerConnection> live) {
        this.live = live;
        this.config = config;
        this.nodeMap = nodeMap;
        this.incarnation = incarnation;
        this.memory = memory;
        this.requests = requests;
        this.host = host;
        this.table = new AtomicReferenceArray<>(nodes);
        this.leaving = new AtomicReferenceArray<>(nodes);
        this.stepBytes = stepBytes(config);
        this.closeTimeoutNs = config.closeTimeoutMs() * 1_000_000L;
        this.handledSumNs = host.nanoTime() - HANDLED_SUM_NS;
    }

    /**
     * The flow control's step: what one confirmation stands for, bytes. Equal on
     * both sides by the handshake.
     */
    static long stepBytes(DXNetConfig config) {
        return Math.max(1, (long) config.flowControlWindowBytes() * config.flowControlThresholdPercent() / 100);
    }

    /**
     * Sets what the connections use.
     *
     * @param receiving releases what is left of a connection in the stages that receive
     * @param handlersMark a count that changes when a handler has done with a message, before its
     *     batch counts as handled
     */
    public void wire(Transport toUse, Consumer<PeerConnection> receiving, LongSupplier handlersMark) {
        this.transport = toUse;
        this.whenReleased = receiving;
        this.delivered = handlersMark;
    }

    // ---------------------------------------------------------------- the table

    /**
     * The connection to a node, made now where there is none; its ring
     * may still be closed. Any thread.
     */
    @Override
    public PeerConnection connectionTo(int nodeId) throws DXNetException {
        PeerConnection connection = table.getAcquire(nodeId);
        if (connection == null) {
            connection = create(nodeId);
        }
        if (connection.use(host.tick())) {
            host.used();
        }
        return connection;
    }

    private PeerConnection create(int nodeId) {
        if (closing) {
            throw closedException();
        }
        OutgoingRingBuffer ring =
                new OutgoingRingBuffer(memory.take(), config.commitSlots(), config.flowControlWindowBytes());
        PeerConnection connection = null;
        try {
            connection = create(nodeId, ring);
        } finally {
            if (connection == null || connection.ring() != ring) {
                memory.giveBack(ring.segment());
            }
        }
        return connection;
    }

    private synchronized PeerConnection create(int nodeId, OutgoingRingBuffer ring) {
        if (closing) {
            throw closedException();
        }
        PeerConnection connection = table.get(nodeId);
        if (connection == null) {
            connection = new PeerConnection(
                    nodeId,
                    ring,
                    config.flowControlWindowBytes(),
                    stepBytes,
                    closeTimeoutNs,
                    leaving.get(nodeId),
                    new StreamState(),
                    this);
            connection.use(host.tick());
            host.used(); // its first message is of this tick, in which no later use is noticed
            live.add(connection);
            table.set(nodeId, connection);
        }
        return connection;
    }

    /** Removes it from the table, so that a successor can be made, and begins its end. */
    private void leave(PeerConnection connection) {
        synchronized (this) {
            if (!connection.leave()) {
                return;
            }
            connection.predecessor(unpassed(connection));
            leaving.set(connection.nodeId(), connection);
            table.compareAndSet(connection.nodeId(), connection, null);
        }
        pollEnd(connection);
        connection.signalChange();
    }

    private void pollEnd(PeerConnection connection) {
        try {
            host.poll(() -> step(connection));
        } catch (OutOfMemoryError _) { // the table has a place for a successor already
            unpolled = true;
        }
    }

    /**
     * Does again what it could not, for want of memory: reports ends, and has the host poll ends,
     * of which a further step finds nothing to do, and the limit. The control thread, at each tick;
     * the closing thread after that.
     *
     * @return whether there is anything like that still
     */
    public boolean tick() {
        if (unpolled) {
            unpolled = false; // first: other threads may add one
            try {
                reportRest();
                for (PeerConnection connection : live) {
                    if (connection.hasLeft()) {
                        pollEnd(connection);
                    }
                }
                enforceLimit();
            } catch (OutOfMemoryError _) {
                unpolled = true;
            }
        }
        return unpolled;
    }

    /**
     * Removes a connection that ends from the table, so that the next {@link #connectionTo} returns
     * another one. The thread that ends it does that too, but the caller must not wait for it:
     * all processors, or all carriers of virtual threads, may run such callers.
     */
    @Override
    public void leaveIfEnding(PeerConnection connection) {
        if (!connection.life().isOpen() || !connection.life().acceptsMessages()) {
            leave(connection);
        }
    }

    /** The newest predecessor that a stream, of either node, has to wait for; null: none. */
    private static PeerConnection unpassed(PeerConnection connection) {
        PeerConnection before = connection.predecessor();
        while (before != null
                && before.life().allowsSuccessor()
                && !before.life().mayBringMessages()) {
            before = before.predecessor();
        }
        return before;
    }

    // ---------------------------------------------------------------- the limit

    private void enforceLimit() {
        boolean begins = false;
        try {
            begins = isOverLimit() && enforcing.compareAndSet(false, true);
            if (begins) {
                host.poll(this::enforcesNoMore);
            }
        } catch (OutOfMemoryError _) {
            if (begins) {
                enforcing.set(false); // first: else the tick could not begin it
            }
            unpolled = true;
        }
    }

    private boolean enforcesNoMore() {
        if (!closing && isOverLimit()) {
            dismissLeastRecentlyUsed();
            return false;
        }
        // Followed by one more check: an announcement may have relied on this step.
        enforcing.set(false);
        return closing || !isOverLimit() || !enforcing.compareAndSet(false, true);
    }

    private boolean isOverLimit() {
        int open = 0;
        for (PeerConnection connection : live) {
            if (connection.isOpen() && connection.wasAnnounced()) {
                open++;
            }
        }
        return open > config.maxConnections();
    }

    private void dismissLeastRecentlyUsed() {
        PeerConnection oldest = null;
        int tick = host.tick();
        for (PeerConnection connection : live) {
            connection.useIfReceived(tick);
            if (connection.isOpen()
                    && connection.wasAnnounced()
                    && (connection.life().isBothWays() || isOlderThan(connection, ONE_WAY_NS))
                    && (oldest == null || connection.lastUsed() - oldest.lastUsed() < 0)
                    && (connection.hasReceived() || connection.bytesSent() > 0 || isOlderThan(connection, UNUSED_NS))
                    && !requests.hasAny(connection)) {
                oldest = connection;
            }
        }
        if (oldest != null) {
            finish(oldest, Disconnect.Reason.DISMISSED);
        }
    }

    private boolean isOlderThan(PeerConnection connection, long ns) {
        return host.nanoTime() - connection.announcedNs() > ns;
    }

    // ---------------------------------------------------------------- outgoing streams

    /**
     * Begins to open the stream to the connection's node, unless that has
     * begun. Any thread; does not wait.
     */
    @Override
    public void openOutgoing(PeerConnection connection) {
        if (closed || !connection.life().startOpening()) {
            return;
        }
        connection.connectFailure(null);
        try {
            if (mayOpen(connection)) {
                open(connection);
            } else {
                host.poll(() -> openLater(connection));
            }
        } catch (OutOfMemoryError e) {
            openingInterrupted(connection, e);
        }
    }

    private boolean openLater(PeerConnection connection) {
        if (closed || !connection.life().isOpeningOfUse()) {
            openingFailed(connection, new StaleConnectionException(connection + " ended before it was opened"));
            return true;
        }
        if (!mayOpen(connection)) {
            return false;
        }
        open(connection);
        return true;
    }

    /**
     * Begins an attempt. One that could not begin, for want of a thread, has failed:
     * else all would wait for it for ever.
     */
    private void open(PeerConnection connection) {
        try {
            host.open(connection);
        } catch (RuntimeException | Error e) {
            openingInterrupted(connection, e);
        }
    }

    /**
     * An error interrupted an attempt. Where there is no memory for the reason, those that wait for
     * the attempt begin another one, after a pause.
     */
    void openingInterrupted(PeerConnection connection, Throwable cause) {
        NodeUnreachableException failure;
        try {
            failure = new NodeUnreachableException("opening it failed: " + cause, cause);
        } catch (OutOfMemoryError _) {
            failure = NO_MEMORY;
        }
        openingFailed(connection, failure);
    }

    /**
     * Whether its messages would come after those of its predecessors, and these are not too many.
     */
    private boolean mayOpen(PeerConnection connection) {
        synchronized (this) {
            PeerConnection before = unpassed(connection);
            connection.predecessor(before);
            for (; before != null; before = before.predecessor()) {
                if (!before.life().allowsSuccessor()) {
                    return false;
                }
            }
        }
        // Those that end may wait for that very handler. And one that ends itself needs its stream
        // for the goodbye: where many end at the same time, each would wait for the others.
        if (connection.isHandlerWaiting() || connection.hasLeft()) {
            return true;
        }
        int ending = 0;
        for (PeerConnection other : live) {
            if (other.nodeId() == connection.nodeId() && other.hasLeft()) {
                ending++;
            }
        }
        return ending < ENDING_MAX;
    }

    /** {@link Host#open} succeeded. */
    void opened(PeerConnection connection) {
        try {
            announce(connection); // before it accepts a message: from then on its end is reported
        } finally {
            try {
                if (!connection.outgoingOpened() && connection.life().isEnded()) {
                    transport.close(connection, Transport.Close.AT_ONCE); // it ended while it was opened
                }
            } finally {
                connection.signalChange();
            }
        }
    }

    /**
     * {@link Host#open} failed: a connection that the other node does not use either is over. One
     * that the other node has ended ends here too: its own end may be behind data that this node
     * does not read before a message handler returns, which may wait for that very stream.
     */
    void openingFailed(PeerConnection connection, Exception failure) {
        connection.connectFailure(failure);
        if (!(failure instanceof StaleConnectionException stale && stale.isEndedByPeer())) {
            connection.life().openingFailed();
        } else if (connection.life().refused(host.nanoTime())) {
            leave(connection);
        }
        abandon(connection, failure.getMessage());
    }

    /** Ends a connection that neither node uses, and of which no direction is being opened. */
    private void abandon(PeerConnection connection, @Nullable String why) {
        try {
            if (connection.life().abandon(why)) {
                // Nothing was sent: the waiting senders get the failure, or make a new connection.
                remove(connection);
                transport.close(connection, Transport.Close.AT_ONCE);
            }
        } finally {
            connection.signalChange();
        }
    }

    private void announce(PeerConnection connection) {
        reportRest(); // the end of a connection before it
        synchronized (connection.life()) { // the end of what was announced is reported after it
            if (connection.announce(host.nanoTime())) {
                opened.incrementAndGet();
                host.connected(connection.nodeId());
            }
        }
        enforceLimit();
    }

    /**
     * Selects a connection for a message handler, which should not wait: the
     * connection itself, or a predecessor that ends and whose handover is not written.
     * Its messages come before those of the successors.
     *
     * @param isOfUse whether a connection accepts what is to be sent
     */
    @Override
    public PeerConnection usableNow(PeerConnection connection, Predicate<ConnectionLife> isOfUse) {
        for (PeerConnection before = connection.predecessor(); before != null; before = before.predecessor()) {
            if (before.isOutReady()) {
                return isOfUse.test(before.life()) ? before : connection;
            }
        }
        return connection;
    }

    // ---------------------------------------------------------------- incoming streams

    /** See {@link io.dxnet.transport.TransportContext#incoming}. */
    public PeerConnection incoming(int nodeId, long peerIncarnation, @Nullable PeerConnection expected)
            throws RefusedException {
        if (closing && expected == null) { // the other stream of a connection carries the responses
            throw RefusedException.ordinary("node " + nodeMap.ownNodeId() + " is shutting down");
        }
        if (nodeId == nodeMap.ownNodeId() && peerIncarnation != incarnation) {
            throw new RefusedException("node id " + nodeId + " is the id of this node itself: each node needs its own");
        }
        PeerConnection connection = expected != null ? expected : table.get(nodeId);
        if (connection == null) {
            try {
                connection = create(nodeId);
            } catch (NetClosedException e) { // since the check
                throw RefusedException.ordinary("node " + nodeMap.ownNodeId() + " is shutting down");
            }
        }
        synchronized (connection.life()) {
            ConnectionLife life = connection.life();
            if (!life.incomingOpened()) {
                if (life.isEnded() || !life.isIncomingOpen()) {
                    throw RefusedException.stale();
                }
                throw connection.peerIncarnation() == peerIncarnation
                        ? RefusedException.connectedAlready(nodeId)
                        : RefusedException.idInUse(nodeId);
            }
            connection.peerIncarnation(peerIncarnation);
        }
        return connection;
    }

    /**
     * See {@link io.dxnet.transport.TransportContext#incomingFailed}. Where the hello has made the
     * connection, nothing else would end it: the other node may have ended its own already.
     */
    public void incomingFailed(PeerConnection connection) {
        connection.life().incomingFailed();
        abandon(connection, "the other node's direction could not be opened");
    }

    /** See {@link io.dxnet.transport.TransportContext#incomingReady}. */
    public void incomingReady(PeerConnection connection, TransportContext.Directions ready) {
        if (ready == TransportContext.Directions.INCOMING) {
            connection.incomingNumber(incomingNumbers.incrementAndGet());
        }
        announce(connection);
        int nodeId = connection.nodeId();
        if (nodeId == nodeMap.ownNodeId()) {
            return;
        }
        if (ready == TransportContext.Directions.BOTH) {
            openBothWays(connection);
        } else if (nodeMap.address(nodeId) != null) {
            // The answers will need it; a failure shows when a message is sent.
            openOutgoing(connection);
        }
    }

    /** The wire is open already, but the stream waits for those of its predecessors. */
    private void openBothWays(PeerConnection connection) {
        if (!connection.life().startOpening()) {
            return;
        }
        boolean begins;
        try {
            begins = mayOpen(connection);
            if (!begins) {
                host.poll(() -> openBothWaysLater(connection));
            }
        } catch (OutOfMemoryError _) { // the next sender begins an attempt, which finds the wire open
            openingOver(connection);
            return;
        }
        if (begins) {
            opened(connection);
        }
    }

    private boolean openBothWaysLater(PeerConnection connection) {
        if (!connection.life().isOpeningOfUse()) {
            openingOver(connection);
            return true;
        }
        boolean over = mayOpen(connection);
        if (over) {
            opened(connection);
        }
        return over;
    }

    private static void openingOver(PeerConnection connection) {
        connection.life().openingFailed();
        connection.signalChange();
    }

    // ---------------------------------------------------------------- ends

    /**
     * Ends a connection in order: what was sent is handled first. Any thread;
     * the work is the control thread's.
     */
    public void finish(PeerConnection connection, Disconnect.Reason reason) {
        if (connection.life().end(reason, host.nanoTime())) {
            leave(connection);
        }
    }

    /** The connection is over, now. Any thread; the second call does nothing. */
    @Override
    public void lost(PeerConnection connection, Disconnect.Reason reason, String detail) {
        if (connection.life().abort(reason, detail, connection)) {
            leave(connection);
            ended(connection);
        }
    }

    /**
     * The transport reports that a connection broke, or that its peer hung up. What arrived
     * before is read first: there may be responses in it, or a goodbye.
     */
    public void brokenByTransport(PeerConnection connection, String detail) {
        if (!connection.life().isEnded()) {
            connection.life().broken(detail, host.nanoTime());
            connection.closeRing();
            leave(connection);
        }
    }

    @Override
    public void protocolError(PeerConnection connection, String what) {
        String detail = what;
        try {
            detail = "node " + connection.nodeId() + " broke the protocol: " + what;
        } finally { // also where there is no memory for that
            lost(connection, Disconnect.Reason.PROTOCOL_ERROR, detail);
        }
    }

    /** The coordinator has reached the other node's handover. */
    public void handoverReached(PeerConnection connection) {
        if (!connection.life().handoverReached(host.nanoTime())) {
            protocolError(connection, "it sent a second handover, or one before its stream began");
            return;
        }
        leave(connection);
        // SEEN does not wait for the control thread: successors wait for it.
        int signals = connection.life().takeSignals();
        if (signals != 0) {
            connection.signal(signals);
        }
    }

    /** The coordinator has reached the other node's goodbye. */
    public void goodbyeReached(PeerConnection connection) {
        if (!connection.life().goodbyeReached()) {
            protocolError(connection, "it sent a goodbye without a handover before it, or a second one");
        }
    }

    @Override
    public void signalsReceived(PeerConnection connection, int signals) {
        if (!connection.life().received(signals, host.nanoTime())) {
            protocolError(
                    connection,
                    "it sent signals 0x" + Integer.toHexString(signals) + ", which are not allowed in this state");
        } else if ((signals & ConnectionLife.ENDING) != 0) {
            leave(connection);
        }
        if ((signals & ConnectionLife.PASSED) != 0) {
            host.poll(() -> true); // the control thread completes what waits for it
        }
    }

    /** Continues the end of a connection; true when it is over. The control thread. */
    private boolean step(PeerConnection connection) {
        int effects = connection.life().step(host.nanoTime(), connection);
        try {
            if ((effects & ConnectionLife.SEND_SIGNALS) != 0) {
                connection.signal(connection.life().takeSignals());
            }
            if ((effects & ConnectionLife.WRITE_HANDOVER) != 0) {
                StreamMarks.tryHandOver(connection, transport);
            }
            if ((effects & ConnectionLife.WRITE_GOODBYE) != 0) {
                StreamMarks.trySayGoodbye(connection, transport);
            }
        } finally {
            if ((effects & ConnectionLife.END) != 0) {
                ended(connection); // no further step will
            }
        }
        return connection.life().isEnded();
    }

    @Override
    public void failRequests(PeerConnection connection) {
        try {
            failRequestsOnceHandled(connection);
        } catch (OutOfMemoryError _) { // although a response may be at hand: no thread would do it later
            requests.failSentBy(connection, requestFailure);
        }
    }

    private void failRequestsOnceHandled(PeerConnection connection) {
        RunningTime running = new RunningTime(ConnectionLife.gapNsMax(closeTimeoutNs)); // handlers run as long
        long deadlineNs = running.at(host.nanoTime()) + closeTimeoutNs;
        BooleanSupplier step = () -> {
            long timeNs = running.at(host.nanoTime());
            // After close() this may be the only call: the host's threads end.
            boolean isTime = closed || connection.unhandledResponses().get() == 0 || timeNs - deadlineNs >= 0;
            if (isTime) {
                requests.failSentBy(connection, requestFailure);
            }
            return isTime;
        };
        if (!step.getAsBoolean()) {
            host.poll(step);
        }
    }

    /** Carries out what the end means, once: each part of it, also where one before it throws. */
    private void ended(PeerConnection connection) {
        remove(connection);
        long unconfirmed = connection.unconfirmedBytes();
        try {
            failRequests(connection);
        } finally {
            try {
                boolean isOrderly = connection.life().isOrderly();
                transport.close(connection, isOrderly ? Transport.Close.IN_ORDER : Transport.Close.AT_ONCE);
            } finally {
                connection.signalChange();
                reportEnd(connection, unconfirmed);
            }
        }
    }

    private void reportEnd(PeerConnection connection, long unconfirmed) {
        if (connection.wasAnnounced()) {
            ended.incrementAndGet();
            report(connection, unconfirmed);
        }
    }

    /**
     * In the order of the ends, also where there is no memory for one. The opening of a successor
     * may be reported before it then.
     */
    private void report(PeerConnection connection, long unconfirmed) {
        synchronized (this) {
            connection.unreportedBytes(unconfirmed);
            if (lastUnreported == null) {
                unreported = connection;
            } else {
                lastUnreported.nextUnreported(connection);
            }
            lastUnreported = connection;
        }
        reportRest();
    }

    private void reportRest() {
        if (unreported == null) {
            return;
        }
        PeerConnection connection;
        synchronized (this) {
            connection = isReporting ? null : unreported;
            isReporting |= connection != null;
        }
        while (connection != null) {
            boolean isReported = false;
            try {
                isReported = isReported(connection);
            } finally {
                synchronized (this) {
                    connection = isReported ? pollUnreported(connection) : null;
                    isReporting = connection != null;
                }
                if (!isReported) {
                    unpolled = true;
                }
            }
        }
    }

    /** {@return the next one} Under the monitor. */
    private @Nullable PeerConnection pollUnreported(PeerConnection first) {
        PeerConnection following = first.nextUnreported();
        unreported = following;
        if (following == null) {
            lastUnreported = null;
        }
        return following;
    }

    /** Reports an end; false where there is no memory for that: see {@link #tick}. */
    @SuppressWarnings("NullAway") // an announced connection that has ended has both
    private boolean isReported(PeerConnection connection) {
        try {
            ConnectionLife life = connection.life();
            host.disconnected(
                    connection.nodeId(), new Disconnect(life.reason(), life.detail(), connection.unreportedBytes()));
            return true;
        } catch (OutOfMemoryError _) {
            return false;
        }
    }

    private void remove(PeerConnection connection) {
        int nodeId = connection.nodeId();
        connection.closeRing();
        synchronized (this) {
            connection.leave();
            table.compareAndSet(nodeId, connection, null);
            leaving.compareAndSet(nodeId, connection, unpassed(connection));
            if (live.remove(connection)) {
                handledOfEnded += connection.handledMark();
            }
        }
    }

    @SuppressWarnings("NullAway") // one that was sent has a connection
    private Exception failure(PendingRequest request) {
        if (closing) {
            return new NetClosedException("this DXNet was closed before " + request.what() + " was answered");
        }
        return new ConnectionLostException("the connection to node " + request.destination() + " ended before "
                + request.what() + " was answered: "
                + request.connection().life().detail());
    }

    @Override
    public void flowControlPosted(PeerConnection connection) {
        if (connection.life().isIncomingOpen()) {
            transport.flowControlPosted(connection);
        }
    }

    @Override
    public boolean hasRequests(PeerConnection connection) {
        return requests.hasAny(connection);
    }

    @Override
    public long handledMark() {
        long nowNs = host.nanoTime();
        if (nowNs - handledSumNs >= HANDLED_SUM_NS) {
            handledSumNs = nowNs;
            handledSum = handledOfEnded;
            for (PeerConnection connection : live) {
                handledSum += connection.handledMark();
            }
        }
        return handledSum + delivered.getAsLong();
    }

    @Override
    public void released(PeerConnection connection) {
        try {
            whenReleased.accept(connection);
        } finally { // also where there is no memory for that
            host.retire(connection, memory);
        }
    }

    // ---------------------------------------------------------------- all of them

    @Override
    public void checkOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** {@return whether no connection is made any more} */
    @Override
    public boolean isClosing() {
        return closing;
    }

    @Override
    public NetClosedException closedException() {
        return new NetClosedException("this DXNet (node " + nodeMap.ownNodeId() + ") is closed");
    }

    public PeerConnection get(int nodeId) {
        return table.get(nodeId);
    }

    /** Those that are not ending. */
    public List<PeerConnection> connections() {
        List<PeerConnection> all = new ArrayList<>();
        for (PeerConnection connection : live) {
            if (!connection.hasLeft()) {
                all.add(connection);
            }
        }
        return all;
    }

    /** {@return the connections to a node, in whatever state; any thread, a snapshot} */
    @Override
    public List<PeerConnection> connections(int nodeId) {
        List<PeerConnection> all = new ArrayList<>();
        for (PeerConnection connection : live) {
            if (connection.nodeId() == nodeId) {
                all.add(connection);
            }
        }
        return all;
    }

    /** Calls something with each, in whatever state. */
    public void forEach(Consumer<PeerConnection> action) {
        live.forEach(action);
    }

    public long opened() {
        return opened.get();
    }

    public long ended() {
        return ended.get();
    }

    /** Whether any connection is left, in whatever state. */
    public boolean isEmpty() {
        return live.isEmpty();
    }

    /**
     * Ends all connections in order, and makes no new ones: what this node or others
     * continue to send must not keep it from closing.
     *
     * @param deadlineNs by when all have to be over
     */
    public void finishAll(long deadlineNs) {
        synchronized (this) {
            closing = true;
        }
        forEachLive(connection -> {
            connection.life().deadline(deadlineNs);
            finish(connection, Disconnect.Reason.CLOSED);
        });
    }

    /** After {@link #finishAll}: nothing is waited for any more. */
    public void close() {
        closed = true;
        forEachLive(connection -> lost(connection, Disconnect.Reason.CLOSED, "this node was closed"));
    }

    /** Also those behind one where an action fails. */
    private void forEachLive(Consumer<PeerConnection> action) {
        RuntimeException failure = null;
        Error error = null;
        for (PeerConnection connection : live) {
            try {
                action.accept(connection);
            } catch (RuntimeException e) {
                failure = e;
            } catch (Error e) {
                error = e;
            }
        }
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw failure;
        }
    }
}
