package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The connection manager's thread (Ibdxnet §7.1): what happens to a connection after it was opened.
 * It watches the control channels, sends and expects signs of life, ends connections in order, and
 * polls the device's asynchronous events.
 *
 * <p>Opening has threads of its own, the listener's and the engine's connectors: it waits for other
 * nodes, and one node that does not answer shall not delay the end of the connection to another.
 */
final class ControlChannels implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlChannels.class.getName());
    private static final long TICK_MS = 100;
    private static final long TICK_MS_MIN = 10;
    /** Ticks in the shortest silence that any node bears. */
    private static final int TICKS = 8;

    private static final long ENDING_TICK_MS = 1;
    /** Jobs of one cycle; the others wait for the next one, after the time limits. */
    private static final int JOBS_MAX = 256;

    /** A control channel that is watched. */
    private record Watched(IbConnection connection, ControlChannel side) {}

    private final TransportContext context;
    private final IbOptions options;
    private final Connections<IbConnection> connections;
    private final JobQueue jobs;
    private final ReceiveEndpoint receiver;
    private final DeviceEvents events;
    private final Selector selector;
    private final Thread thread;
    private volatile boolean closed; // close()

    private volatile int lingering; // the thread

    // The thread only:
    private final List<Watched> all = new ArrayList<>();
    private final Consumer<SelectionKey> ready = this::ready;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(256);
    private long tickedNs = System.nanoTime();
    private long tickMs;

    ControlChannels(
            TransportContext context,
            IbOptions options,
            Connections<IbConnection> connections,
            JobQueue jobs,
            ReceiveEndpoint receiver,
            DeviceEvents events) {
        this.context = context;
        this.options = options;
        this.connections = connections;
        this.jobs = jobs;
        this.receiver = receiver;
        this.events = events;
        this.tickMs = Math.clamp(options.keepAliveMs() / TICKS, TICK_MS_MIN, TICK_MS);
        this.selector = Channels.openSelector();
        jobs.wire(selector);
        this.thread = new Thread(this::run, "dxnet-" + context.nodeMap().ownNodeId() + "-ibcm");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Watches a channel, in non-blocking mode, after its handshake. Any thread. */
    void watch(IbConnection connection, ByteStream channel, int peerKeepAliveMs) {
        ControlChannel side = new ControlChannel(channel, Math.min(peerKeepAliveMs, options.keepAliveMs()));
        Watched watched = new Watched(connection, side);
        connection.side(side);
        jobs.submit(() -> {
            if (connection.state().compareTo(ConnectionState.CLOSED) >= 0) {
                side.close(); // it was closed before it was open, and has ended
                return;
            }
            tickMs = Math.clamp(side.keepAliveMs() / TICKS, TICK_MS_MIN, tickMs);
            all.add(watched);
            try {
                side.register(selector, watched);
                if (side.hasBuffered()) {
                    received(watched); // what came with the handshake's last bytes is no event
                }
            } catch (IOException e) {
                side.close();
                connection.fail("the control channel broke: " + Channels.describe(e));
            }
        });
    }

    /** Ends a closed connection. Any thread. */
    void end(IbConnection connection) {
        jobs.submit(() -> proceedWithEnd(connection));
    }

    /** Asks the other side of a connection whether it is still open there. Any thread. */
    LifeProbe probe(IbConnection connection) {
        LifeProbe probe = new LifeProbe(connection);
        jobs.submit(() -> send(probe, connection));
        return probe;
    }

    private static void send(LifeProbe probe, IbConnection connection) {
        ControlChannel side = connection.side();
        if (side == null) {
            probe.notSent();
            return;
        }
        try {
            if (!side.hasEnded() && !connection.isLingering()) {
                side.probe(probe, System.nanoTime());
            }
        } catch (IOException e) {
            broke(connection, side, e);
        }
    }

    private static void broke(IbConnection connection, ControlChannel side, IOException e) {
        side.close();
        connection.fail("the control channel to node " + connection.nodeId() + " broke: " + Channels.describe(e));
    }

    private boolean isAnyEnding() {
        return !jobs.isEmpty() || lingering > 0;
    }

    private void run() {
        while (!closed) {
            try {
                select();
                jobs.run(JOBS_MAX); // the time limits of all connections wait for them
                visitEnding();
                long nowNs = System.nanoTime();
                if (nowNs - tickedNs >= TimeUnit.MILLISECONDS.toNanos(tickMs)) {
                    tick(nowNs);
                }
            } catch (RuntimeException e) { // reporting an error failed: the thread must outlive that too
                LOG.log(
                        Level.ERROR,
                        "the control channels of node " + context.nodeMap().ownNodeId(),
                        e);
            }
        }
    }

    private void select() {
        try {
            selector.select(ready, jobs.isEmpty() ? timeoutMs() : 1);
        } catch (IOException | RuntimeException e) {
            context.error("waiting for the control channels failed", e);
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(tickMs)); // it may fail again at once
        }
    }

    /** Handling a connection threw an unexpected exception: it ends, and the others continue. */
    private void failed(Watched watched, RuntimeException e) {
        IbConnection connection = watched.connection;
        context.error("handling the control channel to node " + connection.nodeId() + " failed", e);
        watched.side.close();
        connection.fail("handling its control channel failed: " + e);
    }

    private long timeoutMs() {
        for (int i = 0; i < all.size(); i++) { // without an iterator: an idle node allocates nothing either
            Watched each = all.get(i);
            if (each.connection.isLingering() || each.side.hasEnded()) {
                return ENDING_TICK_MS;
            }
        }
        return tickMs;
    }

    private void ready(SelectionKey key) {
        if (key.isValid()) {
            received((Watched) key.attachment());
        }
    }

    private void received(Watched watched) {
        IbConnection connection = watched.connection;
        ControlChannel side = watched.side;
        try {
            long nowNs = System.nanoTime();
            if (side.readAll(scratch, nowNs)) {
                connection.peerReady();
            }
            side.answer(connection.isInUse() && connection.failure() == null, nowNs);
        } catch (IOException e) {
            broke(connection, side, e);
        } catch (RuntimeException e) {
            failed(watched, e);
        }
    }

    /** Proceeds with connections whose other side has hung up, or that linger. */
    private void visitEnding() {
        for (int i = all.size() - 1; i >= 0 && i < all.size(); i--) {
            Watched each = all.get(i);
            try {
                if (each.connection.isLingering()) {
                    proceedWithEnd(each.connection);
                } else if (each.side.hasEnded() && each.connection.state().isAlive()) {
                    hungUp(each.side, each.connection, System.nanoTime());
                }
            } catch (RuntimeException e) {
                failed(each, e);
            }
        }
    }

    private void hungUp(ControlChannel side, IbConnection connection, long nowNs) {
        if (!side.heardBye()) {
            connection.fail("node " + connection.nodeId() + " ended without a word");
            return;
        }
        // It has everything that it was sent; for the device to know this too, an
        // acknowledgement more may be needed.
        SendQueue sending = connection.sendQueue();
        if (sending != null && sending.isOutstanding()) {
            connection.endpoint().pollCompletions();
            if (nowNs - side.hungUpNs(nowNs) < TimeUnit.MILLISECONDS.toNanos(options.lingerMs())) {
                return;
            }
        }
        connection.fail("node " + connection.nodeId() + " closed the connection");
    }

    /**
     * Returns whether the other node's device has all that this node had to send, also the signals
     * of the end, which the word BYE must not overtake. Where it has not, sends more of it.
     */
    private boolean isFlushed(IbConnection connection) {
        SendQueue sending = connection.sendQueue();
        if (sending == null || !connection.isUsable()) {
            return true; // nothing was sent, or nothing more can be sent
        }
        connection.endpoint().pollCompletions();
        int signals = connection.connection().takeSignals();
        if (signals != 0) {
            connection.connection().returnSignals(signals);
            connection.endpoint().post(connection.nodeId(), SendSide.FLOW_CONTROL);
        }
        return signals == 0 && sending.isIdle(); // in this order: the thread that is posting removes the signals
    }

    /** Proceeds with the end of a closed connection. */
    private void proceedWithEnd(IbConnection connection) {
        ControlChannel side = connection.side();
        if (side != null && connection.state() == ConnectionState.LINGERING) {
            if (connection.beginLingering(options.lingerMs())) {
                lingering++;
            }
            boolean late = connection.isLingerOver();
            if (!side.hasSaidBye() && (late || isFlushed(connection))) {
                side.sayBye(System.nanoTime());
            }
            side.proceedWithBye();
            // The queue pair stays until the other side has its last
            // acknowledgement: then that hangs up too.
            if (!late && !(side.hasSaidBye() && side.hasEnded())) {
                return;
            }
        }
        if (all.removeIf(each -> each.connection == connection) && connection.isLingering()) {
            lingering--;
        }
        finish(connection);
    }

    /**
     * Ends the use of a connection's queue pair. {@link IbConnection#destroy} follows, after what
     * it received is polled.
     */
    void finish(IbConnection connection) {
        try {
            connection.seal();
        } finally {
            connections.remove(connection);
            receiver.purgeLater(connection);
        }
    }

    private void tick(long nowNs) {
        // After a pause of this process itself, what others sent meanwhile is still to be read.
        boolean paused = nowNs - tickedNs > TimeUnit.MILLISECONDS.toNanos(options.keepAliveMs()) / 2;
        tickedNs = nowNs;
        for (int i = 0; i < all.size(); i++) {
            Watched each = all.get(i);
            try {
                tick(each.side, each.connection, paused, nowNs);
            } catch (RuntimeException e) {
                failed(each, e);
            }
        }
        try {
            events.poll();
        } catch (RuntimeException e) {
            context.error("reading the events of the device failed", e);
        }
    }

    private void tick(ControlChannel side, IbConnection connection, boolean paused, long nowNs) {
        if (side.hasEnded() || connection.failure() != null || connection.isLingering()) {
            return;
        }
        try {
            if (side.isDue(nowNs)) {
                side.say(ControlChannel.ALIVE, nowNs);
            }
        } catch (IOException e) {
            connection.fail("the control channel to node " + connection.nodeId() + " broke: " + Channels.describe(e));
        }
        side.noteMessages(connection.messages(), nowNs);
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(options.keepAliveMs());
        if (connection.state() == ConnectionState.ACCEPTED && side.ageNs(nowNs) > patienceNs) {
            connection.fail("node " + connection.nodeId() + " did not say within " + options.keepAliveMs()
                    + " ms (ib.keepAliveMs) that it is ready");
        }
        if (!paused && side.silenceNs(nowNs) > patienceNs) {
            connection.fail("nothing was heard of node " + connection.nodeId() + " for " + options.keepAliveMs()
                    + " ms (ib.keepAliveMs): it, or the link to it, is gone");
        }
    }

    /**
     * Ends the thread, after the connections that linger: each is bounded. The channels that are
     * left are closed by {@link IbTransport#close}.
     */
    @Override
    public void close() {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.lingerMs());
        while (thread.isAlive() && isAnyEnding() && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(ENDING_TICK_MS));
        }
        closed = true;
        selector.wakeup();
        boolean interrupted = Channels.awaitEnd(thread);
        jobs.run(jobs.size()); // a job that submits itself again must not keep this thread
        Channels.closeQuietly(selector);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
