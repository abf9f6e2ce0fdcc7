package io.dxnet.tools.compare.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    @ParameterizedTest
    @ValueSource(ints = {16, 17, 24, 100, 4096})
    void shouldReadWhatWasWritten(int size) {
        byte[] bytes = new byte[size];
        Payload.fill(bytes, 3, 1_000_000);
        assertThat(Payload.thread(bytes)).isEqualTo(3);
        assertThat(Payload.sequence(bytes)).isEqualTo(1_000_000);
        assertThat(Payload.intact(bytes)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 24, 100})
    void shouldFindEachDamagedByteBehindTheHead(int size) {
        byte[] bytes = new byte[size];
        for (int i = Payload.BYTES_MIN; i < size; i++) {
            Payload.fill(bytes, 1, 7);
            bytes[i] ^= 0x10;
            assertThat(Payload.intact(bytes)).as("byte %d", i).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 100})
    void shouldFindAWordOfAnotherMessage(int size) {
        byte[] bytes = new byte[size];
        Payload.fill(bytes, 1, 7);
        byte[] other = new byte[size];
        Payload.fill(other, 1, 8);
        System.arraycopy(other, 16, bytes, 16, 8);
        assertThat(Payload.intact(bytes)).isFalse();
    }
}
