package io.dxnet.transport.nio;

import io.dxnet.transport.Agent;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.idle.IdleWait;
import io.dxnet.transport.idle.ParkingPlace;
import io.dxnet.transport.idle.ThreadSignal;
import io.dxnet.transport.shared.InterestQueue;
import io.dxnet.transport.shared.SendBatcher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The selector thread's work (DXNet §XI, Figure 9): applies the posted interests, then asks the
 * selector and reads and writes what is ready.
 *
 * <p>{@link #doWork} and {@link #await} are called by one thread at a time, not always the same;
 * {@link #post} and {@link #wakeup} by any thread.
 */
final class SelectorAgent implements Agent, ParkingPlace, InterestQueue.Handler, NioConnection.Driver {
    /** Milliseconds are what a selector offers: a shorter wait is not one in the selector. */
    private static final long SELECT_NS_MIN = TimeUnit.MICROSECONDS.toNanos(500);
    /** The longest wait while a connection waits for the engine or for its end. */
    private static final long ATTEND_MS = 1;
    /**
     * How long a failed connection is read: after one channel broke, data may still arrive in the
     * other one.
     */
    private static final long LAST_READS_MS = 250;
    /** The same while the engine refuses what was read. */
    private static final long LAST_READS_STALLED_MS = 2000;

    private final TransportContext context;
    private final Connections<NioConnection> connections;
    private final long lingerMs;
    private final Selector selector;
    private final InterestQueue interests = new InterestQueue();
    private final ThreadSignal signal = new ThreadSignal(this::hasWork, this, SELECT_NS_MIN);
    private final IdleWait wait;
    private volatile boolean closed; // close()

    // The agent only:
    private final List<NioConnection> attended = new ArrayList<>();
    private final SendBatcher streaming = SendBatcher.adaptive();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(16 << 10);
    private final Consumer<SelectionKey> dispatch = this::dispatch;
    private final Consumer<SelectionKey> stash = this::stash;
    private SelectionKey[] ready = new SelectionKey[64]; // found by await, for the next doWork
    private int readyCount;

    SelectorAgent(TransportContext context, Connections<NioConnection> connections, NioOptions options) {
        this.context = context;
        this.connections = connections;
        this.lingerMs = options.lingerMs();
        this.wait = new IdleWait(IdleStrategy.afterWork(context.config()), this::hasWork, signal);
        this.selector = Channels.openSelector();
    }

    @Override
    public String role() {
        return "selector";
    }

    @Override
    public void post(int nodeId, int interest) {
        if (interests.post(nodeId, interest)) {
            signal.raise();
        }
    }

    @Override
    public void wakeup() {
        signal.wakeup();
    }

    @Override
    public void await(long timeoutNs) {
        if (streaming.isEmpty()) {
            wait.await(timeoutNs);
        } else {
            // Rings are to gather for a while.
            signal.park(Math.min(timeoutNs, streaming.intervalNs()));
        }
    }

    private boolean hasWork() {
        return !mayPark() || select(0) > 0;
    }

    @Override
    public boolean mayPark() {
        return interests.isEmpty() && readyCount == 0 && !closed;
    }

    @Override
    public void park(long timeoutNs) {
        long ms = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs));
        select(attended.isEmpty() ? ms : Math.min(ms, ATTEND_MS));
    }

    /** Puts what is ready aside for the next cycle; 0 ms: without waiting. */
    private int select(long ms) {
        try {
            return ms == 0 ? selector.selectNow(stash) : selector.select(stash, ms);
        } catch (IOException e) {
            context.error("the selector failed", e);
            return 1;
        }
    }

    @Override
    public void unpark() {
        selector.wakeup();
    }

    private void stash(SelectionKey key) {
        if (readyCount == ready.length) {
            ready = Arrays.copyOf(ready, readyCount * 2);
        }
        ready[readyCount++] = key;
    }

    @Override
    public int doWork() throws IOException {
        if (closed) {
            return 0;
        }
        int work = handleAll();
        if (work > 0) {
            wait.worked();
        }
        return work;
    }

    private int handleAll() throws IOException {
        streaming.visit();
        int work = interests.drain(this) + visitAttended();
        if (readyCount == 0) {
            return work + selector.selectNow(dispatch);
        }
        int count = readyCount;
        readyCount = 0;
        for (int i = 0; i < count; i++) {
            SelectionKey key = ready[i];
            ready[i] = null;
            dispatch(key);
        }
        return work + count;
    }

    // ---------------------------------------------------------------- interests

    /**
     * Applies a node's interests to all its connections: a bit does not show for which of them it
     * was posted.
     */
    @Override
    public void interest(int nodeId, int bits) {
        for (NioConnection c = connections.first(nodeId); c != null; c = c.next()) {
            try {
                apply(c, bits);
            } catch (IOException | RuntimeException e) {
                broken(c, e);
                proceedWithEnd(c); // the bits are used up, an end's among them
            }
        }
    }

    /** In the paper's order: first open, then flow control, then data, then close. */
    private void apply(NioConnection c, int bits) throws IOException {
        ConnectionState state = c.state();
        if (state == ConnectionState.FREED) {
            return;
        }
        OutgoingPipe outgoing = c.outgoing();
        IncomingPipe incoming = c.incoming();
        boolean usable = state != ConnectionState.LOST;
        if ((bits & Interest.CONNECT) != 0 && outgoing != null) {
            outgoing.channel().register(selector, outgoing);
        }
        if ((bits & Interest.READ_FC) != 0 && outgoing != null && usable) {
            outgoing.readFlowControlOn();
            if (outgoing.hasBuffered()) {
                outgoing.readFlowControl(scratch);
            }
        }
        if ((bits & Interest.READ) != 0 && incoming != null) {
            incoming.channel().register(selector, incoming);
            if (usable) {
                incoming.readBuffered();
            }
        }
        // With READ: what was posted before the channel was registered.
        if ((bits & (Interest.WRITE_FC | Interest.READ)) != 0 && incoming != null && usable) {
            incoming.writeFlowControl(scratch);
        }
        if ((bits & Interest.WRITE) != 0 && outgoing != null && usable) {
            if (outgoing.sendByAgent()) {
                streaming.add(outgoing);
            }
        }
        if ((bits & Interest.CLOSE) != 0) {
            proceedWithEnd(c);
        }
    }

    // ---------------------------------------------------------------- ready channels

    private void dispatch(SelectionKey key) {
        if (!key.isValid()) {
            return; // closed in this very round
        }
        Pipe pipe = (Pipe) key.attachment();
        NioConnection c = pipe.owner();
        try {
            if (c.isLingering()) {
                pipe.discard(scratch);
                linger(c);
            } else {
                pipe.ready(key.readyOps(), scratch);
            }
        } catch (IOException | RuntimeException e) {
            broken(c, e);
        }
    }

    private void broken(NioConnection c, Exception e) {
        if (!(e instanceof IOException)) {
            context.error("handling the " + c.connection() + " failed", e);
        }
        c.fail(e instanceof IOException io ? Channels.describe(io) : e.toString());
    }

    // ---------------------------------------------------------------- connections that need more than events

    @Override
    public void attend(NioConnection c) {
        attended.add(c);
    }

    private int visitAttended() {
        int work = 0;
        for (int i = attended.size() - 1; i >= 0; i--) {
            NioConnection c = attended.get(i);
            try {
                work += visit(c);
            } catch (RuntimeException e) {
                broken(c, e);
            }
            if (!needsVisits(c)) {
                int last = attended.size() - 1;
                attended.set(i, attended.get(last));
                attended.remove(last);
                c.unattended();
            }
        }
        return work;
    }

    private static boolean needsVisits(NioConnection c) {
        return switch (c.state()) {
            case FAILED, LINGERING -> true;
            case LOST, CLOSED, FREED -> false;
            default -> c.incoming() != null && c.incoming().isStalled();
        };
    }

    private int visit(NioConnection c) {
        IncomingPipe incoming = c.incoming();
        boolean mayRetry = !c.isClosed() && incoming != null && incoming.isStalled();
        int work = mayRetry && incoming.retry() ? 1 : 0;
        proceedWithEnd(c);
        return work;
    }

    /** Proceeds with the end of a connection, if its state is one of an end. */
    private void proceedWithEnd(NioConnection c) {
        switch (c.state()) {
            case FAILED -> passLastReads(c);
            case LINGERING -> linger(c);
            case CLOSED -> finish(c);
            default -> {
                // it is alive, or waits for the engine, or is freed
            }
        }
    }

    /** Passes on what can still be read of a failed connection, then reports its loss. */
    private void passLastReads(NioConnection c) {
        OutgoingPipe outgoing = c.outgoing();
        IncomingPipe incoming = c.incoming();
        // The last signals count too: they may report that all that was sent is handled.
        boolean drained = (incoming == null || incoming.isDrained()) && (outgoing == null || outgoing.hasEnded());
        boolean stalled = incoming != null && incoming.isStalled();
        if (!c.reportLoss(context, drained, 0, stalled ? LAST_READS_STALLED_MS : LAST_READS_MS)) {
            c.attend();
        }
    }

    /** The end in order: everything is sent, then both nodes hang up. */
    private void linger(NioConnection c) {
        OutgoingPipe outgoing = c.outgoing();
        IncomingPipe incoming = c.incoming();
        if (c.beginLingering(lingerMs)) {
            c.attend();
            if (incoming != null) {
                incoming.startDiscarding();
            }
        }
        discardBuffered(incoming);
        discardBuffered(outgoing);
        if (incoming != null) {
            incoming.finishFlowControl(scratch);
        }
        boolean sent = outgoing == null || outgoing.finishSending() && outgoing.hasEnded();
        if (sent && (incoming == null || incoming.isClosed()) || c.isLingerOver()) {
            finish(c);
        }
    }

    private void discardBuffered(Pipe pipe) {
        if (pipe != null && pipe.hasBuffered()) {
            pipe.discard(scratch);
        }
    }

    /** Frees a connection. The agent; after {@link #close}, any thread. */
    void finish(NioConnection c) {
        connections.remove(c);
        c.finish();
    }

    // ---------------------------------------------------------------- the end

    /** Ends the agent. When no thread runs it any more; the connections are finished afterwards. */
    void close() {
        finishLingering();
        closed = true;
        Channels.closeQuietly(selector);
    }

    /** Orderly closes that are not over yet get their time: each is bounded. */
    private void finishLingering() {
        try {
            do {
                doWork();
                if (attended.stream().anyMatch(NioConnection::isLingering)) {
                    await(TimeUnit.MILLISECONDS.toNanos(ATTEND_MS));
                } else {
                    return;
                }
            } while (true);
        } catch (IOException | RuntimeException e) {
            context.error("the selector failed while closing", e);
        }
    }
}
