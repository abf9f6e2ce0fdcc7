package io.dxnet.tools.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    private static final long SEED = 42;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 63, 64, 65, 1000})
    void shouldMatchWhatItFilledAndLeaveTheRestAlone(int size) {
        MemorySegment memory = MemorySegment.ofArray(new byte[size + 2]);
        Payload.fill(memory, 1, size, SEED, 5);
        assertThat(Payload.matches(memory, 1, size, SEED, 5)).isTrue();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, size + 1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 9, 17, 100})
    void shouldNoticeEachChangedByte(int size) {
        MemorySegment memory = MemorySegment.ofArray(new byte[size]);
        Payload.fill(memory, 0, size, SEED, 5);
        for (int i = 0; i < size; i++) {
            byte right = memory.get(ValueLayout.JAVA_BYTE, i);
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (right ^ 1));
            assertThat(Payload.matches(memory, 0, size, SEED, 5))
                    .as("byte %d", i)
                    .isFalse();
            memory.set(ValueLayout.JAVA_BYTE, i, right);
        }
    }

    @Test
    void shouldTellMessagesAndRunsApart() {
        MemorySegment memory = MemorySegment.ofArray(new byte[64]);
        Payload.fill(memory, 0, 64, SEED, 5);
        assertThat(Payload.matches(memory, 0, 64, SEED, 6)).isFalse();
        assertThat(Payload.matches(memory, 0, 64, SEED + 1, 5)).isFalse();
    }

    @Test
    void shouldNeverRepeatTheTagAtTheSamePlace() {
        for (int places = 1; places <= 8192; places *= 2) {
            for (long number = 0; number < 300; number++) {
                assertThat(Payload.tag(number)).isNotZero().isNotEqualTo(Payload.tag(number + places));
            }
        }
    }
}
