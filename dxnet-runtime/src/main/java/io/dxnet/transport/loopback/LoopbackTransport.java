package io.dxnet.transport.loopback;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.idle.IdleWait;
import io.dxnet.transport.idle.ThreadSignal;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The loopback transport (DXNet §XII): nodes of one process, bytes move from the sender's ring into
 * a pooled incoming buffer of the receiver by one copy. No socket: what it measures is the engine.
 * Nodes find each other by cluster name and node id.
 */
final class LoopbackTransport implements Transport {
    private record Key(String cluster, int nodeId) {}

    private static final Map<Key, LoopbackTransport> NODES = new ConcurrentHashMap<>();
    private static final Object OPENING = new Object();

    /** Bytes moved before others get their turn. */
    private static final int BYTES_PER_TURN = 256 << 10;

    private static final int BUFFER_BYTES = 64 << 10;

    private final TransportContext context;
    private final Key key;
    private final LoopbackAgent agent;

    LoopbackTransport(TransportContext context) {
        this.context = context;
        this.key = new Key(context.config().clusterName(), context.nodeMap().ownNodeId());
        this.agent = new LoopbackAgent();
    }

    @Override
    public List<Agent> agents() {
        return List.of(agent);
    }

    @Override
    public void start() {
        if (NODES.putIfAbsent(key, this) != null) {
            throw new ConfigurationException("node " + key.nodeId() + " of cluster " + key.cluster()
                    + " runs in this process already: give each node its own id");
        }
    }

    @Override
    public void connect(Connection connection, @Nullable InetSocketAddress address, long deadlineNs)
            throws DXNetException {
        LoopbackTransport other = NODES.get(new Key(key.cluster(), connection.nodeId()));
        if (other == null) {
            throw new NodeUnreachableException("node " + connection.nodeId() + " of cluster " + key.cluster()
                    + " does not run in this process: start it first");
        }
        LoopbackLink link = linkOf(connection);
        Connection peer;
        synchronized (OPENING) { // one pair at a time: both nodes may open at once
            if (link.sending.isSealed()) {
                throw new StaleConnectionException(connection + " was closed");
            }
            if (link.peer != null) {
                return; // the other node has opened both directions
            }
            peer = accept(other, connection.nodeId());
            LoopbackLink back = other.linkOf(peer);
            if (back.sending.isSealed()) {
                throw new StaleConnectionException("node " + connection.nodeId() + " closed the connection");
            }
            if (peer != connection) {
                acceptBack(connection, other, peer);
            }
            back.peerTransport = this;
            back.peer = connection;
            link.peerTransport = other;
            link.peer = peer;
        }
        other.context.incomingReady(peer, TransportContext.Directions.BOTH);
        // Signals of the time before both links were there.
        flowControlPosted(connection);
        other.flowControlPosted(peer);
    }

    private Connection accept(LoopbackTransport other, int nodeId) throws NodeUnreachableException {
        try {
            return other.context.incoming(key.nodeId(), context.incarnation(), null);
        } catch (RefusedException e) {
            throw refusal(nodeId, e);
        }
    }

    /** The other direction of the same connection. */
    private void acceptBack(Connection connection, LoopbackTransport other, Connection peer)
            throws NodeUnreachableException {
        try {
            context.incoming(connection.nodeId(), other.context.incarnation(), connection);
        } catch (RefusedException e) {
            other.context.incomingFailed(peer);
            throw refusal(connection.nodeId(), e);
        }
    }

    private static NodeUnreachableException refusal(int nodeId, RefusedException e) {
        return e.isStale() || e.isTemporary()
                ? new StaleConnectionException("node " + nodeId + ": " + e.getMessage())
                : new NodeUnreachableException("node " + nodeId + " refused: " + e.getMessage(), e);
    }

    private synchronized LoopbackLink linkOf(Connection connection) {
        LoopbackLink link = LoopbackLink.of(connection);
        if (link == null) {
            link = new LoopbackLink(this, connection);
            connection.attach(link);
        }
        return link;
    }

    @Override
    @SuppressWarnings("NullAway") // connect() has attached the link
    public void dataPosted(Connection connection) {
        LoopbackLink link = LoopbackLink.of(connection);
        if (!link.isWatched()) {
            agent.post(link);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // connect() has attached the link
    public boolean sendNow(Connection connection) {
        LoopbackLink link = LoopbackLink.of(connection);
        int moved = 0;
        // A thread that fails to acquire the lock leaves its bytes to the holder, which checks the
        // ring after its release, and to the agent.
        while (link.connection.ring().readable() > 0 && link.sending.tryAcquire()) {
            int bytes;
            try {
                bytes = move(link);
            } finally {
                link.sending.release();
            }
            moved += bytes;
            if (bytes == 0 || moved >= BYTES_PER_TURN) {
                break;
            }
        }
        if (link.connection.ring().readable() > 0 && !link.sending.isSealed()) {
            agent.post(link);
        }
        return moved > 0;
    }

    /**
     * Moves up to a buffer of bytes; 0 when the other side accepts none. The holder of the lock.
     */
    @SuppressWarnings("NullAway") // a ring has bytes only once the link is paired
    private static int move(LoopbackLink link) {
        OutgoingRingBuffer ring = link.connection.ring();
        int readable = Math.min(ring.readable(), BUFFER_BYTES);
        LoopbackTransport to = link.peerTransport;
        if (readable <= 0 || link.sending.isSealed() || to == null) {
            return 0;
        }
        IncomingBuffer buffer = to.context.pool().take(link.peer, readable);
        if (buffer == null) {
            return 0;
        }
        int bytes = Math.min(readable, buffer.fillMax());
        int offset = ring.offset(ring.postedPosition());
        int first = Math.min(bytes, ring.capacity() - offset);
        MemorySegment.copy(ring.segment(), offset, buffer.segment(), 0, first);
        MemorySegment.copy(ring.segment(), 0, buffer.segment(), first, bytes - first);
        buffer.length(bytes);
        if (!to.context.offer(link.peer, buffer)) {
            buffer.giveBack();
            return 0;
        }
        ring.post(bytes);
        ring.confirm(bytes);
        return bytes;
    }

    @Override
    public void flowControlPosted(Connection connection) {
        LoopbackLink link = linkOf(connection);
        Connection sender = link.peer;
        if (sender != null) {
            synchronized (link) { // the sender's window accepts one confirmation at a time
                int steps = connection.takeFlowControl(Integer.MAX_VALUE);
                if (steps > 0) {
                    sender.flowControlReceived(steps);
                }
                int signals = connection.takeSignals();
                if (signals != 0) {
                    sender.signalsReceived(signals);
                }
            }
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a paired link has both
    public void close(Connection connection, Close close) {
        LoopbackLink link = linkOf(connection);
        if (!link.released.compareAndSet(false, true)) {
            return;
        }
        Connection peer;
        synchronized (OPENING) { // it is paired by now, and the peer learns of this end; or it never is
            link.sending.seal();
            peer = link.peer;
        }
        link.sending.awaitRelease();
        if (peer != null) {
            LoopbackLink back = LoopbackLink.of(peer);
            back.sending.seal();
            back.sending.awaitRelease(); // it fills buffers of our pool
            link.peerTransport.context.connectionLost(peer, "node " + key.nodeId() + " closed the connection");
        }
        connection.released();
    }

    @Override
    public String describe() {
        return "loopback inside this process";
    }

    @Override
    public void close() {
        NODES.remove(key, this);
    }

    /** Sends what application threads posted. */
    private final class LoopbackAgent implements Agent {
        private final AtomicReference<LoopbackLink> posted = new AtomicReference<>(); // a list, newest first
        private final ThreadSignal signal = new ThreadSignal(this::hasWork);
        private final IdleWait wait =
                new IdleWait(IdleStrategy.afterWork(context.config()), this::hasWork, signal); // the agent
        private final SendBatcher streaming = SendBatcher.steady(); // the agent
        private boolean stuck; // the agent: the other side accepts nothing
        private volatile boolean woken; // since the last wait, for what other nodes' threads brought

        void post(LoopbackLink link) {
            if (!link.posted.get() && link.posted.compareAndSet(false, true)) {
                LoopbackLink head;
                do {
                    head = posted.get();
                    link.next = head;
                } while (!posted.compareAndSet(head, link));
                signal.raise();
            }
        }

        @Override
        public String role() {
            return "loopback";
        }

        @Override
        public int doWork() {
            int work = 0;
            stuck = false;
            streaming.visit();
            LoopbackLink left = reversed(posted.getAndSet(null));
            while (left != null) {
                LoopbackLink link = left;
                left = link.next;
                boolean done = false;
                try {
                    work += send(link) ? 1 : 0;
                    done = true;
                } finally {
                    if (!done) { // the next cycle sends what an error has left
                        post(link); // unless another thread was faster
                        postAgain(left);
                    }
                }
            }
            if (work > 0) {
                wait.worked();
            }
            return work;
        }

        private boolean send(LoopbackLink link) {
            link.next = null;
            link.posted.set(false); // before sending: what is posted from here on posts the link again
            boolean sent = sendNow(link.connection);
            streaming.sent(link, sent);
            stuck |= !sent;
            return sent;
        }

        /** Posts links that are out of the list, and are marked as posted. */
        private void postAgain(@Nullable LoopbackLink first) {
            for (LoopbackLink link = first; link != null; ) {
                LoopbackLink following = link.next;
                link.next = null;
                link.posted.set(false);
                post(link);
                link = following;
            }
        }

        private boolean hasWork() {
            return posted.get() != null || streaming.hasWork();
        }

        private static @Nullable LoopbackLink reversed(LoopbackLink newestFirst) {
            @Nullable LoopbackLink result = null;
            for (LoopbackLink link = newestFirst; link != null; ) {
                LoopbackLink following = link.next;
                link.next = result;
                result = link;
                link = following;
            }
            return result;
        }

        @Override
        public void await(long timeoutNs) {
            if (woken) {
                woken = false;
                wait.worked();
            }
            long limitNs = streaming.limitNs(timeoutNs);
            if (stuck) {
                LockSupport.parkNanos(this, Math.min(timeoutNs, context.config().parkNs()));
            } else if (streaming.isEmpty()) {
                wait.await(limitNs);
            } else {
                signal.park(limitNs); // rings are to gather for a while
            }
        }

        /** Received buffers are work too, though the threads of other nodes move them. */
        @Override
        public void wakeup() {
            if (!woken) {
                woken = true;
            }
            signal.wakeup();
        }
    }
}
