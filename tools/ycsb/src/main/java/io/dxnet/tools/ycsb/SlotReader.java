package io.dxnet.tools.ycsb;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Reads the published records of one storage node from its memory. Any thread. */
final class SlotReader {
    /** Slots of one read: where half of all are in use, 97 of 100 keys are in the first four. */
    private static final int AT_ONCE = 4;

    private static final long ATTACH_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    /** The slots of one incarnation of the storage node. */
    private record Table(RemoteRegion region, VersionedRegion slots, SlotIndex index) {}

    private final RemoteMemory memory;
    private final int server;
    private final GetCounts.Counter counter;
    private final ReentrantLock attaching = new ReentrantLock();
    private long notBeforeNs = System.nanoTime(); // by the thread that attaches
    /** Null: not attached. Written by the thread that attaches, and by each that finds it lost. */
    private volatile Table table;

    SlotReader(RemoteMemory memory, int server, GetCounts.Counter counter) {
        this.memory = memory;
        this.server = server;
        this.counter = counter;
    }

    /**
     * Attaches.
     *
     * @throws DXNetException when the storage node is not there or publishes nothing
     */
    void attach() throws DXNetException {
        byte[] slotBytes = new byte[Integer.BYTES];
        try (RemoteRegion announced = memory.attach(server, PublishedSlots.SLOT_BYTES)) {
            announced.read(0, MemorySegment.ofArray(slotBytes));
        }
        RemoteRegion region = memory.attach(server, PublishedSlots.SLOTS);
        VersionedRegion slots =
                region.versioned(MemorySegment.ofArray(slotBytes).get(PublishedSlots.SLOT_BYTES_LAYOUT, 0));
        table = new Table(region, slots, new SlotIndex(slots.records()));
    }

    /** {@return whether hardware, or this process itself, reads the memory} */
    boolean isOneSided() {
        Table current = table;
        return current != null && current.region.isOneSided();
    }

    /** {@return the row of a key; null: the storage node has to be asked} */
    byte[] read(String key) {
        Table current = table == null ? attachedAgain() : table;
        if (current == null) {
            counter.add(GetAnswer.NOT_ATTACHED);
            return null;
        }
        try {
            return read(current, key);
        } catch (RemoteMemoryException.TimedOut e) {
            counter.add(GetAnswer.TIMED_OUT);
        } catch (DXNetException e) {
            counter.add(GetAnswer.NOT_ATTACHED);
            lost(current);
        }
        return null;
    }

    private byte[] read(Table from, String key) throws DXNetException {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        int slotBytes = from.slots.recordBytes();
        int count;
        for (int i = 0; i < from.index.probes(); i += count) {
            long first = from.index.slot(key, i);
            count = (int) Math.min(Math.min(AT_ONCE, from.index.probes() - i), from.index.slots() - first);
            byte[] slots = new byte[count * slotBytes];
            long[] versions = new long[count];
            from.slots.tryRead(first, MemorySegment.ofArray(slots), versions);
            for (int j = 0; j < count; j++) {
                byte[] slot = Arrays.copyOfRange(slots, j * slotBytes, (j + 1) * slotBytes);
                if (versions[j] == VersionedRegion.TORN) {
                    versions[j] = from.slots.read(first + j, MemorySegment.ofArray(slot));
                }
                if (versions[j] == 0) { // a key is in the first slot that was free
                    counter.add(GetAnswer.NO_SLOT);
                    return null;
                }
                switch (Slot.content(slot, name)) {
                    case ROW -> {
                        counter.add(GetAnswer.MEMORY);
                        return Slot.row(slot);
                    }
                    case LARGE_ROW -> {
                        counter.add(GetAnswer.LARGE_ROW);
                        return null;
                    }
                    case FREE, OTHER_KEY -> {}
                }
            }
        }
        counter.add(GetAnswer.NO_SLOT);
        return null;
    }

    private synchronized void lost(Table former) {
        if (table == former) {
            table = null;
            former.region.close();
        }
    }

    /** {@return the slots, or null; one thread attaches, once a second; others ask by messages} */
    private Table attachedAgain() {
        if (!attaching.tryLock()) {
            return null;
        }
        try {
            if (table == null && System.nanoTime() - notBeforeNs >= 0) {
                notBeforeNs = System.nanoTime() + ATTACH_AGAIN_NS;
                attach();
            }
        } catch (DXNetException | IllegalArgumentException e) {
            return null; // counted by the caller
        } finally {
            attaching.unlock();
        }
        return table;
    }
}
