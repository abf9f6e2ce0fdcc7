package io.dxnet.tools.payload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeededBytesTest {
    private static final long SEED = SeededBytes.seed(3, 1_000_000);

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        SeededBytes.fill(bytes, 0, size, SEED, 0);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 64, 100})
    void shouldNoticeEachFlippedBit(int size) {
        byte[] bytes = bytes(size);
        assertThat(SeededBytes.matches(bytes, 0, size, SEED, 0)).isTrue();
        for (int bit = 0; bit < size * Byte.SIZE; bit++) {
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThat(SeededBytes.matches(bytes, 0, size, SEED, 0))
                    .as("bit %d", bit)
                    .isFalse();
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64})
    void shouldWriteTheSameInPieces(int piece) {
        byte[] whole = bytes(100);
        byte[] pieces = new byte[100];
        byte[] buffer = new byte[piece];
        for (int place = 0; place < 100; place += piece) {
            int length = Math.min(piece, 100 - place);
            SeededBytes.fill(buffer, 0, length, SEED, place);
            assertThat(SeededBytes.matches(buffer, 0, length, SEED, place)).isTrue();
            System.arraycopy(buffer, 0, pieces, place, length);
        }
        assertThat(pieces).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 1L << 40})
    void shouldDifferForEachStreamNumberAndPlace(long number) {
        byte[] bytes = new byte[8];
        SeededBytes.fill(bytes, 0, 8, SeededBytes.seed(5, number), 0);
        assertThat(SeededBytes.matches(bytes, 0, 8, SeededBytes.seed(5, number), 0))
                .isTrue();
        assertThat(SeededBytes.matches(bytes, 0, 8, SeededBytes.seed(5, number + 1), 0))
                .isFalse();
        assertThat(SeededBytes.matches(bytes, 0, 8, SeededBytes.seed(6, number), 0))
                .isFalse();
        assertThat(SeededBytes.matches(bytes, 0, 8, SeededBytes.seed(5, number), 8))
                .isFalse();
    }
}
