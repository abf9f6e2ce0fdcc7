package io.dxnet.tools.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotTest {
    private static final int BYTES = 32;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldHoldKeyAndRowUpToItsLastByte() {
        byte[] key = bytes("t/k\u00e9y");
        for (int length = 0; length <= BYTES - 6 - key.length; length++) {
            byte[] row = bytes("r".repeat(length));
            byte[] slot = Slot.of(key, row, BYTES);
            assertThat(slot).hasSize(BYTES);
            assertThat(Slot.content(slot, key)).isEqualTo(Slot.Content.ROW);
            assertThat(Slot.row(slot)).isEqualTo(row);
        }
        byte[] large = Slot.of(key, new byte[BYTES - 6 - key.length + 1], BYTES);
        assertThat(Slot.content(large, key)).isEqualTo(Slot.Content.LARGE_ROW);
        assertThat(Slot.content(large, bytes("other"))).isEqualTo(Slot.Content.OTHER_KEY);
    }

    @Test
    void shouldDistinguishKeys() {
        byte[] slot = Slot.of(bytes("abc"), bytes("d"), BYTES);
        assertThat(Slot.content(slot, bytes("ab"))).isEqualTo(Slot.Content.OTHER_KEY);
        assertThat(Slot.content(slot, bytes("abcd"))).isEqualTo(Slot.Content.OTHER_KEY);
        assertThat(Slot.content(slot, bytes("abd"))).isEqualTo(Slot.Content.OTHER_KEY);
        assertThat(Slot.content(new byte[BYTES], bytes("abc"))).isEqualTo(Slot.Content.FREE);
        assertThat(Slot.fits(new byte[BYTES - 6], BYTES)).isTrue();
        assertThat(Slot.fits(new byte[BYTES - 5], BYTES)).isFalse();
        assertThat(Slot.fits(new byte[65_536], 1 << 20)).isFalse();
    }

    @Test
    void shouldSpreadKeysOverAllSlots() {
        SlotIndex index = new SlotIndex(1000);
        Set<Long> used = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            String key = "t/user" + i;
            if ((key.hashCode() & 1) == 0) { // as where two storage nodes share the keys
                used.add(index.slot(key, 0));
            }
            assertThat(index.slot(key, 7)).isEqualTo((index.slot(key, 0) + 7) % 1000);
        }
        assertThat(used).hasSizeGreaterThan(990).allMatch(slot -> slot >= 0 && slot < 1000);
        assertThat(new SlotIndex(3).probes()).isEqualTo(3);
    }
}
