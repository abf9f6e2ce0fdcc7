package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetException;
import io.dxnet.memory.Batch;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A thread of a node in the {@link MemoryLedger}, with a slot and a record of its own at each
 * owner.
 */
final class MemoryLedgerWorker {
    private static final int COUNTERS = MemoryLedger.COUNTERS;
    private static final long SLOT_BYTES = (long) MemoryLedger.SLOT_LONGS * Long.BYTES;
    private static final int RECORD_LONGS = MemoryLedger.RECORD_LONGS;
    private static final int CHAIN_MAX = 6;

    private final MemoryLedger ledger;
    private final int node;
    private final int index;
    private final Random random;
    private final RemoteRegion[] data;
    private final RemoteRegion[] records;
    private final long[] written; // what the slot at each owner has, or may have one of its perhaps
    private final MemorySegment slot = Arena.ofAuto().allocate(SLOT_BYTES, 8);
    private final MemorySegment record = Arena.ofAuto().allocate((long) RECORD_LONGS * Long.BYTES, 8);
    private long sequence;

    MemoryLedgerWorker(MemoryLedger ledger, int node, int index) {
        this.ledger = ledger;
        this.node = node;
        this.index = index;
        this.random = new Random(ledger.seed + index);
        this.data = new RemoteRegion[ledger.nodes];
        this.records = new RemoteRegion[ledger.nodes];
        this.written = new long[ledger.nodes];
    }

    void run() throws DXNetException {
        while (!ledger.isOver()) {
            int to = (node + 1 + random.nextInt(ledger.nodes - 1)) % ledger.nodes;
            try {
                step(to);
                ledger.operations.incrementAndGet();
            } catch (RemoteMemoryException.TimedOut e) {
                // A record whose writer failed amid its write is torn, until it writes again.
            } catch (RemoteMemoryException e) {
                detach(to);
            }
        }
        for (int i = 0; i < ledger.nodes; i++) {
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
            regions[to] = ledger.node(node).remoteMemory().attach(to, name);
        }
        return regions[to];
    }

    private void step(int to) throws DXNetException {
        RemoteRegion of = attached(data, to, "data");
        MemoryLedgerOwner owner = ledger.owner(to);
        switch (random.nextInt(10)) {
            case 0 -> add(of, owner);
            case 1 -> swap(of, owner);
            case 2 -> addAll(of, owner);
            case 3 -> write(of, owner);
            case 4 -> writeAndNotify(of, owner);
            case 5 -> writeParts(of, owner);
            case 6 -> read(of, owner);
            case 7 -> readParts(of, owner);
            case 8 -> writeRecord(owner);
            default -> readRecord(owner);
        }
    }

    /** {@return what an operation returned, posted and then waited for} */
    private static <T> T join(CompletableFuture<T> future) throws DXNetException {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RemoteMemoryException known) {
                throw known;
            }
            throw e;
        }
    }

    private static void book(RemoteMemoryException e, Runnable done, Runnable unknown) {
        switch (e.outcome()) {
            case DONE -> done.run();
            case UNKNOWN -> unknown.run();
            case NOT_DONE -> {
                // nothing to book
            }
        }
    }

    // ---------------------------------------------------------------- additions

    private void add(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        int counter = random.nextInt(COUNTERS);
        long offset = (long) counter * Long.BYTES;
        try {
            owner.added(counter, random.nextBoolean() ? of.fetchAdd(offset, 1) : join(of.fetchAddAsync(offset, 1)));
        } catch (RemoteMemoryException e) {
            bookAdded(e, owner, counter);
            throw e;
        }
    }

    /** Of one that was done without its answer, what it found is not known. */
    private static void bookAdded(RemoteMemoryException e, MemoryLedgerOwner owner, int counter) {
        book(e, () -> owner.perhapsAdded(counter), () -> owner.perhapsAdded(counter));
    }

    /** An addition where no other one comes between. */
    private void swap(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        int counter = random.nextInt(COUNTERS);
        long offset = (long) counter * Long.BYTES;
        MemorySegment word = slot.asSlice(0, Long.BYTES);
        of.read(offset, word);
        long expected = word.get(ValueLayout.JAVA_LONG, 0);
        try {
            long before = random.nextBoolean()
                    ? of.compareAndSwap(offset, expected, expected + 1)
                    : join(of.compareAndSwapAsync(offset, expected, expected + 1));
            if (before == expected) {
                owner.added(counter, before);
            }
        } catch (RemoteMemoryException e) {
            bookAdded(e, owner, counter);
            throw e;
        }
    }

    /** A chain of additions: where one fails, some of the others may be done. */
    private void addAll(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        int[] counters = random.ints(1 + random.nextInt(CHAIN_MAX), 0, COUNTERS).toArray();
        Batch batch = of.batch();
        for (int each : counters) {
            if (random.nextInt(4) == 0) {
                batch.fence();
            }
            batch.fetchAdd((long) each * Long.BYTES, 1);
        }
        try {
            long[] before = random.nextBoolean() ? batch.execute() : join(batch.post());
            for (int i = 0; i < counters.length; i++) {
                owner.added(counters[i], before[i]);
            }
        } catch (RemoteMemoryException e) {
            for (int each : counters) {
                owner.perhapsAdded(each);
            }
            throw e;
        }
    }

    // ---------------------------------------------------------------- slots

    private interface Writing {
        void run() throws DXNetException;
    }

    /** One operation, which writes the slot. */
    private void write(MemoryLedgerOwner owner, Writing writing) throws DXNetException {
        long value = ++sequence;
        fill(slot, value);
        Set<Long> perhaps = owner.perhapsInSlot(index);
        perhaps.add(value); // while it is under way: a notification before this one finds it
        try {
            writing.run();
            written[owner.node()] = value;
            perhaps.remove(value);
        } catch (RemoteMemoryException e) {
            book(
                    e,
                    () -> {
                        written[owner.node()] = value;
                        perhaps.remove(value);
                    },
                    ledger.unknowns::incrementAndGet);
            if (e.outcome() == RemoteMemoryException.Outcome.NOT_DONE) {
                perhaps.remove(value);
            }
            throw e;
        }
    }

    private void write(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        long offset = MemoryLedgerOwner.slotOffset(index);
        write(owner, () -> {
            if (random.nextBoolean()) {
                of.write(offset, slot);
            } else {
                join(of.writeAsync(offset, slot));
            }
        });
    }

    private void writeAndNotify(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        int shares = owner.shares(); // before
        long offset = MemoryLedgerOwner.slotOffset(index);
        write(owner, () -> {
            if (random.nextBoolean()) {
                of.writeAndNotify(offset, slot, (int) sequence);
            } else {
                join(of.writeAndNotifyAsync(offset, slot, (int) sequence));
            }
        });
        owner.wroteAndNotified(index, (int) sequence, shares);
    }

    /** The slot's segments, one after the other. */
    private MemorySegment[] parts() {
        long first = random.nextInt(MemoryLedger.SLOT_LONGS) * (long) Long.BYTES;
        return new MemorySegment[] {slot.asSlice(0, first), slot.asSlice(first)};
    }

    private void writeParts(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        long offset = MemoryLedgerOwner.slotOffset(index);
        MemorySegment[] parts = parts();
        write(owner, () -> {
            if (random.nextBoolean()) {
                of.write(offset, parts);
            } else {
                join(of.writeAsync(offset, parts));
            }
        });
    }

    private void read(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        long offset = MemoryLedgerOwner.slotOffset(index);
        slot.fill((byte) -1);
        if (random.nextBoolean()) {
            of.read(offset, slot);
        } else {
            join(of.readAsync(offset, slot));
        }
        check(owner, slot.toArray(ValueLayout.JAVA_LONG));
    }

    /** In one operation, or in a chain. */
    private void readParts(RemoteRegion of, MemoryLedgerOwner owner) throws DXNetException {
        long offset = MemoryLedgerOwner.slotOffset(index);
        MemorySegment[] parts = parts();
        slot.fill((byte) -1);
        if (random.nextBoolean()) {
            of.read(offset, parts);
        } else {
            of.batch()
                    .read(offset, parts[0])
                    .read(offset + parts[0].byteSize(), parts[1])
                    .execute();
        }
        check(owner, slot.toArray(ValueLayout.JAVA_LONG));
    }

    private void check(MemoryLedgerOwner owner, long[] found) {
        long last = written[owner.node()];
        for (long each : found) {
            if (each != last) {
                assertThat(owner.perhapsInSlot(index))
                        .as("slot %d of node %d has %d, not %d, seed %d", index, owner.node(), each, last, ledger.seed)
                        .contains(each);
            }
        }
    }

    /** After its end. */
    void checkSlot(MemoryLedgerOwner owner) {
        check(owner, owner.slot(index));
    }

    // ---------------------------------------------------------------- records

    private void writeRecord(MemoryLedgerOwner owner) throws DXNetException {
        long value = ++sequence;
        fill(record, value);
        VersionedRegion into = records(owner);
        try {
            into.write(index, record);
        } catch (RemoteMemoryException e) { // some of its operations may be done
            owner.perhapsWroteRecord(index, value);
            throw e;
        }
        owner.wroteRecord(index, value);
    }

    private VersionedRegion records(MemoryLedgerOwner owner) throws DXNetException {
        return attached(records, owner.node(), "records").versioned(RECORD_LONGS * Long.BYTES);
    }

    /** One, or neighbours. */
    private void readRecord(MemoryLedgerOwner owner) throws DXNetException {
        int count = 1 + random.nextInt(3);
        long[] found = new long[count * RECORD_LONGS];
        long[] versions = new long[count];
        VersionedRegion from = records(owner);
        int first = random.nextInt(ledger.nodes * MemoryLedger.THREADS - count + 1);
        long[] doneBefore = owner.recordsDone(first, count);
        if (count == 1) {
            versions[0] = from.read(first, MemorySegment.ofArray(found));
        } else {
            from.tryRead(first, MemorySegment.ofArray(found), versions); // zeros where torn
        }
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i])
                    .as("record %d, seed %d", first + i / RECORD_LONGS, ledger.seed)
                    .isEqualTo(found[i - i % RECORD_LONGS]);
        }
        for (int i = 0; i < count; i++) {
            if (versions[i] != VersionedRegion.TORN) {
                owner.checkRecord(first + i, found[i * RECORD_LONGS], doneBefore[i]);
            }
        }
    }

    private static void fill(MemorySegment segment, long value) {
        for (long i = 0; i < segment.byteSize() / Long.BYTES; i++) {
            segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }
    }
}
