package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    private static final long TICK_MS = 100;
    private static final long TICK_MS_MIN = 10;
    /** Ticks in the shortest silence that any node bears. */
    private static final int TICKS = 8;

    private static final long ENDING_TICK_MS = 1;
    private static final long JOIN_MS = 5000;

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

    private boolean isAnyEnding() {
        return !jobs.isEmpty() || lingering > 0;
    }

    private void run() {
        while (!closed) {
            try {
                cycle();
            } catch (IOException | RuntimeException e) {
                context.error("watching the side channels failed", e);
            }
        }
    }

    private void cycle() throws IOException {
        selector.select(ready, jobs.isEmpty() ? timeoutMs() : 1);
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
        long nowNs = System.nanoTime();
        visitEnding(nowNs);
        if (nowNs - tickedNs >= TimeUnit.MILLISECONDS.toNanos(tickMs)) {
            tick(nowNs);
        }
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
            if (side.read(scratch, System.nanoTime())) {
                transport.peerIsReady(connection);
            }
        } catch (IOException e) {
            side.close();
            connection.fail("the side channel to node " + connection.nodeId() + " broke: " + Channels.describe(e));
        }
    }

    /** Goes on with connections whose other side has hung up, or that linger. */
    private void visitEnding(long nowNs) {
        for (int i = all.size() - 1; i >= 0 && i < all.size(); i--) {
            SideChannel side = all.get(i);
            IbConnection connection = side.connection();
            if (connection.closeMode() != IbConnection.CloseMode.OPEN) {
                if (side.isLingering()) {
                    ending(connection, nowNs);
                }
            } else if (side.hasEnded() && connection.failure() == null) {
                hungUp(side, connection, nowNs);
            }
        }
    }

    private void hungUp(SideChannel side, IbConnection connection, long nowNs) {
        if (!side.saidBye()) {
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

    private void ending(IbConnection connection, long nowNs) {
        SideChannel side = connection.side();
        if (side != null && connection.closeMode() == IbConnection.CloseMode.ORDERLY) {
            if (!side.isLingering()) {
                lingering++;
                side.sayBye(nowNs, nowNs + TimeUnit.MILLISECONDS.toNanos(options.lingerMs()));
            }
            // The queue pair stays until the other side has its last acknowledgement, and says so by hanging up too.
            if (!side.hasEnded() && nowNs - side.lingerEndNs() < 0) {
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
            IbConnection connection = side.connection();
            if (side.hasEnded() || connection.failure() != null || side.isLingering()) {
                continue;
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
        transport.events().poll();
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
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
        Channels.closeQuietly(selector);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
