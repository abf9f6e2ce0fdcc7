package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The connection manager's thread with its job queue (Ibdxnet §7.1): what happens to a connection after it was opened. It watches the
 * side channels, says and wants signs of life, ends connections in order, frees their queue pairs, and looks at the device's
 * asynchronous events.
 *
 * <p>Opening has threads of its own, the listener's and the engine's connectors: it waits for other nodes, and one node that does not
 * answer shall not hold up the end of the connection to another.
 */
final class SideChannels implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SideChannels.class.getName());
    private static final long TICK_MS = 100;
    private static final long TICK_MS_MIN = 10;
    /** Ticks in the shortest silence that any node bears. */
    private static final int TICKS = 8;

    private static final long ENDING_TICK_MS = 1;
    private static final long JOIN_MS = 5000;
    /** Jobs of one cycle; the others wait for the next one, after the time limits. */
    private static final int JOBS_MAX = 256;

    private final TransportContext context;
    private final IbTransport transport;
    private final IbOptions options;
    private final Selector selector;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private volatile boolean closed; // close()

    private volatile int lingering; // the thread

    // The thread only:
    private final List<SideChannel> all = new ArrayList<>();
    private final Consumer<SelectionKey> ready = this::ready;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(256);
    private long tickedNs = System.nanoTime();
    private long tickMs;

    SideChannels(TransportContext context, IbTransport transport, IbOptions options) {
        this.context = context;
        this.transport = transport;
        this.options = options;
        this.tickMs = Math.clamp(options.keepAliveMs() / TICKS, TICK_MS_MIN, TICK_MS);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("can't open a selector: " + Channels.describe(e), e);
        }
        this.thread = new Thread(this::run, "dxnet-" + context.nodeMap().ownNodeId() + "-ibcm");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Puts a job into the queue. Any thread. */
    void submit(Runnable job) {
        jobs.add(job);
        selector.wakeup();
    }

    /** Takes a channel over, in non-blocking mode, after its handshake. Any thread. */
    void watch(IbConnection connection, SocketChannel channel, int peerKeepAliveMs) {
        SideChannel side = new SideChannel(connection, channel, Math.min(peerKeepAliveMs, options.keepAliveMs()));
        connection.side(side);
        submit(() -> {
            if (connection.state() == IbConnection.State.CLOSED) {
                side.close(); // it was closed before it was open, and nobody would end it any more
                return;
            }
            tickMs = Math.clamp(side.keepAliveMs() / TICKS, TICK_MS_MIN, tickMs);
            try {
                side.register(selector);
                all.add(side);
            } catch (IOException e) {
                side.close();
                connection.fail("the side channel broke: " + Channels.describe(e));
            }
        });
    }

    /** Ends a connection, as its close mode says. Any thread. */
    void end(IbConnection connection) {
        submit(() -> ending(connection, System.nanoTime()));
    }

    /** Asks the other side of a connection whether it is still open there. Any thread. */
    LifeProbe probe(IbConnection connection) {
        LifeProbe probe = new LifeProbe(connection);
        submit(() -> probe(probe));
        return probe;
    }

    private void probe(LifeProbe probe) {
        SideChannel side = probe.connection().side();
        if (side == null) {
            probe.notSent();
            return;
        }
        try {
            if (!side.hasEnded() && !side.isLingering()) {
                side.probe(probe, System.nanoTime());
            }
        } catch (IOException e) {
            broke(side, e);
        }
    }

    private static void broke(SideChannel side, IOException e) {
        IbConnection connection = side.connection();
        side.close();
        connection.fail("the side channel to node " + connection.nodeId() + " broke: " + Channels.describe(e));
    }

    private boolean isAnyEnding() {
        return !jobs.isEmpty() || lingering > 0;
    }

    private void run() {
        while (!closed) {
            try {
                select();
                doJobs(JOBS_MAX);
                long nowNs = System.nanoTime();
                visitEnding(nowNs);
                if (nowNs - tickedNs >= TimeUnit.MILLISECONDS.toNanos(tickMs)) {
                    tick(nowNs);
                }
            } catch (RuntimeException e) { // reporting an error failed: the thread must outlive that too
                LOG.log(
                        Level.ERROR,
                        "the side channels of node " + context.nodeMap().ownNodeId(),
                        e);
            }
        }
    }

    private void select() {
        try {
            selector.select(ready, jobs.isEmpty() ? timeoutMs() : 1);
        } catch (IOException | RuntimeException e) {
            context.error("waiting for the side channels failed", e);
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(tickMs)); // it may fail again at once
        }
    }

    /** Does so many jobs at most: the time limits of all connections are waiting. What one throws does not concern the others. */
    private void doJobs(int max) {
        for (int i = 0; i < max; i++) {
            Runnable job = jobs.poll();
            if (job == null) {
                return;
            }
            try {
                job.run();
            } catch (RuntimeException e) {
                context.error("a job of the connection management failed", e);
            }
        }
    }

    /** Handling a connection threw what nobody expected: it ends, and the others go on. */
    private void failed(SideChannel side, RuntimeException e) {
        IbConnection connection = side.connection();
        context.error("handling the side channel to node " + connection.nodeId() + " failed", e);
        side.close();
        connection.fail("handling its side channel failed: " + e);
    }

    private long timeoutMs() {
        for (int i = 0; i < all.size(); i++) { // without an iterator: an idle node allocates nothing either
            SideChannel side = all.get(i);
            if (side.isLingering() || side.hasEnded()) {
                return ENDING_TICK_MS;
            }
        }
        return tickMs;
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        SideChannel side = (SideChannel) key.attachment();
        IbConnection connection = side.connection();
        try {
            long nowNs = System.nanoTime();
            if (side.read(scratch, nowNs)) {
                transport.peerIsReady(connection);
            }
            side.answer(connection.isOpen(), nowNs);
        } catch (IOException e) {
            broke(side, e);
        } catch (RuntimeException e) {
            failed(side, e);
        }
    }

    /** Goes on with connections whose other side has hung up, or that linger. */
    private void visitEnding(long nowNs) {
        for (int i = all.size() - 1; i >= 0 && i < all.size(); i--) {
            SideChannel side = all.get(i);
            try {
                visitEnding(side, side.connection(), nowNs);
            } catch (RuntimeException e) {
                failed(side, e);
            }
        }
    }

    private void visitEnding(SideChannel side, IbConnection connection, long nowNs) {
        if (connection.closeMode() != IbConnection.CloseMode.OPEN) {
            if (side.isLingering()) {
                ending(connection, nowNs);
            }
        } else if (side.hasEnded() && connection.failure() == null) {
            hungUp(side, connection, nowNs);
        }
    }

    private void hungUp(SideChannel side, IbConnection connection, long nowNs) {
        if (!side.heardBye()) {
            connection.fail("node " + connection.nodeId() + " ended without a word");
            return;
        }
        // It has everything that it was sent; that the device knows this too may take an acknowledgement more.
        SendQueue sending = connection.sendQueue();
        if (sending != null && sending.isOutstanding()) {
            connection.endpoint().completions().poll(null);
            if (nowNs - side.hungUpNs(nowNs) < TimeUnit.MILLISECONDS.toNanos(options.lingerMs())) {
                return;
            }
        }
        connection.fail("node " + connection.nodeId() + " closed the connection");
    }

    /**
     * Whether the other node's device has all that this node had to say, also the signals of the end, which the word BYE must not
     * overtake. Goes on with that where it has not.
     */
    private boolean isFlushed(IbConnection connection) {
        SendQueue sending = connection.sendQueue();
        if (sending == null || !connection.isUsable()) {
            return true; // nothing was said, or nothing more can be said
        }
        connection.endpoint().completions().poll(null);
        int signals = connection.connection().takeSignals();
        if (signals != 0) {
            connection.connection().returnSignals(signals);
            connection.endpoint().post(connection.nodeId(), SendEndpoint.FLOW_CONTROL);
        }
        return signals == 0 && sending.isIdle(); // in this order: signals are taken by the thread that is posting
    }

    private void ending(IbConnection connection, long nowNs) {
        SideChannel side = connection.side();
        if (side != null && connection.closeMode() == IbConnection.CloseMode.ORDERLY) {
            if (!side.isLingering()) {
                lingering++;
                side.linger(nowNs + TimeUnit.MILLISECONDS.toNanos(options.lingerMs()));
            }
            boolean late = nowNs - side.lingerEndNs() >= 0;
            if (!side.hasSaidBye() && (late || isFlushed(connection))) {
                side.sayBye(nowNs);
            }
            // The queue pair stays until the other side has its last acknowledgement, and says so by hanging up too.
            if (!late && !(side.hasSaidBye() && side.hasEnded())) {
                return;
            }
        }
        if (side != null) {
            all.remove(side);
            if (side.isLingering()) {
                lingering--;
            }
        }
        transport.finish(connection);
    }

    private void tick(long nowNs) {
        // After a pause of this process itself, what others said meanwhile is still to be read.
        boolean paused = nowNs - tickedNs > TimeUnit.MILLISECONDS.toNanos(options.keepAliveMs()) / 2;
        tickedNs = nowNs;
        for (int i = 0; i < all.size(); i++) {
            SideChannel side = all.get(i);
            try {
                tick(side, side.connection(), paused, nowNs);
            } catch (RuntimeException e) {
                failed(side, e);
            }
        }
        try {
            transport.events().poll();
        } catch (RuntimeException e) {
            context.error("reading the events of the device failed", e);
        }
    }

    private void tick(SideChannel side, IbConnection connection, boolean paused, long nowNs) {
        if (side.hasEnded() || connection.failure() != null || side.isLingering()) {
            return;
        }
        try {
            if (side.isDue(nowNs)) {
                side.say(SideChannel.ALIVE, nowNs);
            }
        } catch (IOException e) {
            connection.fail("the side channel to node " + connection.nodeId() + " broke: " + Channels.describe(e));
        }
        side.noteMessages(connection.messages(), nowNs);
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(options.keepAliveMs());
        if (connection.state() == IbConnection.State.ACCEPTED && side.ageNs(nowNs) > patienceNs) {
            connection.fail("node " + connection.nodeId() + " did not say within " + options.keepAliveMs()
                    + " ms (ib.keepAliveMs) that it is ready");
        }
        if (!paused && side.silenceNs(nowNs) > patienceNs) {
            connection.fail("nothing was heard of node " + connection.nodeId() + " for " + options.keepAliveMs()
                    + " ms (ib.keepAliveMs): it, or the link to it, is gone");
        }
    }

    /**
     * Ends the thread, after the connections that linger: each is bounded. The channels that are left are closed by
     * {@link IbTransport#close}.
     */
    @Override
    public void close() {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.lingerMs());
        while (thread.isAlive() && isAnyEnding() && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(ENDING_TICK_MS));
        }
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        if (thread.getState() != Thread.State.NEW) {
            try {
                thread.join(JOIN_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        doJobs(jobs.size()); // a job that submits itself again must not keep this thread
        Channels.closeQuietly(selector);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
