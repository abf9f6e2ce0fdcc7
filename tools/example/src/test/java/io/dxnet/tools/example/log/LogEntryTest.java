package io.dxnet.tools.example.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class LogEntryTest {
    @Test
    void shouldFindEachChangedBit() {
        LogEntry entry = new LogEntry(7, 1L << 40, new byte[] {1, 2, 3});
        byte[] slot = new byte[40];
        System.arraycopy(entry.encode(), 0, slot, 0, LogEntry.HEADER_BYTES + 3);
        LogEntry back = LogEntry.decode(MemorySegment.ofArray(slot));
        assertThat(back.term()).isEqualTo(7);
        assertThat(back.sequence()).isEqualTo(1L << 40);
        assertThat(back.content()).containsExactly(1, 2, 3);
        for (int bit = 0; bit < 8 * (LogEntry.HEADER_BYTES + 3); bit++) {
            byte[] damaged = slot.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> LogEntry.decode(MemorySegment.ofArray(damaged)))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> LogEntry.decode(MemorySegment.ofArray(new byte[40])))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldLeaveNoSlotWithinAnother() {
        LogShape shape = new LogShape(3, 5);
        assertThat(shape.slotBytes()).isEqualTo(32);
        assertThat(shape.bytes()).isEqualTo(96);
        assertThat(shape.offset(1_000_000_000_001L)).isEqualTo(1_000_000_000_001L % 3 * 32);
        assertThatThrownBy(() -> new LogShape(0, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LogShape(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LogShape(1, Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
    }
}
