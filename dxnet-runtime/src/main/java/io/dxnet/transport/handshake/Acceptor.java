package io.dxnet.transport.handshake;

import io.dxnet.ConfigurationException;
import io.dxnet.NodeMap;
import io.dxnet.transport.TransportContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Listens, and answers the handshakes of other nodes, on a thread of its own with a selector of its own: the paper's
 * ConnectionCreationHelper (DXNet §IX-1). So nothing that a stranger does, and no lock of the connection management, holds up
 * the transport's agent.
 *
 * <p>Handshakes are bounded in number and time. {@link #close}, {@link #address} and {@link #connectionClosed}: any thread.
 */
public final class Acceptor implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());
    /** How often a handshake that waits for its predecessor's end looks again. */
    private static final long RETRY_MS = 5;
    /** How long to accept nothing after accepting failed: mostly, the process has no file descriptor left. */
    private static final long ACCEPT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long JOIN_MS = 5000;

    private final TransportContext context;
    private final Admission admission;
    private final AcceptorOptions options;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey accepting;
    private final Thread thread;
    private final List<PassiveHandshake> handshakes = new ArrayList<>(); // oldest first
    private volatile boolean closed; // close()
    private volatile boolean waiting; // the acceptor: a handshake waits for the end of a connection
    private boolean pausing;
    private long pauseEndNs;

    /**
     * Listens where the node map's entry of this node says, or on the bind address with that port. Where the port is 0, any
     * free one is taken and written into the node map.
     *
     * @param context the engine's
     * @param admission the transport's decision about a handshake
     * @param options bounds
     * @return it runs until it is closed
     * @throws ConfigurationException when it can't listen
     */
    public static Acceptor listen(TransportContext context, Admission admission, AcceptorOptions options) {
        NodeMap nodes = context.nodeMap();
        InetSocketAddress own = nodes.address(nodes.ownNodeId());
        if (own == null) {
            throw new ConfigurationException(
                    "node " + nodes.ownNodeId() + " is not in the node map: its own entry says where it listens");
        }
        String host = options.bindAddress() != null ? options.bindAddress() : own.getHostString();
        InetAddress local;
        try {
            local = own.isUnresolved() || options.bindAddress() != null
                    ? InetAddress.getByName(host)
                    : own.getAddress();
        } catch (UnknownHostException e) {
            throw new ConfigurationException(
                    "node " + nodes.ownNodeId() + " can't listen on " + host + ": its host name is not known", e);
        }
        Acceptor acceptor = new Acceptor(context, admission, options, new InetSocketAddress(local, own.getPort()));
        if (own.getPort() == 0) {
            int port = acceptor.address().getPort();
            nodes.put(
                    nodes.ownNodeId(),
                    own.isUnresolved()
                            ? InetSocketAddress.createUnresolved(own.getHostString(), port)
                            : new InetSocketAddress(own.getAddress(), port));
        }
        acceptor.thread.start();
        return acceptor;
    }

    private Acceptor(
            TransportContext context, Admission admission, AcceptorOptions options, InetSocketAddress address) {
        this.context = context;
        this.admission = admission;
        this.options = options;
        ServerSocketChannel channel = null;
        Selector opened = null;
        try {
            channel = ServerSocketChannel.open();
            if (options.socketBufferBytes() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, options.socketBufferBytes()); // inherited
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

    /**
     * Where it listens.
     *
     * @return the address, with the port that it got
     */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.socket().getLocalSocketAddress();
    }

    /** A connection was closed: a handshake may have waited for that. */
    public void connectionClosed() {
        if (waiting) {
            selector.wakeup();
        }
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    selector.select(this::ready, timeoutMs());
                    visit(System.nanoTime());
                } catch (IOException | RuntimeException e) {
                    if (!closed) {
                        context.error("accepting connections failed", e);
                        pause();
                    }
                }
            }
        } finally {
            for (PassiveHandshake handshake : handshakes) {
                handshake.drop();
            }
            handshakes.clear();
            Channels.closeQuietly(server);
            Channels.closeQuietly(selector);
        }
    }

    private long timeoutMs() {
        if (waiting) {
            return RETRY_MS;
        }
        long nowNs = System.nanoTime();
        long waitNs = Long.MAX_VALUE;
        if (pausing) {
            waitNs = pauseEndNs - nowNs;
        }
        for (PassiveHandshake handshake : handshakes) {
            waitNs = Math.min(waitNs, handshake.deadlineNs() - nowNs);
        }
        return waitNs == Long.MAX_VALUE ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs) + 1); // 0: no limit
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof PassiveHandshake handshake) {
            handshake.ready();
        } else {
            accept();
        }
    }

    private void accept() {
        SocketChannel channel = null;
        try {
            for (int i = 0; i < 64 && (channel = server.accept()) != null; i++) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                makeRoom();
                PassiveHandshake handshake = new PassiveHandshake(
                        this, channel, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.handshakeTimeoutMs()));
                handshake.register(selector);
                handshakes.add(handshake);
                handshake.ready(); // mostly, the hello is there already
            }
        } catch (IOException e) {
            Channels.closeQuietly(channel);
            LOG.log(Level.WARNING, "node {0} can''t accept a connection: {1}", ownNodeId(), Channels.describe(e));
            pause();
        }
    }

    private void makeRoom() {
        if (handshakes.size() >= options.handshakesMax()) {
            handshakes.removeIf(PassiveHandshake::done);
            if (handshakes.size() >= options.handshakesMax()) {
                // An honest node's handshake takes one round trip, so the oldest is the least likely to be one.
                handshakes.remove(0).evict();
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

    private void visit(long nowNs) {
        if (pausing && nowNs - pauseEndNs >= 0) {
            pausing = false;
            accepting.interestOps(SelectionKey.OP_ACCEPT);
        }
        boolean anyWaiting = false;
        for (int i = handshakes.size() - 1; i >= 0; i--) {
            PassiveHandshake handshake = handshakes.get(i);
            handshake.visit(nowNs);
            if (handshake.done()) {
                handshakes.remove(i);
            } else {
                anyWaiting |= handshake.waiting();
            }
        }
        waiting = anyWaiting;
    }

    // ---------------------------------------------------------------- for the handshakes

    TransportContext context() {
        return context;
    }

    Admission admission() {
        return admission;
    }

    /** What this node would say, to be compared. */
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

    /** The one line about a refused or broken handshake. */
    void log(Level level, SocketChannel channel, String what) {
        if (LOG.isLoggable(level)) {
            String from;
            try {
                from = String.valueOf(channel.getRemoteAddress());
            } catch (IOException e) {
                from = "somebody";
            }
            LOG.log(level, "node " + ownNodeId() + " refused a connection from " + from + ": " + what);
        }
    }

    /** Stops listening and ends all handshakes. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        Channels.closeQuietly(server); // done by the thread, if it ended
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
