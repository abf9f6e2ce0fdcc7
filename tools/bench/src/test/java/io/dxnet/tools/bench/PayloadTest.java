package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The generator writes what the checker accepts, and the checker rejects
 * every other byte: it can fail.
 */
class PayloadTest {
    private static final long KEY = Payload.streamKey(3, 7, 31, 5);
    private static final List<Integer> SIZES =
            List.of(1, 2, 3, 7, 8, 9, 12, 15, 16, 17, 23, 24, 64, 100, 8191, 8192, 8193, 16384, 20001);

    private static byte[] generate(int size, long key, long sequence) {
        Bytes bytes = new Bytes();
        new Payload().write(bytes.exporter(), size, key, sequence);
        return bytes.written();
    }

    private static Payload read(byte[] bytes) {
        Payload payload = new Payload();
        payload.read(Bytes.importer(bytes));
        return payload;
    }

    @Test
    void shouldReadWhatItWroteForEachSize() {
        for (int size : SIZES) {
            byte[] bytes = generate(size, KEY, 0x0123456789ABCDEFL);
            Payload payload = read(bytes);
            assertThat(bytes).hasSize(size);
            assertThat(payload.intact()).as("size %d", size).isTrue();
            assertThat(payload.sequence()).isEqualTo(Payload.truncate(0x0123456789ABCDEFL, Payload.sequenceBits(size)));
            assertThat(payload.key()).isEqualTo(Payload.truncate(KEY, Payload.keyBits(size)));
        }
    }

    @Test
    void shouldReadSmallAfterLargeWithTheSameReader() {
        Payload reader = new Payload();
        reader.read(Bytes.importer(generate(64, KEY, -1)));
        reader.read(Bytes.importer(generate(2, KEY, 0x12345)));
        assertThat(reader.sequence()).isEqualTo(0x2345);
        assertThat(reader.key()).isZero();
    }

    /** Every single bit of the payload counts: through the content, the number or the key. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 8, 13, 16, 17, 31, 64, 8200})
    void shouldNoticeEveryFlippedBit(int size) {
        byte[] good = generate(size, KEY, 42);
        int step = size > 1000 ? 97 : 1;
        for (int bit = 0; bit < size * 8; bit += step) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            Payload payload = read(bad);
            boolean same = payload.intact()
                    && payload.sequence() == Payload.truncate(42, Payload.sequenceBits(size))
                    && payload.key() == Payload.truncate(KEY, Payload.keyBits(size));
            assertThat(same).as("bit %d of size %d", bit, size).isFalse();
        }
    }

    @Test
    void shouldWriteDifferentContentForEachStreamAndNumber() {
        byte[] one = generate(64, KEY, 1);
        assertThat(generate(64, KEY, 2)).isNotEqualTo(one);
        assertThat(java.util.Arrays.copyOfRange(generate(64, KEY + 1, 1), 16, 64))
                .isNotEqualTo(java.util.Arrays.copyOfRange(one, 16, 64));
        assertThat(Payload.streamKey(1, 2, 3, 4)).isNotEqualTo(Payload.streamKey(2, 1, 3, 4));
    }

    @Test
    void shouldNoticeTwoPiecesThatChangedPlaces() {
        byte[] bytes = generate(64, KEY, 9);
        byte[] swapped = bytes.clone();
        System.arraycopy(bytes, 24, swapped, 40, 8);
        System.arraycopy(bytes, 40, swapped, 24, 8);
        assertThat(read(swapped).intact()).isFalse();
    }
}
