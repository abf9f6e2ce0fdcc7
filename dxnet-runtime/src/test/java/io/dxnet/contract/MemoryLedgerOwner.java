package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetException;
import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** A node's memory in the {@link MemoryLedger}, and what is booked for it. Any thread. */
final class MemoryLedgerOwner {
    private static final int CANARY_LONGS = 64;
    private static final long CANARY = 0xC7C7C7C7C7C7C7C7L;
    private static final int OPERATIONS_AFTER_CLOSE = 30;
    private static final long BETWEEN_EVENTS_NS =
            Cluster.patience(Duration.ofMillis(80)).toNanos();
    private static final long AFTER_CLOSE_NS =
            Cluster.patience(Duration.ofMillis(50)).toNanos();

    private final MemoryLedger ledger;
    private final int node;
    private final Random random;
    private final MemorySegment data; // counters, then a slot for each worker; canaries around
    private final MemorySegment records;

    // Additions
    private final AtomicLongArray done = new AtomicLongArray(MemoryLedger.COUNTERS);
    private final AtomicLongArray unknown = new AtomicLongArray(MemoryLedger.COUNTERS);
    private final List<BitSet> found = new ArrayList<>(); // under its own monitor

    // Of each worker
    private final AtomicLongArray recordsDone; // the last value whose write was done
    private final List<Set<Long>> perhapsRecords = new ArrayList<>();
    private final List<Set<Long>> perhapsSlots = new ArrayList<>(); // that its slot may have, or may yet get
    private final AtomicLongArray notified; // the last value

    // Of the time since the regions were shared last
    private volatile int shares;
    private final AtomicLong notifications = new AtomicLong(); // that came
    private final AtomicLong notifyingCount = new AtomicLong(); // writes that were done, and notify
    private final AtomicLongArray notifying; // the last one of each worker

    private SharedRegion sharedData;
    private SharedRegion sharedRecords;

    MemoryLedgerOwner(MemoryLedger ledger, int node) {
        int workers = ledger.nodes * MemoryLedger.THREADS;
        this.ledger = ledger;
        this.node = node;
        this.random = new Random(ledger.seed + 1000 + node);
        this.data = guarded(MemoryLedger.COUNTERS + (long) workers * MemoryLedger.SLOT_LONGS);
        this.records = guarded((long) workers * (2 + MemoryLedger.RECORD_LONGS));
        this.recordsDone = new AtomicLongArray(workers);
        this.notified = new AtomicLongArray(workers);
        this.notifying = new AtomicLongArray(workers);
        for (int i = 0; i < workers; i++) {
            perhapsRecords.add(ConcurrentHashMap.newKeySet());
            perhapsSlots.add(ConcurrentHashMap.newKeySet());
        }
        for (int i = 0; i < MemoryLedger.COUNTERS; i++) {
            found.add(new BitSet());
        }
    }

    int node() {
        return node;
    }

    private MemorySegment guarded(long longs) {
        MemorySegment whole = ledger.shared.apply((longs + 2 * CANARY_LONGS) * Long.BYTES);
        for (long i = 0; i < CANARY_LONGS; i++) {
            whole.setAtIndex(ValueLayout.JAVA_LONG, i, CANARY);
            whole.setAtIndex(ValueLayout.JAVA_LONG, CANARY_LONGS + longs + i, CANARY);
        }
        return whole;
    }

    private static MemorySegment inner(MemorySegment whole) {
        return whole.asSlice(CANARY_LONGS * Long.BYTES, whole.byteSize() - 2L * CANARY_LONGS * Long.BYTES);
    }

    static long slotOffset(int worker) {
        return (MemoryLedger.COUNTERS + (long) worker * MemoryLedger.SLOT_LONGS) * Long.BYTES;
    }

    // ---------------------------------------------------------------- regions

    void share() throws DXNetException {
        notifications.set(0);
        notifyingCount.set(0);
        for (int i = 0; i < notifying.length(); i++) {
            notifying.set(i, 0);
        }
        sharedData =
                ledger.node(node).remoteMemory().share("data", inner(data), EnumSet.allOf(Right.class), Peers.all());
        sharedData.onNotify(this::notified);
        sharedRecords = ledger.node(node)
                .remoteMemory()
                .share("records", inner(records), EnumSet.of(Right.READ, Right.WRITE), Peers.all());
    }

    void close() {
        shares++; // first: what is done from here on may not be notified. One thread
        sharedData.close();
        sharedRecords.close();
    }

    /** Revokes and ends connections from time to time. */
    void disturb() throws DXNetException {
        while (!ledger.isCalm()) {
            LockSupport.parkNanos(random.nextLong(BETWEEN_EVENTS_NS));
            if (random.nextInt(3) == 0) {
                ledger.node(node).disconnectNode(random.nextInt(ledger.nodes));
            } else {
                revoke();
            }
        }
    }

    private void revoke() throws DXNetException {
        close();
        long[] after = data.toArray(ValueLayout.JAVA_LONG);
        long[] recordsAfter = records.toArray(ValueLayout.JAVA_LONG);
        long enough = ledger.operations.get() + OPERATIONS_AFTER_CLOSE;
        long deadlineNs = System.nanoTime() + AFTER_CLOSE_NS;
        while (ledger.operations.get() < enough && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(data.toArray(ValueLayout.JAVA_LONG)).as("after close").isEqualTo(after);
        assertThat(records.toArray(ValueLayout.JAVA_LONG))
                .as("records after close")
                .isEqualTo(recordsAfter);
        ledger.revocations.incrementAndGet();
        share();
    }

    // ---------------------------------------------------------------- additions

    /** An addition was done that found a value. */
    void added(int counter, long before) {
        done.incrementAndGet(counter);
        BitSet values = found.get(counter);
        synchronized (values) {
            assertThat(values.get(Math.toIntExact(before)))
                    .as("two additions to counter %d of node %d found %d, seed %d", counter, node, before, ledger.seed)
                    .isFalse();
            values.set((int) before);
        }
    }

    void perhapsAdded(int counter) {
        ledger.unknowns.incrementAndGet();
        unknown.incrementAndGet(counter);
    }

    // ---------------------------------------------------------------- slots and records

    /** {@return values that a worker's slot may have, besides the last one that was done} */
    Set<Long> perhapsInSlot(int worker) {
        return perhapsSlots.get(worker);
    }

    void wroteRecord(int worker, long value) {
        recordsDone.set(worker, value);
    }

    void perhapsWroteRecord(int worker, long value) {
        perhapsRecords.get(worker).add(value);
    }

    /** {@return of each worker from the first one on, the last value whose write was done} */
    long[] recordsDone(int first, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = recordsDone.get(first + i);
        }
        return values;
    }

    /** A whole record was read. */
    void checkRecord(int worker, long value, long doneBefore) {
        if (value < doneBefore && !perhapsRecords.get(worker).contains(value)) {
            throw new AssertionError("record " + worker + " of node " + node + " has " + value
                    + ", whose writer had written " + doneBefore + ", seed " + ledger.seed);
        }
    }

    // ---------------------------------------------------------------- notifications

    /** {@return what a write that notifies belongs to} Before it begins. */
    int shares() {
        return shares;
    }

    /** A write that notifies was done: its notification comes, where the region stays open. */
    void wroteAndNotified(int worker, int value, int sharesBefore) {
        notifying.set(worker, value);
        notifyingCount.incrementAndGet();
        if (shares != sharesBefore) {
            notifying.set(worker, 0);
            notifyingCount.decrementAndGet();
        }
    }

    private void notified(int from, long offset, long length, int value) {
        int worker = (int) ((offset / Long.BYTES - MemoryLedger.COUNTERS) / MemoryLedger.SLOT_LONGS);
        long last = notified.getAndSet(worker, value);
        long bytes = (long) MemoryLedger.SLOT_LONGS * Long.BYTES;
        if (from != worker / MemoryLedger.THREADS || offset != slotOffset(worker) || length != bytes || value <= last) {
            ledger.failed(new AssertionError("notification " + value + " of " + length + " bytes at " + offset
                    + " from node " + from + " came to node " + node + " after " + last + ", seed " + ledger.seed));
        }
        checkBytes(worker, value);
        notifications.incrementAndGet();
    }

    /** Its writer may have written since, or an earlier write of unknown outcome come late. */
    private void checkBytes(int worker, int value) {
        long first = slotOffset(worker) / Long.BYTES;
        for (long i = first; i < first + MemoryLedger.SLOT_LONGS; i++) {
            long each = inner(data).getAtIndex(ValueLayout.JAVA_LONG, i);
            if (each < value && !perhapsSlots.get(worker).contains(each)) {
                ledger.failed(new AssertionError("notification " + value + " of worker " + worker + " came to node "
                        + node + " before its bytes, which are " + each + ", seed " + ledger.seed));
            }
        }
    }

    /** {@return whether all that must come is here} When no worker runs, and none was closed. */
    boolean isNotifiedOfAll() {
        boolean isLast = notifications.get() >= notifyingCount.get();
        for (int i = 0; i < notifying.length(); i++) {
            isLast &= notified.get(i) >= notifying.get(i);
        }
        return isLast;
    }

    // ---------------------------------------------------------------- the end

    /** {@return the content of a worker's slot} */
    long[] slot(int worker) {
        return inner(data)
                .asSlice(slotOffset(worker), (long) MemoryLedger.SLOT_LONGS * Long.BYTES)
                .toArray(ValueLayout.JAVA_LONG);
    }

    void check() {
        for (MemorySegment whole : List.of(data, records)) {
            long longs = whole.byteSize() / Long.BYTES;
            for (long i = 0; i < CANARY_LONGS; i++) {
                assertThat(whole.getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(CANARY);
                assertThat(whole.getAtIndex(ValueLayout.JAVA_LONG, longs - 1 - i))
                        .isEqualTo(CANARY);
            }
        }
        for (int i = 0; i < MemoryLedger.COUNTERS; i++) {
            assertThat(inner(data).getAtIndex(ValueLayout.JAVA_LONG, i))
                    .as("counter %d of node %d, seed %d", i, node, ledger.seed)
                    .isBetween(done.get(i), done.get(i) + unknown.get(i));
        }
    }
}
