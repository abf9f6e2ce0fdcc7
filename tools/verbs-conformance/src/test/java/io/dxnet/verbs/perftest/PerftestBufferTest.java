package io.dxnet.verbs.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The bytes of perftest's buffers, beside those of a C program. */
class PerftestBufferTest {
    @Test
    void shouldRepeatTheNumbersOfTheCLibrary() {
        byte[] numbers = PerftestBuffer.random(1_764_109_453, 5002);
        assertThat(Arrays.copyOf(numbers, 8)).containsExactly(-4, -67, -111, 122, -51, 105, -33, 31);
        assertThat(Arrays.copyOfRange(numbers, 5000, 5002)).containsExactly(42, -24);
    }

    @Test
    void shouldFindTheBufferWhenItsProgramHasJustStarted() {
        int seed = (int) (System.currentTimeMillis() / 1000) - 20;
        byte[] numbers = PerftestBuffer.random(seed, 3000);
        MemorySegment part = MemorySegment.ofArray(Arrays.copyOfRange(numbers, 2000, 3000));
        PerftestBuffer found = PerftestBuffer.holding(part, 2000, 3000);
        assertThat(found.mismatch(part, 2000, 1000)).isNegative();
        numbers[2999]++;
        assertThat(found.mismatch(MemorySegment.ofArray(numbers), 0, 3000)).isEqualTo(2999);
    }

    @Test
    void shouldRefuseBytesOfNoBuffer() {
        MemorySegment zeros = MemorySegment.ofArray(new byte[64]);
        assertThatThrownBy(() -> PerftestBuffer.holding(zeros, 0, 64)).isInstanceOf(IllegalStateException.class);
    }
}
