package io.dxnet.transport.shm;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.connection.PairedAgent;
import io.dxnet.transport.memory.Faults;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Drives all connections: polls their shared memory in each duty cycle, and sleeps in a selector on
 * their side channels, after it has announced that in the memory. The channels themselves are asked
 * seldom while the agent is awake: they report ends only.
 */
final class ShmAgent extends PairedAgent<ShmConnection> {
    /** So many duty cycles for each question to the selector, which is a system call. */
    private static final int CYCLES_PER_SELECT = 1024;
    /** After that time it is asked too: a duty cycle may follow a long wait. */
    private static final long SELECT_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int SCRATCH_BYTES = 256;

    private final List<ShmConnection> all = new ArrayList<>(); // opened, not freed
    private int cycles;
    private long selectedNs = System.nanoTime();

    ShmAgent(TransportContext context, Connections<ShmConnection> connections, ShmOptions options) {
        super(context, connections, options.lingerMs(), SCRATCH_BYTES);
    }

    @Override
    public String role() {
        return "shm";
    }

    // ---------------------------------------------------------------- waiting

    @Override
    public void await(long timeoutNs) {
        try {
            super.await(timeoutNs);
            Faults.raise();
        } catch (InternalError e) {
            faulted(e);
        }
    }

    @Override
    protected boolean hasWork() {
        if (!isIdle()) {
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
        super.park(timeoutNs);
        awake();
    }

    private void awake() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).awake();
        }
    }

    @Override
    protected void ready(SelectionKey key) {
        ((ShmConnection) key.attachment()).drainChannels(scratch);
    }

    // ---------------------------------------------------------------- working

    @Override
    public int doWork() throws IOException {
        try {
            int work = super.doWork();
            Faults.raise();
            return work;
        } catch (InternalError e) {
            faulted(e);
            return 1;
        }
    }

    /**
     * An access to shared memory has faulted, perhaps while another connection was in hand: ends
     * the connections whose memory was cut off; where there is none, those whose memory faults
     * again, since the agent would reach no other one.
     */
    private void faulted(InternalError e) {
        boolean any = false;
        for (ShmConnection c : connections.all()) {
            any |= c.endCutOff();
        }
        resume();
        if (!any && !endFaulting()) {
            throw e;
        }
    }

    private boolean endFaulting() {
        boolean any = false;
        for (int i = all.size() - 1; i >= 0; i--) {
            ShmConnection c = all.get(i);
            try {
                poll(c);
                Faults.raise();
            } catch (InternalError e) {
                c.leave();
                c.fail("an access to the shared memory failed: " + e);
                any = true;
            }
        }
        return any;
    }

    @Override
    protected void apply(ShmConnection c, int bits) throws IOException {
        if ((bits & Interest.OPENED) != 0) {
            if (!all.contains(c)) {
                all.add(c);
            }
            c.register(selector);
        }
        // With OPENED: what was posted before the other node could read it.
        if ((bits & (Interest.FLOW_CONTROL | Interest.OPENED)) != 0
                && c.incoming() != null
                && c.incoming().isOpen()) {
            c.incoming().sendFlowControl();
        }
        if ((bits & Interest.WRITE) != 0 && c.outgoing() != null) {
            send(c.outgoing());
        }
    }

    @Override
    protected int poll() {
        int work = 0;
        for (int i = all.size() - 1; i >= 0; i--) {
            work += poll(all.get(i));
        }
        if (++cycles >= CYCLES_PER_SELECT || awaitedNs() - selectedNs >= SELECT_NS) {
            cycles = 0;
            selectedNs = awaitedNs();
            work += select(0);
        }
        return work;
    }

    private int poll(ShmConnection c) {
        try {
            return c.poll();
        } catch (IOException | RuntimeException e) {
            broken(c, e);
            return 0;
        }
    }

    /** The other node wrote what no node writes, or hung up. */
    @Override
    protected void broken(ShmConnection c, Exception e) {
        Faults.raise(); // what was read is anything where the read has faulted
        c.leave();
        super.broken(c, e);
    }

    // ---------------------------------------------------------------- ends

    /** What was written into the memory before a channel's end is read after it. */
    @Override
    protected boolean passLastReads(ShmConnection c) throws IOException {
        c.drainChannels(scratch);
        c.poll();
        return super.passLastReads(c);
    }

    @Override
    protected void finish(ShmConnection c) {
        Faults.raise(); // while it is known which connection's memory is cut off
        all.remove(c);
        super.finish(c);
    }
}
