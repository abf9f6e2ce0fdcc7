package io.dxnet.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.Codec;
import io.dxnet.Exportable;
import io.dxnet.Exporter;
import io.dxnet.Importable;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.MessagingUsageException;
import io.dxnet.ObjectSize;
import io.dxnet.runtime.wire.Pieces.Cut;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges of each item, its bytes on the wire, and the errors with their words. */
class SerializerEdgeTest {
    private static final Random RANDOM = new Random(1);

    /** Exactly as many bytes as announced, or the test fails. */
    private static byte[] write(int bytes, Cut cut, Consumer<Exporter> writer) {
        Pieces pieces = new Pieces(bytes, RANDOM.nextBoolean());
        Pieces.Out out = pieces.out(cut, RANDOM);
        writer.accept(out);
        assertThat(out.written()).as("bytes written").isEqualTo(bytes);
        return pieces.content();
    }

    private static Importer in(byte[] bytes, Cut cut) {
        return new Pieces(bytes, RANDOM.nextBoolean()).in(cut, RANDOM);
    }

    private static <T> void assertRoundTrip(
            T value, int bytes, Consumer<Exporter> writer, Function<Importer, T> reader) {
        for (Cut cut : Cut.values()) {
            Importer in = in(write(bytes, cut, writer), cut);
            T read = reader.apply(in);
            assertThat(Item.same(read, value))
                    .as("read %s for %s with %s", read, value, cut)
                    .isTrue();
            assertThat(in.remaining()).isZero();
        }
    }

    private static byte[] bytes(int... values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int value : values) {
            out.write(value);
        }
        return out.toByteArray();
    }

    private static void assertMalformed(byte[] message, Function<Importer, ?> reader, String... words) {
        for (Cut cut : Cut.values()) {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> reader.apply(in(message, cut)))
                    .withMessageContainingAll(words);
        }
    }

    // ---------------------------------------------------------------- numbers

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                -1,
                63,
                64,
                -64,
                -65,
                127,
                128,
                8191,
                8192,
                -8192,
                -8193,
                0xFFFF,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                1L << 32,
                -1L << 40,
                Long.MAX_VALUE,
                Long.MIN_VALUE
            })
    void shouldKeepNumbers(long value) {
        assertRoundTrip(value, 8, e -> e.writeLong(value), Importer::readLong);
        assertRoundTrip((int) value, 4, e -> e.writeInt((int) value), Importer::readInt);
        assertRoundTrip((short) value, 2, e -> e.writeShort((short) value), Importer::readShort);
        assertRoundTrip((char) value, 2, e -> e.writeChar((char) value), Importer::readChar);
        assertRoundTrip((byte) value, 1, e -> e.writeByte((byte) value), Importer::readByte);
        float single = Float.intBitsToFloat((int) value);
        assertRoundTrip(single, 4, e -> e.writeFloat(single), Importer::readFloat);
        double twice = Double.longBitsToDouble(value);
        assertRoundTrip(twice, 8, e -> e.writeDouble(twice), Importer::readDouble);
        int compact = (int) value;
        assertRoundTrip(
                compact, ObjectSize.ofCompactInt(compact), e -> e.writeCompactInt(compact), Importer::readCompactInt);
        assertRoundTrip(
                value, ObjectSize.ofCompactLong(value), e -> e.writeCompactLong(value), Importer::readCompactLong);
    }

    @Test
    void shouldKeepCompactNumbersOfEveryLength() {
        for (int shift = 0; shift < 64; shift++) {
            for (long value : new long[] {1L << shift, (1L << shift) - 1, -(1L << shift), ~(1L << shift)}) {
                assertRoundTrip(
                        value,
                        ObjectSize.ofCompactLong(value),
                        e -> e.writeCompactLong(value),
                        Importer::readCompactLong);
                int narrow = (int) value;
                assertRoundTrip(
                        narrow,
                        ObjectSize.ofCompactInt(narrow),
                        e -> e.writeCompactInt(narrow),
                        Importer::readCompactInt);
            }
        }
    }

    @Test
    void shouldBeLittleEndian() {
        assertThat(write(2, Cut.WHOLE, e -> e.writeShort((short) 0x0102))).isEqualTo(bytes(2, 1));
        assertThat(write(4, Cut.WHOLE, e -> e.writeInt(0x01020304))).isEqualTo(bytes(4, 3, 2, 1));
        assertThat(write(8, Cut.TINY, e -> e.writeLong(0x0102030405060708L))).isEqualTo(bytes(8, 7, 6, 5, 4, 3, 2, 1));
        assertThat(write(4, Cut.WHOLE, e -> e.writeFloat(1f))).isEqualTo(bytes(0, 0, 0x80, 0x3F));
        assertThat(write(4, Cut.WHOLE, e -> e.writeChars(new char[] {0x0102, 0x0304})))
                .isEqualTo(bytes(2, 1, 4, 3));
        assertThat(write(5, Cut.ONE_BYTE, e -> e.writeIntArray(new int[] {0x01020304})))
                .isEqualTo(bytes(2, 4, 3, 2, 1));
    }

    @Test
    void shouldZigzagCompactNumbers() {
        assertThat(write(1, Cut.WHOLE, e -> e.writeCompactInt(-1))).isEqualTo(bytes(1));
        assertThat(write(1, Cut.WHOLE, e -> e.writeCompactInt(63))).isEqualTo(bytes(126));
        assertThat(write(2, Cut.WHOLE, e -> e.writeCompactInt(64))).isEqualTo(bytes(0x80, 1));
        assertThat(write(5, Cut.WHOLE, e -> e.writeCompactInt(Integer.MIN_VALUE)))
                .isEqualTo(bytes(0xFF, 0xFF, 0xFF, 0xFF, 0x0F))
                .isEqualTo(write(5, Cut.TINY, e -> e.writeCompactLong(Integer.MIN_VALUE)));
    }

    @Test
    void shouldThrowWhenACompactNumberIsTooLong() {
        byte[] tooManyBits = bytes(0xFF, 0xFF, 0xFF, 0xFF, 0x10);
        assertMalformed(tooManyBits, Importer::readCompactInt, "32 bits", "0x10", "0 bytes of the message are left");
        byte[] tooLong = bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0, 7);
        assertMalformed(tooLong, Importer::readCompactInt, "5 bytes", "0x80", "2 bytes of the message are left");
        assertMalformed(bytes(0x80, 0x80), Importer::readCompactInt, "0 bytes of the message are left");
        byte[] longBits = bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2);
        assertMalformed(longBits, Importer::readCompactLong, "64 bits", "10 bytes", "0x2");
        byte[] eleven = bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0);
        assertMalformed(eleven, Importer::readCompactLong, "0x80", "1 bytes of the message are left");
    }

    @Test
    void shouldThrowWhenABooleanIsNeither0Nor1() {
        assertMalformed(bytes(2), Importer::readBoolean, "boolean", "2");
        assertMalformed(bytes(6, 0, 1, 0xFF), Importer::readBooleanArray, "boolean", "-1");
    }

    @Test
    void shouldThrowWhenANumberEndsBehindTheMessage() {
        assertMalformed(bytes(), Importer::readByte, "1 bytes", "0 bytes of the message are left");
        assertMalformed(bytes(1, 2, 3), Importer::readInt, "4 bytes", "3 bytes of the message are left");
        assertMalformed(bytes(1, 2, 3, 4, 5, 6, 7), Importer::readDouble, "8 bytes", "7 bytes of the message are left");
    }

    // ---------------------------------------------------------------- strings

    @Test
    void shouldKeepStrings() {
        String[] alphabets = {"x", "é", "ß\u07FF", "€\uD7FF\uE000", "\uD83D\uDE00", "a\u0000é€\uD83D\uDE00"};
        int[] lengths = {0, 1, 2, 62, 63, 64, 65, 255, 1023, 1024, 1025, 2048, 3333, 70_000};
        for (String alphabet : alphabets) {
            for (int length : lengths) {
                String value = alphabet.repeat(length);
                assertRoundTrip(value, ObjectSize.ofString(value), e -> e.writeString(value), Importer::readString);
            }
        }
        assertRoundTrip(null, 1, e -> e.writeString(null), Importer::readString);
    }

    @Test
    void shouldWriteUnpairedSurrogatesAsQuestionMarks() {
        String[] values = {
            "\uD800",
            "\uDC00",
            "\uDC00\uD800",
            "a\uD83Db",
            "\uD83D\uD83D\uDE00",
            "é\uDE00€",
            "x".repeat(1023) + "\uD83D",
            "x".repeat(1023) + "\uD83D\uDE00" + "\uDE00",
        };
        for (String value : values) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            assertThat(ObjectSize.utf8Length(value)).isEqualTo(utf8.length);
            String expected = new String(utf8, StandardCharsets.UTF_8);
            assertRoundTrip(expected, ObjectSize.ofString(value), e -> e.writeString(value), Importer::readString);
        }
    }

    @Test
    void shouldReplaceMalformedUtf8() {
        for (int[] malformed : new int[][] {{0xC3}, {0xFF, 'a'}, {0xED, 0xA0, 0x80}, {0xF5, 0x80}, {0x80}}) {
            byte[] utf8 = bytes(malformed);
            byte[] message = write(1 + utf8.length, Cut.WHOLE, e -> e.writeByteArray(utf8));
            assertThat(in(message, Cut.TINY).readString()).isEqualTo(new String(utf8, StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldWriteLengthAndUtf8() {
        assertThat(write(3, Cut.WHOLE, e -> e.writeString("hi"))).isEqualTo(bytes(4, 'h', 'i'));
        assertThat(write(3, Cut.WHOLE, e -> e.writeString("é"))).isEqualTo(bytes(4, 0xC3, 0xA9));
        assertThat(write(1, Cut.WHOLE, e -> e.writeString(""))).isEqualTo(bytes(0));
        assertThat(write(1, Cut.WHOLE, e -> e.writeString(null))).isEqualTo(bytes(1));
    }

    // ---------------------------------------------------------------- lengths

    @Test
    void shouldThrowBeforeItAllocatesWhenALengthIsImpossible() {
        byte[] huge = write(5, Cut.WHOLE, e -> e.writeCompactInt(Integer.MAX_VALUE));
        byte[] negative = write(1, Cut.WHOLE, e -> e.writeCompactInt(-2));
        byte[] lowest = write(5, Cut.WHOLE, e -> e.writeCompactInt(Integer.MIN_VALUE));
        for (byte[] message : new byte[][] {huge, negative, lowest}) {
            String left = "0 bytes of the message are left";
            assertMalformed(message, Importer::readString, left);
            assertMalformed(message, Importer::readBooleanArray, left);
            assertMalformed(message, Importer::readByteArray, left);
            assertMalformed(message, Importer::readShortArray, left);
            assertMalformed(message, Importer::readCharArray, left);
            assertMalformed(message, Importer::readIntArray, left);
            assertMalformed(message, Importer::readLongArray, left);
            assertMalformed(message, Importer::readFloatArray, left);
            assertMalformed(message, Importer::readDoubleArray, left);
            assertMalformed(message, Importer::readByteBuffer, left);
            assertMalformed(message, Importer::readSegment, left);
        }
        assertMalformed(huge, Importer::readLongArray, "17179869176 bytes");
        assertMalformed(negative, Importer::readLongArray, "-2");
        byte[] longest = write(10, Cut.WHOLE, e -> e.writeCompactLong(Long.MAX_VALUE));
        assertMalformed(longest, Importer::readSegment, "9223372036854775807 bytes");
        byte[] two32 = write(5, Cut.WHOLE, e -> e.writeCompactLong(1L << 32));
        assertMalformed(two32, Importer::readSegment, "4294967296 bytes");
        assertMalformed(bytes(1), Importer::readByteBuffer, "null");
    }

    @Test
    void shouldThrowAndFillNothingWhenTheMessageIsShorterThanTheArray() {
        byte[] message = bytes(1, 2, 3, 4, 5, 6, 7);
        int[] into = new int[2];
        assertMalformed(
                message,
                i -> {
                    i.readInts(into);
                    return null;
                },
                "2 items",
                "8 bytes",
                "7 bytes of the message are left");
        assertThat(into).containsOnly(0);
        ByteBuffer buffer = ByteBuffer.allocateDirect(8);
        assertMalformed(
                message,
                i -> {
                    i.readBytes(buffer);
                    return null;
                },
                "8 bytes",
                "7 bytes of the message are left");
        assertThat(buffer.position()).isZero();
    }

    @Test
    void shouldThrowWhenARangeIsNotInsideTheArray() {
        Pieces pieces = new Pieces(100, true);
        Exporter out = pieces.out(Cut.WHOLE, RANDOM);
        Importer in = pieces.in(Cut.WHOLE, RANDOM);
        for (int[] range : new int[][] {{-1, 1}, {0, 4}, {3, 1}, {1, -1}, {Integer.MAX_VALUE, 2}}) {
            int offset = range[0];
            int length = range[1];
            Class<? extends Throwable> expected = IndexOutOfBoundsException.class;
            assertThatThrownBy(() -> out.writeIntArray(new int[3], offset, length))
                    .isInstanceOf(expected);
            assertThatThrownBy(() -> out.writeBooleans(new boolean[3], offset, length))
                    .isInstanceOf(expected);
            assertThatThrownBy(() -> out.writeDoubles(new double[3], offset, length))
                    .isInstanceOf(expected);
            assertThatThrownBy(() -> in.readBytes(new byte[3], offset, length)).isInstanceOf(expected);
            assertThatThrownBy(() -> in.readBooleans(new boolean[3], offset, length))
                    .isInstanceOf(expected);
        }
        assertThat(in.remaining()).isEqualTo(100);
    }

    // ---------------------------------------------------------------- buffers, segments, objects

    @Test
    void shouldLeaveTheWrittenBufferAsItIs() {
        ByteBuffer buffer = ByteBuffer.wrap(bytes(1, 2, 3, 4)).position(1).limit(3);
        assertThat(write(3, Cut.TINY, e -> e.writeByteBuffer(buffer))).isEqualTo(bytes(4, 2, 3));
        assertThat(buffer).isEqualTo(ByteBuffer.wrap(bytes(2, 3)));
        assertThat(buffer.position()).isEqualTo(1);
    }

    @Test
    void shouldReadANewHeapBufferAndSegment() {
        byte[] message = bytes(4, 2, 3);
        ByteBuffer buffer = in(message, Cut.ONE_BYTE).readByteBuffer();
        assertThat(buffer.hasArray()).isTrue();
        assertThat(new int[] {buffer.position(), buffer.limit(), buffer.capacity()})
                .containsExactly(0, 2, 2);
        MemorySegment segment = in(message, Cut.WHOLE).readSegment();
        assertThat(segment.isNative()).isFalse();
        assertThat(segment.toArray(WireFormat.BYTE)).containsExactly(2, 3);
    }

    /** An object in an object in an object. */
    private static final class Chain implements Exportable, Importable {
        private final int length;
        private int read;

        Chain(int length) {
            this.length = length;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeBoolean(length > 1);
            if (length > 1) {
                exporter.writeObject(new Chain(length - 1));
            }
        }

        @Override
        public void importObject(Importer importer) {
            read = 1;
            if (importer.readBoolean()) {
                read += importer.readObject(() -> new Chain(0)).read;
            }
        }

        @Override
        public int sizeOfObject() {
            return length;
        }
    }

    /** Half of the stack that a thread has by default; a message may come to any thread. */
    @Test
    void shouldNestObjectsOnASmallStack() throws Exception {
        int most = Codec.NESTING_MAX;
        FutureTask<Integer> nested = new FutureTask<>(() -> {
            byte[] message = write(most, Cut.ONE_BYTE, e -> e.writeObject(new Chain(most)));
            return in(message, Cut.ONE_BYTE).readObject(() -> new Chain(0)).read;
        });
        new Thread(null, nested, "small-stack", 512 << 10).start();
        assertThat(nested.get(60, TimeUnit.SECONDS)).isEqualTo(most);
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void shouldNestObjectsAsDeepAsAllowedAndNoDeeper(Cut cut) {
        int most = Codec.NESTING_MAX;
        byte[] message = write(most, cut, e -> e.writeObject(new Chain(most)));
        assertThat(in(message, cut).readObject(() -> new Chain(0)).read).isEqualTo(most);

        Pieces.Out out = new Pieces(2 * most, true).out(cut, RANDOM);
        assertThatThrownBy(() -> out.writeObject(new Chain(most + 1)))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContainingAll("deeper than " + most, "Chain");
        out.writeObject(new Chain(1)); // the depth is back at 0

        byte[] deeper = new byte[2 * most];
        java.util.Arrays.fill(deeper, (byte) 1);
        assertMalformed(deeper, i -> i.readObject(() -> new Chain(0)), "at most " + most, "Chain");
    }
}
