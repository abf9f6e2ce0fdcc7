package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * Random operations of all nodes on the memory of all others, while owners revoke and connections
 * end; each operation is booked:
 *
 * <ul>
 *   <li>a counter's value is the number of additions that were done, and of at most all those of
 *       unknown outcome besides;
 *   <li>what a writer reads from its slot is what it wrote last, or a write of unknown outcome;
 *   <li>a record is never torn;
 *   <li>no notification comes that no node sent;
 *   <li>nothing changes after a region is closed, and nothing beside a region ever.
 * </ul>
 */
final class MemoryLedger {
    private static final int COUNTERS = 32;
    private static final int THREADS = 2; // of each node
    private static final int SLOT_LONGS = 200;
    private static final int RECORD_LONGS = 130;
    private static final int CANARY_LONGS = 64;
    private static final long CANARY = 0xC7C7C7C7C7C7C7C7L;
    private static final int OPERATIONS_AFTER_CLOSE = 30;
    private static final long BETWEEN_EVENTS_NS =
            Cluster.patience(Duration.ofMillis(80)).toNanos();
    private static final long AFTER_CLOSE_NS =
            Cluster.patience(Duration.ofMillis(50)).toNanos();

    private final Cluster cluster;
    private final int nodes;
    private final long seed;
    private final LongFunction<MemorySegment> shared;
    private final Owner[] owners;
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong unknowns = new AtomicLong();
    private final AtomicLong revocations = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    MemoryLedger(Cluster cluster, int nodes, long seed, LongFunction<MemorySegment> shared) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.seed = seed;
        this.shared = shared;
        this.owners = new Owner[nodes];
    }

    /** Runs for a time, then checks the books. */
    void run(long seconds) throws Exception {
        for (int i = 0; i < nodes; i++) {
            owners[i] = new Owner(i);
            owners[i].share();
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < THREADS; j++) {
                Worker worker = new Worker(i, i * THREADS + j);
                threads.add(start(worker::run));
            }
            threads.add(start(owners[i]::disturb));
        }
        long deadlineNs = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - deadlineNs < 0 && failures.isEmpty()) {
            LockSupport.parkNanos(10_000_000);
        }
        stopped = true;
        for (Thread each : threads) {
            each.join();
        }
        assertThat(failures).as("seed %d", seed).isEmpty();
        for (Owner each : owners) {
            each.close();
            each.check();
        }
        assertThat(operations).hasPositiveValue();
        System.getLogger(MemoryLedger.class.getName())
                .log(
                        System.Logger.Level.INFO,
                        "seed {0}: {1} operations, {2} of unknown outcome, {3} revocations: the books add up",
                        seed,
                        operations,
                        unknowns,
                        revocations);
    }

    private Thread start(Body body) {
        return Thread.ofPlatform().start(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        });
    }

    private interface Body {
        void run() throws Exception;
    }

    /** A node's memory, and what is booked for it. */
    private final class Owner {
        private final int node;
        private final Random random;
        private final MemorySegment data; // counters, then a slot for each worker; canaries around
        private final MemorySegment records;
        private final AtomicLongArray done = new AtomicLongArray(COUNTERS);
        private final AtomicLongArray unknown = new AtomicLongArray(COUNTERS);
        private final AtomicLong notified = new AtomicLong();
        private final AtomicLong notifications = new AtomicLong(); // sent, or perhaps
        private SharedRegion sharedData;
        private SharedRegion sharedRecords;

        Owner(int node) {
            this.node = node;
            this.random = new Random(seed + 1000 + node);
            this.data = guarded(COUNTERS + (long) nodes * THREADS * SLOT_LONGS);
            this.records = guarded((long) nodes * THREADS * (2 + RECORD_LONGS));
        }

        private MemorySegment guarded(long longs) {
            MemorySegment whole = shared.apply((longs + 2 * CANARY_LONGS) * Long.BYTES);
            for (long i = 0; i < CANARY_LONGS; i++) {
                whole.setAtIndex(ValueLayout.JAVA_LONG, i, CANARY);
                whole.setAtIndex(ValueLayout.JAVA_LONG, CANARY_LONGS + longs + i, CANARY);
            }
            return whole;
        }

        private MemorySegment inner(MemorySegment whole) {
            return whole.asSlice(CANARY_LONGS * Long.BYTES, whole.byteSize() - 2L * CANARY_LONGS * Long.BYTES);
        }

        private void share() throws DXNetException {
            DXNet net = cluster.node(node);
            sharedData = net.remoteMemory().share("data", inner(data), EnumSet.allOf(Right.class), Peers.all());
            sharedData.onNotify((from, offset, length, value) -> notified.incrementAndGet());
            sharedRecords = net.remoteMemory()
                    .share("records", inner(records), EnumSet.of(Right.READ, Right.WRITE), Peers.all());
        }

        private void close() {
            sharedData.close();
            sharedRecords.close();
        }

        /** Revokes and ends connections from time to time. */
        private void disturb() throws DXNetException {
            while (!stopped) {
                LockSupport.parkNanos(random.nextLong(BETWEEN_EVENTS_NS));
                if (random.nextInt(3) == 0) {
                    cluster.node(node).disconnectNode(random.nextInt(nodes));
                } else {
                    revoke();
                }
            }
        }

        private void revoke() throws DXNetException {
            close();
            long[] after = data.toArray(ValueLayout.JAVA_LONG);
            long[] recordsAfter = records.toArray(ValueLayout.JAVA_LONG);
            long enough = operations.get() + OPERATIONS_AFTER_CLOSE;
            long deadlineNs = System.nanoTime() + AFTER_CLOSE_NS;
            while (operations.get() < enough && System.nanoTime() - deadlineNs < 0) {
                LockSupport.parkNanos(100_000);
            }
            assertThat(data.toArray(ValueLayout.JAVA_LONG)).as("after close").isEqualTo(after);
            assertThat(records.toArray(ValueLayout.JAVA_LONG))
                    .as("records after close")
                    .isEqualTo(recordsAfter);
            revocations.incrementAndGet();
            share();
        }

        private void check() {
            for (MemorySegment whole : List.of(data, records)) {
                long longs = whole.byteSize() / Long.BYTES;
                for (long i = 0; i < CANARY_LONGS; i++) {
                    assertThat(whole.getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(CANARY);
                    assertThat(whole.getAtIndex(ValueLayout.JAVA_LONG, longs - 1 - i))
                            .isEqualTo(CANARY);
                }
            }
            for (int i = 0; i < COUNTERS; i++) {
                assertThat(inner(data).getAtIndex(ValueLayout.JAVA_LONG, i))
                        .as("counter %d of node %d, seed %d", i, node, seed)
                        .isBetween(done.get(i), done.get(i) + unknown.get(i));
            }
            assertThat(notified.get()).as("notifications of node %d", node).isLessThanOrEqualTo(notifications.get());
        }
    }

    /** A thread of a node, with a slot and a record of its own at each owner. */
    private final class Worker {
        private final int node;
        private final int index;
        private final Random random;
        private final RemoteRegion[] data = new RemoteRegion[nodes];
        private final RemoteRegion[] records = new RemoteRegion[nodes];
        private final long[] written = new long[nodes]; // what the slot at each owner has
        private final List<Set<Long>> perhaps = new ArrayList<>(); // and what it may have, or may yet get
        private final MemorySegment slot = Arena.ofAuto().allocate((long) SLOT_LONGS * Long.BYTES, 8);
        private final MemorySegment record = Arena.ofAuto().allocate((long) RECORD_LONGS * Long.BYTES, 8);
        private long sequence;

        Worker(int node, int index) {
            this.node = node;
            this.index = index;
            this.random = new Random(seed + index);
            for (int i = 0; i < nodes; i++) {
                perhaps.add(new HashSet<>());
            }
        }

        void run() throws DXNetException {
            while (!stopped && failures.isEmpty()) {
                int to = (node + 1 + random.nextInt(nodes - 1)) % nodes;
                try {
                    step(to);
                    operations.incrementAndGet();
                } catch (RemoteMemoryException.TimedOut e) {
                    // A record whose writer failed amid its write is torn, until it writes again.
                } catch (RemoteMemoryException e) {
                    detach(to);
                }
            }
            for (int i = 0; i < nodes; i++) {
                detach(i);
            }
        }

        private void detach(int to) {
            for (RemoteRegion[] each : List.of(data, records)) {
                if (each[to] != null) {
                    each[to].close();
                    each[to] = null;
                }
            }
        }

        private RemoteRegion attached(RemoteRegion[] regions, int to, String name) throws DXNetException {
            if (regions[to] == null) {
                regions[to] = cluster.node(node).remoteMemory().attach(to, name);
            }
            return regions[to];
        }

        private void step(int to) throws DXNetException {
            switch (random.nextInt(6)) {
                case 0, 1 -> add(to);
                case 2 -> write(to);
                case 3 -> read(to);
                case 4 -> writeRecord(to);
                default -> readRecord(to);
            }
        }

        private void add(int to) throws DXNetException {
            RemoteRegion region = attached(data, to, "data");
            int counter = random.nextInt(COUNTERS);
            try {
                region.fetchAdd((long) counter * Long.BYTES, 1);
                owners[to].done.incrementAndGet(counter);
            } catch (RemoteMemoryException e) {
                book(
                        e,
                        () -> owners[to].done.incrementAndGet(counter),
                        () -> owners[to].unknown.incrementAndGet(counter));
                throw e;
            }
        }

        private void book(RemoteMemoryException e, Runnable done, Runnable unknown) {
            switch (e.outcome()) {
                case DONE -> done.run();
                case UNKNOWN -> {
                    unknowns.incrementAndGet();
                    unknown.run();
                }
                case NOT_DONE -> {
                    // nothing to book
                }
            }
        }

        private long slotOffset() {
            return (COUNTERS + (long) index * SLOT_LONGS) * Long.BYTES;
        }

        private void write(int to) throws DXNetException {
            RemoteRegion region = attached(data, to, "data");
            long value = ++sequence;
            fill(slot, value);
            boolean notifies = random.nextBoolean();
            try {
                if (notifies) {
                    owners[to].notifications.incrementAndGet();
                    region.writeAndNotify(slotOffset(), slot, (int) value);
                } else {
                    region.write(slotOffset(), slot);
                }
                written[to] = value;
            } catch (RemoteMemoryException e) {
                book(e, () -> written[to] = value, () -> perhaps.get(to).add(value));
                throw e;
            }
        }

        private void read(int to) throws DXNetException {
            RemoteRegion region = attached(data, to, "data");
            region.read(slotOffset(), slot);
            for (long each : slot.toArray(ValueLayout.JAVA_LONG)) {
                if (each != written[to]) {
                    assertThat(perhaps.get(to))
                            .as("slot %d of node %d has %d, not %d, seed %d", index, to, each, written[to], seed)
                            .contains(each);
                }
            }
        }

        private void writeRecord(int to) throws DXNetException {
            fill(record, ++sequence);
            attached(records, to, "records")
                    .versioned(RECORD_LONGS * Long.BYTES)
                    .write(index, record);
        }

        /** One, or neighbours. */
        private void readRecord(int to) throws DXNetException {
            int count = 1 + random.nextInt(3);
            long[] found = new long[count * RECORD_LONGS];
            VersionedRegion from = attached(records, to, "records").versioned(RECORD_LONGS * Long.BYTES);
            long first = random.nextInt(nodes * THREADS - count + 1);
            if (count == 1) {
                from.read(first, MemorySegment.ofArray(found));
            } else {
                from.tryRead(first, MemorySegment.ofArray(found), new long[count]); // zeros where torn
            }
            for (int i = 0; i < found.length; i++) {
                assertThat(found[i])
                        .as("record %d, seed %d", first + i / RECORD_LONGS, seed)
                        .isEqualTo(found[i - i % RECORD_LONGS]);
            }
        }

        private static void fill(MemorySegment segment, long value) {
            for (long i = 0; i < segment.byteSize() / Long.BYTES; i++) {
                segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
            }
        }
    }
}
