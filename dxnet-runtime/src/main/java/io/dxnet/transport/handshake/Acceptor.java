package io.dxnet.transport.handshake;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.idle.RunningTime;
import io.dxnet.transport.security.NodeSecurity;
import io.dxnet.transport.security.TlsSecurity;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens, and answers the handshakes of other nodes, on a thread of its own with a selector
 * of its own: the paper's ConnectionCreationHelper (DXNet §IX-1). So neither a stranger nor
 * a lock of the connection management holds up the transport's agent.
 *
 * <p>Handshakes are bounded in number and time, and what one of them throws ends that one only.
 * {@link #close}, {@link #address}, {@link #describe} and {@link #connectionClosed}: any thread.
 */
public final class Acceptor implements AutoCloseable {
    /** How often a handshake that waits for its predecessor's end asks again. */
    private static final long RETRY_MS = 5;

    /** Time is measured at least as often while there are handshakes. */
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What exceeds it is a pause of the process or its machine. */
    private static final long STEP_NS_MAX = 5 * STEP_NS;

    /** How long to accept nothing after accepting failed: mostly, no file descriptor is left. */
    private static final long ACCEPT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int ACCEPTS_PER_TURN = 64;

    private final TransportContext context;
    private final Admission admission;
    private final AcceptorOptions options;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey accepting;
    private final Thread thread;
    private final HandshakeLog log;
    private final HandshakeTable handshakes = new HandshakeTable();
    private final RunningTime time = new RunningTime(STEP_NS_MAX); // of the handshakes; the acceptor
    private final Consumer<SelectionKey> dispatch = this::ready;
    private volatile boolean closed; // close()
    private volatile boolean waiting; // the acceptor: a handshake waits for the end of a connection
    private boolean pausing;
    private long pauseEndNs;

    /**
     * Listens at the address of this node's entry in the node map, or on the bind address with that
     * entry's port. Where the port is 0, it uses any free one and writes that into the node map.
     *
     * @param context the engine's
     * @param admission the transport's decision about a handshake
     * @param options bounds
     * @return it runs until it is closed
     * @throws ConfigurationException when it can't listen
     */
    public static Acceptor listen(TransportContext context, Admission admission, AcceptorOptions options) {
        OwnEntry own = new OwnEntry(context.nodeMap());
        InetSocketAddress address = own.listeningAddress(options.bindAddress());
        Reach.check(context, address.getAddress());
        Acceptor acceptor = new Acceptor(context, admission, options, address);
        boolean isStarted = false;
        try {
            own.port(acceptor.address().getPort());
            acceptor.thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                acceptor.free();
            }
        }
        return acceptor;
    }

    private void free() {
        Channels.closeQuietly(server);
        Channels.closeQuietly(selector);
    }

    private Acceptor(
            TransportContext context, Admission admission, AcceptorOptions options, InetSocketAddress address) {
        this.context = context;
        this.admission = admission;
        this.options = options;
        this.log = new HandshakeLog(context.nodeMap().ownNodeId());
        @Nullable ServerSocketChannel channel = null;
        @Nullable Selector opened = null;
        try {
            channel = ServerSocketChannel.open();
            if (options.socketBufferBytes() > 0) {
                // Accepted channels inherit it.
                channel.setOption(StandardSocketOptions.SO_RCVBUF, options.socketBufferBytes());
            }
            channel.bind(address, options.backlog());
            channel.configureBlocking(false);
            opened = Selector.open();
            this.accepting = channel.register(opened, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException e) {
            Channels.closeQuietly(channel);
            Channels.closeQuietly(opened);
            throw new ConfigurationException(
                    "node " + context.nodeMap().ownNodeId() + " can't listen on " + address + ": " + e.getMessage()
                            + "; its entry in the node map must be an address of this machine with a free port"
                            + " (or set " + admission.transport() + ".bindAddress)",
                    e);
        }
        this.server = channel;
        this.selector = opened;
        this.thread = new Thread(this::run, "dxnet-" + context.nodeMap().ownNodeId() + "-accept");
        thread.setDaemon(true);
    }

    /** {@return the address that it listens on, with the port that it got} */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.socket().getLocalSocketAddress();
    }

    /** A connection was closed: a handshake may have waited for that. */
    public void connectionClosed() {
        if (waiting) {
            selector.wakeup();
        }
    }

    /** {@return where it listens, and how many handshakes came to nothing, by their causes} */
    public String describe() {
        String refused = log.describe();
        return address() + (refused.isEmpty() ? "" : " (refused: " + refused + ")");
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    turn();
                } catch (IOException | RuntimeException | Error e) {
                    failed(e);
                }
            }
        } finally {
            for (PassiveHandshake handshake : handshakes.all()) {
                handshake.drop();
            }
            free();
        }
    }

    /**
     * Time passes whatever the channels do: a late handshake ends even when
     * reading another one fails.
     */
    private void turn() throws IOException {
        Thread.interrupted(); // of an error handler: the selector would not wait any more
        try {
            selector.select(dispatch, timeoutMs());
        } finally {
            visit(System.nanoTime());
        }
    }

    /**
     * Not one handshake failed, but the selector itself, or the log: without a pause,
     * the next call would fail as fast.
     */
    private void failed(Throwable e) {
        if (!closed) {
            error("accepting connections failed", e);
            LockSupport.parkNanos(this, ACCEPT_PAUSE_NS);
        }
    }

    private long timeoutMs() {
        if (waiting) {
            return RETRY_MS;
        }
        long nowNs = System.nanoTime();
        long waitNs = log.untilFlushNs(nowNs);
        if (pausing) {
            waitNs = Math.min(waitNs, pauseEndNs - nowNs);
        }
        PassiveHandshake oldest = handshakes.oldest();
        if (oldest != null) {
            waitNs = Math.min(waitNs, Math.min(STEP_NS, oldest.deadlineNs() - time.at(nowNs)));
        }
        // Selector.select(0) waits without a limit.
        return waitNs == Long.MAX_VALUE ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs) + 1);
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof PassiveHandshake handshake) {
            step(handshake, PassiveHandshake::ready);
        } else {
            acceptAll();
        }
    }

    /** Runs a step of one handshake: what it throws ends this handshake and nothing else. */
    private void step(PassiveHandshake handshake, Consumer<PassiveHandshake> step) {
        try {
            step.accept(handshake);
        } catch (RuntimeException | Error e) {
            handshake.drop();
            error("a handshake failed", e);
        } finally {
            handshakes.settle(handshake);
        }
    }

    private void acceptAll() {
        try {
            for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
                @Nullable SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                begin(channel);
            }
        } catch (IOException e) {
            refused(HandshakeLog.Cause.ACCEPT_FAILED, null, Channels.describe(e));
            pause();
        }
    }

    /**
     * Begins the handshake of one channel; a channel that is broken already is no reason to pause.
     */
    private void begin(SocketChannel channel) {
        long deadlineNs = time.at(System.nanoTime()) + TimeUnit.MILLISECONDS.toNanos(options.handshakeTimeoutMs());
        PassiveHandshake handshake;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            handshake = new PassiveHandshake(this, stream(channel), deadlineNs);
            handshake.register(selector);
            handshakes.add(handshake); // before the end of the try: else it has no time limit
        } catch (IOException e) {
            refused(HandshakeLog.Cause.HUNG_UP_SILENTLY, channel, Channels.describe(e));
            Channels.closeQuietly(channel);
            return;
        } catch (RuntimeException | Error e) {
            Channels.closeQuietly(channel);
            error("a handshake could not begin", e);
            return;
        }
        step(handshake, PassiveHandshake::ready); // mostly, the hello is there already
        makeRoom(handshake.source());
    }

    private ByteStream stream(SocketChannel channel) {
        return context.security() instanceof TlsSecurity tls
                ? ByteStream.secured(channel, tls.accepting(channel))
                : ByteStream.plain(channel);
    }

    /**
     * Ends handshakes until there are not too many; what their nodes have sent is
     * read before, and may be a good hello.
     */
    @SuppressWarnings("NullAway") // where there are too many, there is one to drop
    private void makeRoom(InetAddress newest) {
        for (int i = handshakes.size(); i > 0; i--) {
            boolean isCrowded = handshakes.strangers(newest) > options.handshakesPerAddress();
            if (!isCrowded && handshakes.size() <= options.handshakesMax()) {
                return;
            }
            PassiveHandshake victim = isCrowded ? handshakes.oldest(newest) : handshakes.victim();
            boolean known = victim.waiting();
            step(victim, PassiveHandshake::ready);
            if (!victim.done() && victim.waiting() == known) {
                step(victim, PassiveHandshake::evict);
            }
        }
    }

    private int ownNodeId() {
        return context.nodeMap().ownNodeId();
    }

    private void pause() {
        pausing = true;
        pauseEndNs = System.nanoTime() + ACCEPT_PAUSE_NS;
        if (accepting.isValid()) {
            accepting.interestOps(0);
        }
    }

    /**
     * Does what has become due: the end of a pause, handshakes that are late, handshakes that wait.
     */
    private void visit(long nowNs) {
        if (pausing && nowNs - pauseEndNs >= 0) {
            pausing = false;
            if (accepting.isValid()) {
                accepting.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
        PassiveHandshake oldest = handshakes.oldest();
        long runningNs = time.at(nowNs);
        while (oldest != null && runningNs - oldest.deadlineNs() >= 0) {
            step(oldest, PassiveHandshake::expire);
            oldest = handshakes.oldest();
        }
        for (PassiveHandshake handshake : handshakes.waiting()) {
            step(handshake, PassiveHandshake::retry);
        }
        waiting = handshakes.isAnyWaiting();
        log.flush(nowNs);
    }

    // ---------------------------------------------------------------- for the handshakes

    Admission admission() {
        return admission;
    }

    NodeSecurity security() {
        return context.security();
    }

    /** {@return the hello that this node would send, for comparison} */
    Hello ownHello() {
        return Hello.of(
                context.config(),
                admission.transport(),
                ownNodeId(),
                ownNodeId(),
                context.incarnation(),
                1,
                0,
                new byte[0]);
    }

    /**
     * Counts and logs a handshake that came to nothing, and reports it to the engine.
     *
     * @param channel where it came from; null: not known
     * @param detail for this node's log, not for the stranger
     */
    void refused(HandshakeLog.Cause cause, @Nullable SocketChannel channel, String detail) {
        log.report(cause, channel, detail, System.nanoTime());
        if (cause.isRefusal()) {
            context.refused(cause.words(), HandshakeLog.address(channel));
        }
    }

    /**
     * Reports an error of this node itself, at most once a second: a stranger may
     * cause it again and again. A report that fails is left out.
     */
    void error(String what, Throwable e) {
        try {
            if (log.admit(HandshakeLog.Cause.INTERNAL_ERROR, System.nanoTime())) {
                context.error(what, e);
            }
        } catch (Throwable _) {
            // the thread continues to accept
        }
    }

    /** Stops listening and ends all handshakes. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = Channels.awaitEnd(thread);
        Channels.closeQuietly(server); // done by the thread, if it ended
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
