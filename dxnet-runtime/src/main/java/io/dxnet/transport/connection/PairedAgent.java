package io.dxnet.transport.connection;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.idle.IdleWait;
import io.dxnet.transport.shared.SendBatcher;
import java.io.IOException;

/**
 * Sends and receives for the connections whose directions are opened apart. Threads: as
 * {@link ConnectionAgent} states.
 *
 * @param <C> the transport's state of a connection
 */
public abstract class PairedAgent<C extends PairedConnection<C, ?, ?>> extends ConnectionAgent<C> {
    /**
     * How long a failed connection is read: after one channel broke, data may still arrive in the
     * other one.
     */
    private static final long LAST_READS_MS = 250;
    /** The same while the engine refuses what was read. */
    private static final long LAST_READS_STALLED_MS = 2000;

    private final SendBatcher streaming = SendBatcher.adaptive();
    private final IdleWait wait;

    /**
     * Creates an agent that does not run.
     *
     * @param context the engine
     * @param connections by node id
     * @param lingerMs the longest time of an end in order, milliseconds
     * @param scratchBytes of one read or write
     */
    @SuppressWarnings("this-escape") // what is passed on is called when the agent runs
    protected PairedAgent(TransportContext context, Connections<C> connections, long lingerMs, int scratchBytes) {
        super(context, connections, lingerMs, scratchBytes);
        this.wait = new IdleWait(IdleStrategy.afterWork(context.config()), this::hasWork, signal);
    }

    @Override
    public int doWork() throws IOException {
        streaming.visit();
        int work = super.doWork();
        if (work > 0) {
            wait.worked();
        }
        return work;
    }

    @Override
    protected final boolean isIdle() {
        return super.isIdle() && !streaming.hasWork();
    }

    @Override
    public void await(long timeoutNs) {
        long limitNs = limitNs(streaming.limitNs(timeoutNs));
        if (streaming.isEmpty()) {
            wait.await(limitNs);
        } else {
            signal.park(limitNs); // rings are to gather for a while
        }
    }

    /**
     * Returns the time of the last poll in a wait.
     *
     * @return as of {@link System#nanoTime}
     */
    protected final long awaitedNs() {
        return wait.checkedNs();
    }

    /**
     * Sends after a WRITE interest; where there was anything, the ring is polled for a while.
     *
     * @param outgoing the direction
     */
    protected final void send(OutgoingDirection outgoing) {
        streaming.sent(outgoing, outgoing.sendByAgent());
    }

    @Override
    protected final boolean visit(C c) throws IOException {
        IncomingDirection incoming = c.incoming();
        return incoming != null && incoming.isStalled() && !incoming.retry();
    }

    @Override
    protected boolean passLastReads(C c) throws IOException {
        boolean stalled = visit(c);
        IncomingDirection incoming = c.incoming();
        OutgoingDirection outgoing = c.outgoing();
        // The last signals count too: they may report that all that was sent is handled.
        boolean drained = (incoming == null || incoming.isDrained()) && (outgoing == null || outgoing.hasEnded());
        return !c.reportLoss(context, drained, 0, stalled ? LAST_READS_STALLED_MS : LAST_READS_MS);
    }

    @Override
    protected final boolean linger(C c) throws IOException {
        IncomingDirection incoming = c.incoming();
        OutgoingDirection outgoing = c.outgoing();
        boolean over = incoming == null || incoming.isOpen() && incoming.finish(scratch);
        return (outgoing == null || outgoing.finish(scratch)) && over;
    }
}
