package io.dxnet.transport.shm;

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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Drives all connections: polls their shared memory in each duty cycle, and sleeps in a selector on
 * their side channels, after it has announced that in the memory. The channels themselves are asked
 * seldom while the agent is awake: they report ends only.
 *
 * <p>{@link #doWork} and {@link #await} are called by one thread at a time, not always the same;
 * {@link #post} and {@link #wakeup} by any thread.
 */
final class ShmAgent implements Agent, ParkingPlace, InterestQueue.Handler, ShmConnection.Driver {
    /** Milliseconds are what a selector offers: a shorter wait is not one in the selector. */
    private static final long SELECT_NS_MIN = TimeUnit.MICROSECONDS.toNanos(500);
    /** The longest sleep while a connection waits for the engine or for its end. */
    private static final long VISIT_MS = 1;
    /** So many duty cycles for each question to the selector, which is a system call. */
    private static final int CYCLES_PER_SELECT = 1024;
    /** How long a failed connection is read: its other channel may end later. */
    private static final long LAST_READS_MS = 250;
    /** The same while the engine refuses what was read. */
    private static final long LAST_READS_STALLED_MS = 2000;

    private final TransportContext context;
    private final Connections<ShmConnection> connections;
    private final long lingerMs;
    private final Selector selector;
    private final InterestQueue interests = new InterestQueue();
    private final ThreadSignal signal = new ThreadSignal(this::hasWork, this, SELECT_NS_MIN);
    private final IdleWait wait;
    private volatile boolean closed; // close()

    // The agent only:
    private final List<ShmConnection> all = new ArrayList<>();
    private final SendBatcher streaming = SendBatcher.adaptive();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(256);
    private final Consumer<SelectionKey> drain = this::drain;
    private int cycles;

    ShmAgent(TransportContext context, Connections<ShmConnection> connections, ShmOptions options) {
        this.context = context;
        this.connections = connections;
        this.lingerMs = options.lingerMs();
        this.wait = new IdleWait(IdleStrategy.afterWork(context.config()), this::hasWork, signal);
        this.selector = Channels.openSelector();
    }

    @Override
    public String role() {
        return "shm";
    }

    @Override
    public void post(int nodeId, int interest) {
        if (interests.post(nodeId, interest)) {
            signal.raise();
        }
    }

    // ---------------------------------------------------------------- waiting

    @Override
    public void wakeup() {
        signal.wakeup();
    }

    @Override
    public void await(long timeoutNs) {
        try {
            if (streaming.isEmpty()) {
                wait.await(timeoutNs);
            } else {
                signal.park(Math.min(timeoutNs, streaming.intervalNs())); // rings are to gather for a while
            }
        } catch (InternalError e) {
            if (!endCutOff()) {
                context.error("waiting for the shared memory failed", e);
            }
        }
    }

    private boolean hasWork() {
        if (!interests.isEmpty() || closed) {
            return true;
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).hasWork()) {
                return true;
            }
        }
        return false;
    }

    /** What another node writes afterwards comes with a wake-up: see {@link RingWriter}. */
    @Override
    public boolean mayPark() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).announceSleep();
        }
        boolean found = hasWork();
        if (found) {
            awake();
        }
        return !found;
    }

    @Override
    public void park(long timeoutNs) {
        boolean visits = false;
        for (int i = 0; i < all.size(); i++) {
            visits |= all.get(i).needsVisits();
        }
        long ms = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs));
        try {
            selector.select(drain, visits ? Math.min(ms, VISIT_MS) : ms);
        } catch (IOException e) {
            context.error("the selector failed", e);
        }
        awake();
    }

    private void awake() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).awake();
        }
    }

    @Override
    public void unpark() {
        selector.wakeup();
    }

    private void drain(SelectionKey key) {
        ((ShmConnection) key.attachment()).drainChannels(scratch);
    }

    // ---------------------------------------------------------------- working

    @Override
    public int doWork() throws IOException {
        if (closed) {
            return 0;
        }
        streaming.visit();
        int work = interests.drain(this);
        for (int i = all.size() - 1; i >= 0; i--) {
            work += poll(all.get(i));
        }
        if (++cycles >= CYCLES_PER_SELECT) {
            cycles = 0;
            work += selector.selectNow(drain);
        }
        if (work > 0) {
            wait.worked();
        }
        return work;
    }

    /**
     * Applies a node's interests to all its connections: a bit does not show for which of them it
     * was posted.
     */
    @Override
    public void interest(int nodeId, int bits) {
        for (ShmConnection c = connections.first(nodeId); c != null; c = c.next()) {
            if (c.state() != ConnectionState.FREED) {
                if (c.list()) {
                    all.add(c);
                }
                try {
                    apply(c, bits);
                } catch (IOException | RuntimeException | InternalError e) {
                    broken(c, e);
                }
            }
        }
    }

    private void apply(ShmConnection c, int bits) throws IOException {
        Outgoing outgoing = c.outgoing();
        Incoming incoming = c.incoming();
        if ((bits & ShmConnection.OPENED) != 0) {
            c.register(selector);
        }
        // With OPENED: what was posted before the other node could read it.
        if ((bits & (ShmConnection.FLOW_CONTROL | ShmConnection.OPENED)) != 0 && incoming != null) {
            incoming.sendFlowControl();
        }
        if ((bits & ShmConnection.WRITE) != 0 && outgoing != null && outgoing.sendByAgent()) {
            streaming.add(outgoing);
        }
    }

    private int poll(ShmConnection c) {
        try {
            return switch (c.state()) {
                case USABLE -> pollMemory(c);
                case FAILED -> pollMemory(c) + passLastReads(c);
                case LINGERING -> linger(c);
                case CLOSED -> end(c);
                default -> 0; // it waits for its opening, or for the engine
            };
        } catch (IOException | RuntimeException | InternalError e) {
            broken(c, e);
            return 1;
        }
    }

    private static int pollMemory(ShmConnection c) throws IOException {
        Outgoing outgoing = c.outgoing();
        Incoming incoming = c.incoming();
        return (incoming == null ? 0 : incoming.poll()) + (outgoing == null ? 0 : outgoing.poll());
    }

    /**
     * Ends the connections whose memory was cut off: an access to it that faults may be reported
     * late, while another connection is polled. Returns whether there are any.
     */
    private boolean endCutOff() {
        boolean any = false;
        for (ShmConnection c : all) {
            if (c.state().compareTo(ConnectionState.FAILED) <= 0 && c.isCutOff()) {
                c.abandon();
                c.fail(ShmConnection.CUT_OFF);
                any = true;
            }
        }
        return any;
    }

    /** The other node wrote what no node writes, cut the memory off, or hung up. */
    private void broken(ShmConnection c, Throwable e) {
        if (e instanceof InternalError && endCutOff()) {
            return;
        }
        if (!(e instanceof IOException)) {
            context.error("handling the " + c.connection() + " failed", e);
        }
        c.abandon();
        c.fail(e instanceof IOException io ? Channels.describe(io) : e.toString());
    }

    // ---------------------------------------------------------------- ends

    /** Passes on what can still be read of a failed connection, then reports its loss. */
    private int passLastReads(ShmConnection c) {
        c.drainChannels(scratch);
        Incoming incoming = c.incoming();
        boolean stalled = incoming != null && incoming.isStalled();
        boolean drained = incoming == null || incoming.isDrained();
        return c.reportLoss(context, drained, 0, stalled ? LAST_READS_STALLED_MS : LAST_READS_MS) ? 1 : 0;
    }

    /** The end in order: everything is sent, then both nodes hang up. */
    private int linger(ShmConnection c) throws IOException {
        Outgoing outgoing = c.outgoing();
        Incoming incoming = c.incoming();
        boolean began = c.beginLingering(lingerMs);
        c.drainChannels(scratch);
        boolean over = true;
        if (incoming != null) {
            incoming.discard();
            incoming.poll();
            over = incoming.finishFlowControl();
        }
        if (outgoing != null) {
            over &= outgoing.finishSending();
        }
        return over || c.isLingerOver() ? end(c) : began ? 1 : 0;
    }

    private int end(ShmConnection c) {
        all.remove(c);
        finish(c);
        return 1;
    }

    /** Frees a connection. The agent; after {@link #close}, any thread. */
    void finish(ShmConnection c) {
        connections.remove(c);
        c.finish();
    }

    /** Ends the agent. When no thread runs it any more; the connections are finished afterwards. */
    void close() {
        finishLingering();
        closed = true;
        Channels.closeQuietly(selector);
    }

    /** Orderly closes that are not over yet get their time: each is bounded. */
    private void finishLingering() {
        try {
            doWork();
            while (all.stream().anyMatch(ShmConnection::isLingering)) {
                await(TimeUnit.MILLISECONDS.toNanos(VISIT_MS));
                doWork();
            }
        } catch (IOException | RuntimeException e) {
            context.error("the selector failed while closing", e);
        }
    }
}
