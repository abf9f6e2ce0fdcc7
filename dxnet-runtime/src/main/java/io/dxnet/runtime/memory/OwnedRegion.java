package io.dxnet.runtime.memory;

import io.dxnet.memory.NotifyListener;
import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import io.dxnet.transport.memory.AtomicWord;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A segment that this node shares. Any thread. */
final class OwnedRegion implements SharedRegion {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long CLOSE_NS = 10_000_000_000L;

    private final OwnedRegions owner;
    private final long id;
    private final String name;
    private final MemorySegment segment;
    private final Set<Right> rights;
    private final Peers peers;
    private final AccessGate gate = new AccessGate();
    private final long timeoutNs;

    @SuppressWarnings("NullAway.Init") // before it is shared
    private volatile @Nullable ExposedMemory exposed; // null where messages carry all operations

    private volatile @Nullable NotifyListener listener;

    /**
     * Not shared yet.
     *
     * @param id of this region in this incarnation, random
     * @param timeoutNs of reads of torn records
     */
    OwnedRegion(
            OwnedRegions owner,
            long id,
            String name,
            MemorySegment segment,
            Set<Right> rights,
            Peers peers,
            long timeoutNs) {
        this.owner = owner;
        this.id = id;
        this.name = name;
        this.segment = segment;
        this.rights = rights;
        this.peers = peers;
        this.timeoutNs = timeoutNs;
    }

    long id() {
        return id;
    }

    long length() {
        return segment.byteSize();
    }

    Set<Right> rights() {
        return rights;
    }

    boolean admits(int node) {
        return peers.contains(node);
    }

    void exposed(@Nullable ExposedMemory memory) {
        exposed = memory;
    }

    @Nullable
    ExposedMemory exposed() {
        return exposed;
    }

    /** What carries operations out is inside the gate. */
    AccessGate gate() {
        return gate;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void onNotify(NotifyListener to) {
        listener = to;
    }

    @Override
    public VersionedRegion versioned(int recordBytes) {
        return new LocalRecords(segment, recordBytes, timeoutNs);
    }

    /** A peer has written. The thread that learns it. */
    void notified(int from, long offset, long length, int value) {
        NotifyListener to = listener;
        if (to != null && !gate.isClosed()) {
            to.onNotify(from, offset, length, value);
        }
    }

    /** Adds to 8 bytes whose range and alignment were checked. Inside the gate. */
    long fetchAdd(long offset, long delta) {
        long before = (long) LONG.getAndAdd(segment, offset, delta);
        Faults.raise(); // where it is a file that another process has made shorter
        return before;
    }

    /** The same for a comparison. */
    long compareAndSwap(long offset, long expected, long value) {
        long before = AtomicWord.compareAndSwap(segment, offset, expected, value);
        Faults.raise();
        return before;
    }

    @Override
    public synchronized void close() { // a second caller waits for the device too
        gate.close();
        List<Attachment> had = owner.remove(this);
        ExposedMemory memory = exposed;
        try {
            if (memory != null) {
                memory.close(); // of all peers at once; again, where one did not let it end
            }
        } finally {
            owner.ended(had);
        }
        if (!gate.awaitEmpty(CLOSE_NS)) {
            throw new IllegalStateException("a copy to or from region " + name + " is not over in 10 s");
        }
    }
}
