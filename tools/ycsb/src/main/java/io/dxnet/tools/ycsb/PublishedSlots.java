package io.dxnet.tools.ycsb;

import io.dxnet.DXNetException;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The records of a storage node in memory that clients read: a table of slots, each a versioned
 * record. Any thread, one at a time for each key.
 *
 * <p>A key keeps its slot until it is removed, and only the thread that changes this key writes to
 * the slot. It is put into the first of its slots that is free: behind one that never had a record
 * there is none.
 */
final class PublishedSlots implements AutoCloseable {
    /** The region of the slots. */
    static final String SLOTS = "slots";

    /** A region of 4 bytes, which is there when clients may come: {@link Publication#slotBytes}. */
    static final String SLOT_BYTES = "slot-bytes";

    static final ValueLayout.OfInt SLOT_BYTES_LAYOUT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Arena arena = Arena.ofShared();
    private final RemoteMemory memory;
    private final int slotBytes;
    private final SlotIndex index;
    /** The key of each slot, null: it is free. Set by the thread that changes that key. */
    private final AtomicReferenceArray<String> keys;

    private final SharedRegion region;
    private final VersionedRegion slots;
    /** Null until clients may come. Written by the thread that starts and ends the node. */
    private SharedRegion announced;

    /** Shares the memory; no client finds it before {@link #announce}. */
    PublishedSlots(RemoteMemory memory, Publication publication) throws DXNetException {
        this.memory = memory;
        slotBytes = publication.slotBytes();
        index = new SlotIndex(publication.slots());
        keys = new AtomicReferenceArray<>(Math.toIntExact(publication.slots()));
        region = share(SLOTS, memory.allocate(arena, publication.bytes()));
        slots = region.versioned(slotBytes);
    }

    private SharedRegion share(String name, MemorySegment segment) throws DXNetException {
        return memory.share(name, segment, EnumSet.of(Right.READ), Peers.all());
    }

    /** Lets clients come. */
    void announce() throws DXNetException {
        MemorySegment bytes = arena.allocate(SLOT_BYTES_LAYOUT);
        bytes.set(SLOT_BYTES_LAYOUT, 0, slotBytes);
        announced = share(SLOT_BYTES, bytes);
    }

    /** Publishes a record, in its slot or in a free one; clients ask for one without a slot. */
    void put(String key, byte[] row) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        if (!Slot.fits(name, slotBytes)) {
            return;
        }
        long slot = find(key);
        if (slot < 0) {
            slot = acquire(key);
        }
        if (slot >= 0) {
            write(slot, Slot.of(name, row, slotBytes));
        }
    }

    /** Frees the slot of a record, where it has one. */
    void remove(String key) {
        long slot = find(key);
        if (slot >= 0) {
            write(slot, new byte[slotBytes]);
            keys.set((int) slot, null);
        }
    }

    private long find(String key) {
        for (int i = 0; i < index.probes(); i++) {
            long slot = index.slot(key, i);
            if (key.equals(keys.get((int) slot))) {
                return slot;
            }
        }
        return -1;
    }

    private long acquire(String key) {
        for (int i = 0; i < index.probes(); i++) {
            long slot = index.slot(key, i);
            if (keys.compareAndSet((int) slot, null, key)) {
                return slot;
            }
        }
        return -1;
    }

    private void write(long slot, byte[] content) {
        try {
            slots.write(slot, MemorySegment.ofArray(content));
        } catch (DXNetException e) {
            throw new IllegalStateException("can't write to slot " + slot + " of this node", e);
        }
    }

    /** Revokes the access, then frees the memory. */
    @Override
    public void close() {
        if (announced != null) {
            announced.close();
        }
        region.close();
        arena.close();
    }
}
