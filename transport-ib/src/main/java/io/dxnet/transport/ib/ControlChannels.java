package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionAgent;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.shared.SafeLog;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The connection manager's thread (Ibdxnet §7.1): what happens to a connection after it was opened.
 * It watches the control channels, sends and expects signs of life, ends connections in order, and
 * polls the device's asynchronous events.
 *
 * <p>Opening has threads of its own, the listener's and the engine's connectors: it waits for other
 * nodes, and one node that does not answer shall not delay the end of the connection to another.
 */
final class ControlChannels extends ConnectionAgent<IbConnection> {
    private static final System.Logger LOG = System.getLogger(ControlChannels.class.getName());
    private static final int SCRATCH_BYTES = 256;
    /** Connections that are freed before signs of life have their turn. */
    private static final int DESTROYED_MAX = 64;

    private static final long TICK_MS = 100;
    private static final long TICK_MS_MIN = 10;
    /** Ticks in the shortest silence that any node bears. */
    private static final int TICKS = 8;

    private final IbOptions options;
    private final ReceiveEndpoint receiver;
    private final DeviceEvents events;
    private final String name;
    private final Thread thread;
    private final ConcurrentLinkedQueue<IbConnection> purged = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped; // close()

    // The thread only:
    private final List<IbConnection> all = new ArrayList<>();
    private long tickedNs = System.nanoTime();
    private long tickMs;

    ControlChannels(
            TransportContext context,
            IbOptions options,
            Connections<IbConnection> connections,
            ReceiveEndpoint receiver,
            DeviceEvents events) {
        super(context, connections, options.lingerMs(), SCRATCH_BYTES);
        this.options = options;
        this.receiver = receiver;
        this.events = events;
        this.tickMs = Math.clamp(options.keepAliveMs() / TICKS, TICK_MS_MIN, TICK_MS);
        this.name = "the control channels of node " + context.nodeMap().ownNodeId();
        this.thread = new Thread(this::run, "dxnet-" + context.nodeMap().ownNodeId() + "-" + role());
        thread.setDaemon(true);
        receiver.wire(this::destroyLater);
    }

    @Override
    public String role() {
        return "ibcm";
    }

    void start() {
        thread.start();
    }

    private void run() {
        boolean isInterrupted = false;
        while (!stopped) {
            try {
                if (isInterrupted) {
                    resume(); // interests of connections behind the one with the error
                    isInterrupted = false;
                }
                doWork();
                Thread.interrupted(); // of an error handler: a selector would not wait any more
                await(TimeUnit.MILLISECONDS.toNanos(tickMs));
            } catch (Throwable e) { // also an error, and where reporting one failed: other connections need the thread
                isInterrupted = true;
                SafeLog.error(LOG, name, e);
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(TICK_MS_MIN)); // the next may fail too
            }
        }
    }

    @Override
    public void await(long timeoutNs) {
        signal.park(timeoutNs);
    }

    @Override
    protected boolean hasWork() {
        return !isIdle() || !purged.isEmpty();
    }

    // ---------------------------------------------------------------- channels

    /** Watches a channel, in non-blocking mode, after its handshake. Any thread. */
    void watch(IbConnection c, ByteStream channel, int peerKeepAliveMs) {
        c.side(new ControlChannel(channel, Math.min(peerKeepAliveMs, options.keepAliveMs())));
        post(c.nodeId(), Interest.OPENED);
    }

    @Override
    protected void apply(IbConnection c, int bits) throws IOException {
        ControlChannel side = c.side();
        if (side == null) {
            return;
        }
        if ((bits & Interest.OPENED) != 0) {
            if (!all.contains(c)) {
                tickMs = Math.clamp(side.keepAliveMs() / TICKS, TICK_MS_MIN, tickMs);
                all.add(c);
            }
            side.register(selector, c);
            if (side.hasBuffered()) {
                receive(c); // what came with the handshake's last bytes is no event
            }
        }
        if ((bits & Interest.WRITE) != 0 && !side.hasEnded() && !c.isLingering()) {
            side.sayQuestions(System.nanoTime());
        }
    }

    @Override
    protected void ready(SelectionKey key) {
        if (key.isValid()) {
            IbConnection c = (IbConnection) key.attachment();
            try {
                receive(c);
            } catch (IOException | RuntimeException e) {
                broken(c, e);
            }
        }
    }

    private void receive(IbConnection c) throws IOException {
        ControlChannel side = c.side();
        try {
            receive(c, side);
        } catch (Error e) { // the words that it interrupted are lost
            side.close();
            c.fail("an error interrupted the control channel");
            throw e;
        }
    }

    private void receive(IbConnection c, ControlChannel side) throws IOException {
        long nowNs = System.nanoTime();
        if (side.readAll(scratch, nowNs)) {
            c.peerReady();
        }
        side.answer(c.isInUse() && c.failure() == null, nowNs);
        if (side.hasEnded() && c.state().isAlive()) {
            attend(c);
        }
    }

    @Override
    protected void broken(IbConnection c, Exception e) {
        if (c.side() != null) {
            c.side().close();
        }
        if (e instanceof IOException io) {
            c.fail(Channels.failed("the control channel broke", io));
        } else {
            super.broken(c, e);
        }
    }

    // ---------------------------------------------------------------- ends

    /** The other node has hung up. */
    @Override
    protected boolean visit(IbConnection c) {
        ControlChannel side = c.side();
        if (side == null || !side.hasEnded()) {
            return false;
        }
        if (!side.heardBye()) {
            c.fail("node " + c.nodeId() + " ended without a word");
            return false;
        }
        // It has everything that it was sent; for the device to know this too, an
        // acknowledgement more may be needed.
        SendQueue sending = c.sendQueue();
        if (sending != null && sending.isOutstanding()) {
            c.endpoint().pollCompletions();
            if (side.endedNs(System.nanoTime()) < TimeUnit.MILLISECONDS.toNanos(options.lingerMs())) {
                return true;
            }
        }
        c.fail("node " + c.nodeId() + " closed the connection");
        return false;
    }

    /** The receiving agent reports the loss: see {@link EndingConnections}. */
    @Override
    protected boolean passLastReads(IbConnection c) {
        return false;
    }

    /**
     * The queue pair stays until the other side has its last acknowledgement: then that hangs up
     * too.
     */
    @Override
    protected boolean linger(IbConnection c) {
        ControlChannel side = c.side();
        if (side == null) {
            return true;
        }
        boolean mayEnd = side.hasSaidBye() || c.isLingerOver() || isFlushed(c);
        return mayEnd && side.sayBye(System.nanoTime());
    }

    /**
     * Returns whether the other node's device has all that this node had to send, also the signals
     * of the end, which the word BYE must not overtake. Where it has not, sends more of it.
     */
    private static boolean isFlushed(IbConnection c) {
        SendQueue sending = c.sendQueue();
        if (sending == null || !c.isUsable()) {
            return true; // nothing was sent, or nothing more can be sent
        }
        c.endpoint().pollCompletions();
        int signals = c.connection().takeSignals();
        if (signals != 0) {
            c.connection().returnSignals(signals);
            c.endpoint().post(c.nodeId(), Interest.FLOW_CONTROL); // first: where another thread is posting
            c.endpoint().send(c); // the agent may have ended, or be in a callback for longer than the linger lasts
        }
        return signals == 0 && sending.isIdle(); // in this order: the thread that is posting removes the signals
    }

    /**
     * Ends the use of a connection's queue pair. {@link IbConnection#finish} follows, after what it
     * received is polled.
     */
    @Override
    protected void finish(IbConnection c) {
        try {
            c.seal();
        } finally {
            receiver.purgeLater(c);
            connections.remove(c); // in this order: where the heap is full, this method is called again
        }
    }

    /** All that it received is polled. Any thread. */
    void destroyLater(IbConnection c) {
        purged.add(c);
        signal.raise();
    }

    /** Frees the connections whose last received data was polled. After {@link #close}. */
    void destroyPurged() {
        while (destroyPurged(DESTROYED_MAX) == DESTROYED_MAX) {
            // there may be more
        }
    }

    private int destroyPurged(int max) {
        int count = 0;
        for (IbConnection c = purged.poll(); c != null; c = count < max ? purged.poll() : null) {
            c.finish();
            count++;
        }
        return count;
    }

    // ---------------------------------------------------------------- time limits

    @Override
    protected int poll() {
        if (destroyPurged(DESTROYED_MAX) == DESTROYED_MAX) {
            select(0); // the others wait: each may need milliseconds
        }
        long nowNs = System.nanoTime();
        if (nowNs - tickedNs >= TimeUnit.MILLISECONDS.toNanos(tickMs)) {
            tick(nowNs);
        }
        return 0;
    }

    private void tick(long nowNs) {
        // After a pause of this process itself, what others sent meanwhile is still to be read.
        boolean paused = nowNs - tickedNs > TimeUnit.MILLISECONDS.toNanos(options.keepAliveMs()) / 2;
        tickedNs = nowNs;
        all.removeIf(IbConnection::isClosed);
        for (int i = 0; i < all.size(); i++) { // without an iterator: an idle node allocates nothing either
            IbConnection c = all.get(i);
            try {
                tick(c.side(), c, paused, nowNs);
            } catch (IOException | RuntimeException e) {
                broken(c, e);
            }
        }
        try {
            events.poll();
        } catch (RuntimeException e) {
            context.error("reading the events of the device failed", e);
        }
    }

    private void tick(ControlChannel side, IbConnection c, boolean paused, long nowNs) throws IOException {
        if (side.hasEnded() || c.failure() != null) {
            return;
        }
        side.saySigns(nowNs);
        side.noteMessages(c.messages(), nowNs);
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(options.keepAliveMs());
        if (c.state() == ConnectionState.ACCEPTED && side.ageNs(nowNs) > patienceNs) {
            c.fail("node " + c.nodeId() + " did not say within " + options.keepAliveMs()
                    + " ms (ib.keepAliveMs) that it is ready");
        }
        if (!paused && side.silenceNs(nowNs) > patienceNs) {
            c.fail("nothing was heard of node " + c.nodeId() + " for " + options.keepAliveMs()
                    + " ms (ib.keepAliveMs): it, or the link to it, is gone");
        }
    }

    /** Ends the thread, and proceeds in its place with the connections that linger. */
    @Override
    protected void close() {
        stopped = true;
        wakeup();
        boolean interrupted = Channels.awaitEnd(thread);
        super.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
