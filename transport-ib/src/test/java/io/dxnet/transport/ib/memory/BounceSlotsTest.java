package io.dxnet.transport.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.transport.ib.MemoryDevices;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slots of three sizes: which are free, and that none overlaps another one. */
class BounceSlotsTest {
    private static final int TINY = 256;
    private static final int REQUESTS = 128;

    private Context context;
    private BounceSlots slots;

    private record Held(int slot, MemorySegment memory, byte mark) {}

    @BeforeEach
    void open() throws Exception {
        context = MemoryDevices.open(0, MemoryPair.ACK_TIMEOUT).context();
        slots = new BounceSlots(context.allocateProtectionDomain());
    }

    @AfterEach
    void close() {
        context.close();
    }

    private Held hold(int bytes, int mark) {
        int slot = slots.acquire(bytes);
        if (slot < 0) {
            return null;
        }
        MemoryRegion region = slots.region(slot);
        MemorySegment memory = region.memory().asSlice(slots.offset(slot), bytes);
        return new Held(slot, memory.fill((byte) mark), (byte) mark);
    }

    private static void check(Held held) {
        byte[] found = held.memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        assertThat(found).as("slot %d", held.slot).containsOnly(held.mark);
    }

    /** So only the queue limits how many reads of a few bytes, and atomics, are in flight. */
    @Test
    void shouldHaveASlotOfFewBytesForEachRequestInFlight() {
        List<Held> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(hold(BounceSlots.SMALL_BYTES, 2 * i));
        }
        assertThat(slots.acquire(BounceSlots.SMALL_BYTES)).isNegative();
        for (int i = 0; i < REQUESTS; i++) {
            all.add(hold(TINY, 2 * i + 1));
        }
        assertThat(slots.acquire(TINY)).isNegative();
        all.forEach(BounceSlotsTest::check);
    }

    @Test
    void shouldNeverOverlap() {
        Random random = new Random(1);
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int wanted = 1 + random.nextInt(1 << (1 + random.nextInt(17)));
            Held next = random.nextInt(5) < 3 ? hold(slots.piece(wanted), i) : null;
            if (next != null) {
                held.add(next);
            } else if (!held.isEmpty()) {
                Held over = held.remove(random.nextInt(held.size()));
                check(over);
                slots.release(over.slot);
            }
        }
        held.forEach(BounceSlotsTest::check);
    }
}
