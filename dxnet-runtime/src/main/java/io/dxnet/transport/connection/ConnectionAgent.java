package io.dxnet.transport.connection;

import io.dxnet.transport.Agent;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.idle.ParkingPlace;
import io.dxnet.transport.idle.ThreadSignal;
import io.dxnet.transport.shared.InterestQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the interests that are posted for connections, waits in a selector on their channels, and
 * proceeds with their ends: what is the same on every wire.
 *
 * <p>{@link #doWork} and {@link #await} are called by one thread at a time, not always the same;
 * {@link #post} and {@link #wakeup} by any thread; the others, where they state nothing else, by
 * the thread that calls {@link #doWork}.
 *
 * @param <C> the transport's state of a connection
 */
public abstract class ConnectionAgent<C extends WireConnection<C>>
        implements Agent, ParkingPlace, InterestQueue.Handler {
    /** Milliseconds are what a selector offers: a shorter wait is not one in the selector. */
    private static final long SELECT_NS_MIN = TimeUnit.MICROSECONDS.toNanos(500);
    /** The longest wait while a connection needs more than events. */
    private static final long ATTEND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The engine. */
    protected final TransportContext context;
    /** Of the connections' channels. */
    protected final Selector selector = Channels.openSelector();
    /** A direct buffer for one read or write. */
    protected final ByteBuffer scratch;
    /** Ends a wait. */
    protected final ThreadSignal signal;

    /** By node id. */
    protected final Connections<C> connections;

    private final long lingerMs;
    private final InterestQueue interests = new InterestQueue();
    // They need more than events: linked, because a list that could not grow would lose them.
    private @Nullable C firstAttended;
    private @Nullable C lastAttended;
    private int attended; // how many
    private final Consumer<SelectionKey> ready = this::ready;
    private volatile boolean closed; // close()

    /**
     * Creates an agent that does not run.
     *
     * @param context the engine
     * @param connections by node id
     * @param lingerMs the longest time of an end in order, milliseconds
     * @param scratchBytes of one read or write
     */
    @SuppressWarnings("this-escape") // what is passed on is called when the agent runs
    protected ConnectionAgent(TransportContext context, Connections<C> connections, long lingerMs, int scratchBytes) {
        this.context = context;
        this.connections = connections;
        this.lingerMs = lingerMs;
        this.scratch = ByteBuffer.allocateDirect(scratchBytes);
        this.signal = new ThreadSignal(this::hasWork, this, SELECT_NS_MIN);
    }

    // ---------------------------------------------------------------- what a wire adds

    /**
     * Applies interests other than {@link Interest#CLOSE} to a connection, open or not.
     *
     * @param c the connection
     * @param bits of {@link Interest}
     * @throws IOException when the wire is broken
     */
    protected abstract void apply(C c, int bits) throws IOException;

    /**
     * {@link #select} found a channel that is ready.
     *
     * @param key the channel's
     */
    protected abstract void ready(SelectionKey key);

    /**
     * Does what the wire has to do in one duty cycle.
     *
     * @return an amount of work
     * @throws IOException when the selector failed
     */
    protected abstract int poll() throws IOException;

    /**
     * Polls whether there is anything to do.
     *
     * @return false: the thread may wait
     */
    protected abstract boolean hasWork();

    /**
     * Visits an attended connection that has neither failed nor been closed.
     *
     * @param c the connection
     * @return whether it needs more visits
     * @throws IOException when the wire is broken
     */
    protected abstract boolean visit(C c) throws IOException;

    /**
     * Passes on what can still be read of a failed connection, then reports its loss.
     *
     * @param c the connection
     * @return whether it needs more visits for that
     * @throws IOException when the wire is broken
     */
    protected abstract boolean passLastReads(C c) throws IOException;

    /**
     * Proceeds with an end in order: everything is sent, then both nodes hang up.
     *
     * @param c the connection
     * @return whether that is done
     * @throws IOException when the wire is broken: that ends it too
     */
    protected abstract boolean linger(C c) throws IOException;

    // ---------------------------------------------------------------- interests

    /**
     * Posts interests, and signals the agent where it waits. Any thread.
     *
     * @param nodeId whose connections
     * @param bits of {@link Interest}
     */
    public final void post(int nodeId, int bits) {
        if (interests.post(nodeId, bits)) {
            signal.raise();
        }
    }

    /**
     * Applies a node's interests to all its connections: a bit does not show for which of them it
     * was posted.
     */
    @Override
    public final void interest(int nodeId, int bits) {
        for (C c = connections.first(nodeId); c != null; c = c.next()) {
            if (c.state() == ConnectionState.FREED) {
                continue;
            }
            if ((bits & Interest.CLOSE) != 0) {
                attend(c);
            }
            try {
                apply(c, bits);
            } catch (IOException | RuntimeException e) {
                broken(c, e);
            } catch (OutOfMemoryError e) { // the next cycle applies what this one has removed
                post(nodeId, bits);
                throw e;
            }
        }
    }

    /**
     * A connection is broken: it fails, and the others continue.
     *
     * @param c the connection
     * @param e what was thrown
     */
    protected void broken(C c, Exception e) {
        try {
            if (!(e instanceof IOException)) {
                context.error("handling the " + c.connection() + " failed", e);
            }
        } finally {
            c.fail(Channels.reason(e));
        }
    }

    // ---------------------------------------------------------------- connections that need more than events

    /**
     * Visits a connection in every duty cycle, as long as it needs that.
     *
     * @param c the connection
     */
    public final void attend(C c) {
        if (!c.attended) {
            c.attended = true;
            if (lastAttended == null) {
                firstAttended = c;
            } else {
                lastAttended.nextAttended = c;
            }
            lastAttended = c;
            attended++;
        }
    }

    private @Nullable C pollAttended() {
        C c = firstAttended;
        if (c != null) {
            firstAttended = c.nextAttended;
            if (firstAttended == null) {
                lastAttended = null;
            }
            c.nextAttended = null;
            c.attended = false;
            attended--;
        }
        return c;
    }

    /**
     * Applies all interests again, and visits all connections: after an error that interrupted a
     * duty cycle, wherever it did.
     */
    protected final void resume() {
        for (C c : connections.all()) {
            attend(c);
            post(c.nodeId(), Interest.OPENED | Interest.WRITE | Interest.FLOW_CONTROL);
        }
    }

    private int visitAttended() {
        int work = 0;
        for (int left = attended; left > 0; left--) {
            C c = pollAttended();
            if (c == null) {
                break; // a report to the engine called back, and led here
            }
            boolean more = true;
            try {
                more = proceed(c);
            } finally {
                if (more) {
                    attend(c); // also where it threw: one that is over leaves with the next visit
                } else {
                    work++;
                }
            }
        }
        return work;
    }

    /** Proceeds with a connection, and returns whether it needs more visits. */
    private boolean proceed(C c) {
        try {
            switch (c.state()) {
                case LOST, FREED -> {
                    return false; // it waits for the engine, or is over
                }
                case FAILED -> {
                    return passLastReads(c);
                }
                case LINGERING -> {
                    c.beginLingering(lingerMs);
                    if (!linger(c) && !c.isLingerOver()) {
                        return true;
                    }
                }
                case CLOSED -> {
                    // at once
                }
                default -> {
                    return visit(c);
                }
            }
        } catch (IOException | RuntimeException e) {
            broken(c, e);
            if (!c.isClosed()) {
                return true;
            }
        }
        finish(c);
        return false;
    }

    /**
     * Frees a connection. The agent; after {@link #close}, any thread.
     *
     * @param c the connection
     */
    protected void finish(C c) {
        connections.remove(c);
        c.finish();
    }

    // ---------------------------------------------------------------- waiting and working

    @Override
    public final void wakeup() {
        signal.wakeup();
    }

    /**
     * Returns whether no interest is posted, and nothing else is left.
     *
     * @return false: the thread must not wait
     */
    protected boolean isIdle() {
        return interests.isEmpty() && !closed;
    }

    /**
     * Asks the selector, which calls {@link #ready}.
     *
     * @param ms the longest wait; 0: none
     * @return how many are ready
     */
    protected final int select(long ms) {
        try {
            return ms == 0 ? selector.selectNow(ready) : selector.select(ready, ms);
        } catch (IOException e) {
            context.error("the selector failed", e);
            return 1;
        }
    }

    @Override
    public boolean mayPark() {
        return !hasWork();
    }

    @Override
    public void park(long timeoutNs) {
        select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(limitNs(timeoutNs))));
    }

    /**
     * Returns how long the agent may wait, also where it polls meanwhile: no event ends what an
     * attended connection waits for.
     *
     * @param timeoutNs the longest wait where none is attended
     * @return nanoseconds
     */
    protected final long limitNs(long timeoutNs) {
        return firstAttended == null ? timeoutNs : Math.min(timeoutNs, ATTEND_NS);
    }

    @Override
    public final void unpark() {
        selector.wakeup();
    }

    @Override
    public int doWork() throws IOException {
        return closed ? 0 : interests.drain(this) + visitAttended() + poll();
    }

    /**
     * Ends the agent, after the ends in order that are not over yet: each is bounded. When no
     * thread runs it any more; the connections are freed afterwards.
     */
    protected void close() {
        boolean interrupted = false;
        try {
            doWork();
            while (isAnyLingering()) {
                interrupted |= Thread.interrupted(); // with which a selector would not wait
                await(ATTEND_NS);
                doWork();
            }
        } catch (IOException | RuntimeException e) {
            context.error("the selector failed while closing", e);
        } finally {
            closed = true;
            Channels.closeQuietly(selector);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isAnyLingering() {
        for (C c = firstAttended; c != null; c = c.nextAttended) {
            if (c.isLingering()) {
                return true;
            }
        }
        return false;
    }
}
