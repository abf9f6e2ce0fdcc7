package io.dxnet.transport.nio;

import io.dxnet.transport.AdaptiveWait;
import io.dxnet.transport.Agent;
import io.dxnet.transport.BusyPhase;
import io.dxnet.transport.ConnectionTable;
import io.dxnet.transport.InterestQueue;
import io.dxnet.transport.StreamWatch;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The selector thread's work (DXNet §XI, Figure 9): applies the posted interests, then asks the selector and reads and writes
 * what is ready.
 *
 * <p>{@link #doWork} and {@link #await} are called by one thread at a time, not always the same; {@link #post} and
 * {@link #wakeup} by any thread.
 */
final class SelectorAgent implements Agent, AdaptiveWait.Sleeper, InterestQueue.Handler {
    /** Milliseconds are what a selector offers: a shorter wait is not one in the selector. */
    private static final long SELECT_NS_MIN = TimeUnit.MICROSECONDS.toNanos(500);
    /** While a connection waits for the engine or for its end, the agent looks again after this long. */
    private static final long ATTEND_MS = 1;
    /** After the outgoing channel broke, data may still be on its way in the incoming one. */
    private static final long LAST_READS_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** The same when the engine does not take what was read. */
    private static final long LAST_READS_STALLED_NS = TimeUnit.SECONDS.toNanos(2);

    private final TransportContext context;
    private final ConnectionTable<NioConnection> table;
    private final long lingerNs;
    private final Selector selector;
    private final InterestQueue interests = new InterestQueue();
    private final AdaptiveWait wait;
    private volatile boolean closed; // close()

    // The agent only:
    private final List<NioConnection> attended = new ArrayList<>();
    private final StreamWatch streaming = StreamWatch.adaptive();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(16 << 10);
    private final Consumer<SelectionKey> dispatch = this::dispatch;
    private final Consumer<SelectionKey> stash = this::stash;
    private SelectionKey[] ready = new SelectionKey[64]; // found by await, for the next doWork
    private int readyCount;

    SelectorAgent(TransportContext context, ConnectionTable<NioConnection> table, NioOptions options) {
        this.context = context;
        this.table = table;
        this.lingerNs = TimeUnit.MILLISECONDS.toNanos(options.lingerMs());
        this.wait = new AdaptiveWait(
                BusyPhase.of(context.config().parkingStrategy(), options.busyUs(), options.yieldUs()),
                SELECT_NS_MIN,
                this);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("can't open a selector: " + Channels.describe(e), e);
        }
    }

    @Override
    public String role() {
        return "selector";
    }

    /** Posts an interest, and wakes the agent up where that is needed. Any thread. */
    void post(int nodeId, int interest) {
        if (interests.post(nodeId, interest)) {
            wait.wakeIfAsleep();
        }
    }

    @Override
    public void wakeup() {
        wait.wakeup();
    }

    @Override
    public void await(long timeoutNs) {
        if (streaming.isEmpty()) {
            wait.await(timeoutNs);
        } else {
            // Rings are to gather for a while.
            wait.sleep(Math.min(timeoutNs, streaming.intervalNs()));
        }
    }

    @Override
    public boolean hasWork() {
        if (hasWorkBeforeSleep()) {
            return true;
        }
        try {
            return selector.selectNow(stash) > 0;
        } catch (IOException e) {
            context.error("the selector failed", e);
            return true;
        }
    }

    @Override
    public boolean hasWorkBeforeSleep() {
        return !interests.isEmpty() || readyCount > 0 || closed;
    }

    @Override
    public void sleep(long timeoutNs) {
        long ms = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs));
        try {
            selector.select(stash, attended.isEmpty() ? ms : Math.min(ms, ATTEND_MS));
        } catch (IOException e) {
            context.error("the selector failed", e);
        }
    }

    @Override
    public void endSleep() {
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

    /** Applies a node's interests to all its connections: a bit does not say which of them it was meant for. */
    @Override
    public void interest(int nodeId, int bits) {
        for (NioConnection c = table.first(nodeId); c != null; c = c.next()) {
            try {
                apply(c, bits);
            } catch (IOException | RuntimeException e) {
                broken(c, e);
            }
        }
    }

    /** In the paper's order: first open, then flow control, then data, then close. */
    private void apply(NioConnection c, int bits) throws IOException {
        if (c.finished()) {
            return;
        }
        OutgoingPipe outgoing = c.outgoing();
        IncomingPipe incoming = c.incoming();
        boolean usable = !c.lost();
        if ((bits & Interest.CONNECT) != 0 && outgoing != null) {
            outgoing.register(selector);
        }
        if ((bits & Interest.READ_FC) != 0 && outgoing != null && usable) {
            outgoing.readFlowControlOn();
        }
        if ((bits & Interest.READ) != 0 && incoming != null) {
            incoming.register(selector);
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
            ending(c);
        }
    }

    // ---------------------------------------------------------------- ready channels

    private void dispatch(SelectionKey key) {
        if (!key.isValid()) {
            return; // closed in this very round
        }
        Object pipe = key.attachment();
        int ready = key.readyOps();
        NioConnection c = null;
        try {
            if (pipe instanceof IncomingPipe incoming) {
                c = incoming.owner();
                ready(c, incoming, ready);
            } else if (pipe instanceof OutgoingPipe outgoing) {
                c = outgoing.owner();
                ready(c, outgoing, ready);
            }
        } catch (IOException | RuntimeException e) {
            broken(c, e);
        }
    }

    private void ready(NioConnection c, IncomingPipe incoming, int ready) {
        if (c.lingering()) {
            incoming.discard(scratch);
            linger(c);
            return;
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            incoming.writeFlowControl(scratch);
        }
        if ((ready & SelectionKey.OP_READ) != 0) {
            incoming.read();
        }
    }

    private void ready(NioConnection c, OutgoingPipe outgoing, int ready) throws IOException {
        if (c.lingering()) {
            outgoing.discard(scratch);
            linger(c);
            return;
        }
        if ((ready & SelectionKey.OP_READ) != 0) {
            outgoing.readFlowControl(scratch);
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            outgoing.sendByAgent();
        }
    }

    private void broken(NioConnection c, Exception e) {
        if (!(e instanceof IOException)) {
            context.error("handling the " + c.connection() + " failed", e);
        }
        c.fail(e instanceof IOException io ? Channels.describe(io) : e.toString());
    }

    // ---------------------------------------------------------------- connections that need more than events

    /** Asks for a visit in every duty cycle. The agent only. */
    void attend(NioConnection c) {
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

    private boolean needsVisits(NioConnection c) {
        if (c.finished() || c.lost()) {
            return c.lingering() && !c.finished();
        }
        return c.lingering()
                || c.failure() != null
                || (c.incoming() != null && c.incoming().stalled());
    }

    private int visit(NioConnection c) {
        if (c.finished()) {
            return 0;
        }
        if (c.closeMode() != NioConnection.CloseMode.OPEN) {
            ending(c);
            return 0;
        }
        IncomingPipe incoming = c.incoming();
        int work = incoming != null && incoming.stalled() && !c.lost() && incoming.retry() ? 1 : 0;
        if (c.failure() != null) {
            ending(c);
        }
        return work;
    }

    /** Goes on with the end of a connection, whichever it is. */
    private void ending(NioConnection c) {
        switch (c.closeMode()) {
            case NOW -> finish(c);
            case ORDERLY -> {
                if (!c.lingering()) {
                    c.startLingering(System.nanoTime() + lingerNs);
                    c.attend();
                }
                linger(c);
            }
            case OPEN -> failing(c);
        }
    }

    /** Hands over what can still be read, then tells the engine. */
    private void failing(NioConnection c) {
        if (c.failure() == null || c.lost()) {
            return;
        }
        long nowNs = System.nanoTime();
        long waitedNs = nowNs - c.failedNs(nowNs);
        IncomingPipe incoming = c.incoming();
        if (incoming == null && isSignalless(c)
                || incoming != null && incoming.drained() && isSignalless(c)
                || waitedNs > (incoming != null && incoming.stalled() ? LAST_READS_STALLED_NS : LAST_READS_NS)) {
            c.reportLost(context);
        } else {
            c.attend();
        }
    }

    /** Whether no more signals can come, which may say that all that was sent is handled. */
    private static boolean isSignalless(NioConnection c) {
        return c.outgoing() == null || c.outgoing().ended();
    }

    /** The orderly end: everything is sent, then both sides hang up. */
    private void linger(NioConnection c) {
        OutgoingPipe outgoing = c.outgoing();
        IncomingPipe incoming = c.incoming();
        if (incoming != null) {
            incoming.finishFlowControl(scratch);
        }
        boolean sent = outgoing == null;
        if (outgoing != null) {
            try {
                sent = outgoing.finishSending();
            } catch (IOException e) {
                sent = true; // the other node is gone
            }
        }
        boolean over = sent && (outgoing == null || outgoing.ended()) && (incoming == null || incoming.closed());
        if (over || System.nanoTime() - c.lingerEndNs() >= 0) {
            finish(c);
        }
    }

    private void finish(NioConnection c) {
        table.remove(c);
        c.finish();
    }

    // ---------------------------------------------------------------- the end

    /** Whether {@link #close} was called: then {@link #finishNow} takes the agent's place. */
    boolean isClosed() {
        return closed;
    }

    /** Ends a connection after the agent's end. */
    synchronized void finishNow(NioConnection c) {
        finish(c);
    }

    /** Frees everything. When no thread runs the agent any more. */
    synchronized void close() {
        finishLingering();
        closed = true;
        for (NioConnection c : table.all()) {
            finish(c);
        }
        Channels.closeQuietly(selector);
    }

    /** Orderly closes that are not over yet get their time: each is bounded. */
    private void finishLingering() {
        try {
            do {
                doWork();
                if (attended.stream().anyMatch(NioConnection::lingering)) {
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
