package io.dxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ObjectSizeTest {
    /** As in the interface: zigzag, 7 bits per byte. */
    private static int groups(long value) {
        long zigzag = value < 0 ? ~(value << 1) : value << 1;
        int bytes = 1;
        while ((zigzag >>>= 7) != 0) {
            bytes++;
        }
        return bytes;
    }

    @Test
    void shouldCountTheGroupsOfCompactNumbers() {
        for (int shift = 0; shift < 64; shift++) {
            for (long value : new long[] {1L << shift, (1L << shift) - 1, -(1L << shift), ~(1L << shift)}) {
                assertThat(ObjectSize.ofCompactLong(value)).as("%d", value).isEqualTo(groups(value));
                assertThat(ObjectSize.ofCompactInt((int) value))
                        .as("%d", (int) value)
                        .isEqualTo(groups((int) value));
            }
        }
        assertThat(ObjectSize.ofCompactInt(0)).isEqualTo(1);
        assertThat(ObjectSize.ofCompactInt(Integer.MIN_VALUE)).isEqualTo(5);
        assertThat(ObjectSize.ofCompactLong(Long.MIN_VALUE)).isEqualTo(10);
    }

    @Test
    void shouldCountUtf8() {
        String[] values = {
            "", "a", "é", "€", "\uD83D\uDE00", "\uD83D", "\uDE00", "\uDE00\uD83D", "a\uD83Dé\uD83D\uDE00€"
        };
        for (String value : values) {
            int bytes = value.getBytes(StandardCharsets.UTF_8).length;
            assertThat(ObjectSize.utf8Length(value)).isEqualTo(bytes);
            assertThat(ObjectSize.ofString(value)).isEqualTo(1 + bytes);
        }
        assertThat(ObjectSize.ofString(null)).isEqualTo(1);
        assertThat(ObjectSize.ofString("x".repeat(64))).isEqualTo(2 + 64);
    }

    @Test
    void shouldCountArrays() {
        assertThat(ObjectSize.ofBooleanArray(new boolean[3])).isEqualTo(4);
        assertThat(ObjectSize.ofByteArray(new byte[64])).isEqualTo(66);
        assertThat(ObjectSize.ofShortArray(new short[3])).isEqualTo(7);
        assertThat(ObjectSize.ofCharArray(new char[3])).isEqualTo(7);
        assertThat(ObjectSize.ofIntArray(new int[3])).isEqualTo(13);
        assertThat(ObjectSize.ofLongArray(new long[3])).isEqualTo(25);
        assertThat(ObjectSize.ofFloatArray(new float[3])).isEqualTo(13);
        assertThat(ObjectSize.ofDoubleArray(new double[0])).isEqualTo(1);
        assertThat(ObjectSize.ofDoubleArray(null)).isEqualTo(1);
        assertThat(ObjectSize.ofByteBuffer(ByteBuffer.allocate(9).position(2))).isEqualTo(8);
        assertThat(ObjectSize.ofSegment(MemorySegment.ofArray(new int[4]))).isEqualTo(17);
    }

    @Test
    void shouldThrowWhenTheSizeIsMoreThanAnIntHolds() {
        assertThatThrownBy(() -> ObjectSize.ofArray(Integer.MAX_VALUE, 8)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> ObjectSize.ofArray(Integer.MAX_VALUE - 1, 1)).isInstanceOf(ArithmeticException.class);
    }
}
