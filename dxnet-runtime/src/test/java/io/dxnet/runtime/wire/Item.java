package io.dxnet.runtime.wire;

import io.dxnet.Exportable;
import io.dxnet.Exporter;
import io.dxnet.Importable;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * The kinds of items that {@link Exporter} can write, and objects that hold any of them.
 * Each kind has a generator of random values, its size, and its two directions.
 */
final class Item {
    interface Generator<T> {
        T next(Random random, int bytes);
    }

    interface Writer<T> {
        void write(Exporter exporter, T value);
    }

    interface Reader<T> {
        T read(Importer importer);
    }

    /** One kind of item: what writes it, what reads it, and how long it is. */
    record Kind<T>(String name, Generator<T> generator, ToIntFunction<T> size, Writer<T> writer, Reader<T> reader) {
        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Kind<?>> KINDS = kinds();

    private Item() {}

    /** An object with any number of items, nested ones among them. */
    static final class Tree implements Exportable, Importable {
        final List<Integer> kinds = new ArrayList<>();
        final List<Object> values = new ArrayList<>();

        /** Fills it with random items of about so many bytes, never more. */
        static Tree random(Random random, int bytesMax, int depth) {
            Tree tree = new Tree();
            int left = bytesMax - 5; // the count
            while (left >= 1) {
                int kind = random.nextInt(KINDS.size() + (depth > 0 ? 3 : 0));
                int share = 1 + random.nextInt(random.nextInt(4) == 0 ? left : Math.min(left, 64));
                Object value = kind >= KINDS.size()
                        ? random(random, share - 1, depth - 1)
                        : KINDS.get(kind).generator().next(random, share);
                int index = Math.min(kind, KINDS.size());
                int bytes = 1 + sizeOf(index, value);
                if (bytes > left) {
                    if (left < 16) {
                        break;
                    }
                    continue;
                }
                tree.kinds.add(index);
                tree.values.add(value);
                left -= bytes;
            }
            return tree;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeCompactInt(values.size());
            for (int i = 0; i < values.size(); i++) {
                exporter.writeByte(kinds.get(i).byteValue());
                write(exporter, kinds.get(i), values.get(i));
            }
        }

        @Override
        public void importObject(Importer importer) {
            int count = importer.readCompactInt();
            for (int i = 0; i < count; i++) {
                int kind = importer.readByte();
                if (kind < 0 || kind > KINDS.size()) {
                    throw new MessageFormatException("kind " + kind);
                }
                kinds.add(kind);
                values.add(
                        kind == KINDS.size()
                                ? importer.readObject(Tree::new)
                                : KINDS.get(kind).reader().read(importer));
            }
        }

        @Override
        public int sizeOfObject() {
            int bytes = ObjectSize.ofCompactInt(values.size());
            for (int i = 0; i < values.size(); i++) {
                bytes += 1 + sizeOf(kinds.get(i), values.get(i));
            }
            return bytes;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Tree that) || !kinds.equals(that.kinds)) {
                return false;
            }
            for (int i = 0; i < values.size(); i++) {
                if (!same(values.get(i), that.values.get(i))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            return kinds.hashCode();
        }

        @Override
        public String toString() {
            StringBuilder names = new StringBuilder("Tree of " + sizeOfObject() + " bytes:");
            for (int i = 0; i < Math.min(kinds.size(), 20); i++) {
                int kind = kinds.get(i);
                names.append(' ').append(kind == KINDS.size() ? "tree" : KINDS.get(kind));
            }
            return names.toString();
        }

        @SuppressWarnings("unchecked")
        private static void write(Exporter exporter, int kind, Object value) {
            if (kind == KINDS.size()) {
                exporter.writeObject((Tree) value);
            } else {
                ((Kind<Object>) KINDS.get(kind)).writer().write(exporter, value);
            }
        }

        @SuppressWarnings("unchecked")
        private static int sizeOf(int kind, Object value) {
            return kind == KINDS.size()
                    ? ((Tree) value).sizeOfObject()
                    : ((Kind<Object>) KINDS.get(kind)).size().applyAsInt(value);
        }
    }

    /** Equal to the last bit: floats with their NaNs' payloads, segments by content. */
    static boolean same(Object a, Object b) {
        if (a instanceof MemorySegment one && b instanceof MemorySegment other) {
            return one.mismatch(other) < 0;
        }
        if (a instanceof Float one && b instanceof Float other) {
            return Float.floatToRawIntBits(one) == Float.floatToRawIntBits(other);
        }
        if (a instanceof Double one && b instanceof Double other) {
            return Double.doubleToRawLongBits(one) == Double.doubleToRawLongBits(other);
        }
        if (a == null || b == null || !a.getClass().isArray()) {
            return Objects.equals(a, b);
        }
        return switch (a) {
            case boolean[] items -> b instanceof boolean[] other && java.util.Arrays.equals(items, other);
            case char[] items -> b instanceof char[] other && java.util.Arrays.equals(items, other);
            default -> a.getClass() == b.getClass() && segment(a).mismatch(segment(b)) < 0;
        };
    }

    private static MemorySegment segment(Object array) {
        return switch (array) {
            case byte[] items -> MemorySegment.ofArray(items);
            case short[] items -> MemorySegment.ofArray(items);
            case int[] items -> MemorySegment.ofArray(items);
            case long[] items -> MemorySegment.ofArray(items);
            case float[] items -> MemorySegment.ofArray(items);
            case double[] items -> MemorySegment.ofArray(items);
            default -> throw new AssertionError(array.getClass());
        };
    }

    // ---------------------------------------------------------------- the kinds

    private static List<Kind<?>> kinds() {
        List<Kind<?>> kinds = new ArrayList<>();
        add(kinds, "boolean", (r, n) -> r.nextBoolean(), v -> 1, Exporter::writeBoolean, Importer::readBoolean);
        add(kinds, "byte", (r, n) -> (byte) r.nextInt(), v -> 1, Exporter::writeByte, Importer::readByte);
        add(kinds, "short", (r, n) -> (short) r.nextInt(), v -> 2, Exporter::writeShort, Importer::readShort);
        add(kinds, "char", (r, n) -> (char) r.nextInt(), v -> 2, Exporter::writeChar, Importer::readChar);
        add(kinds, "int", (r, n) -> r.nextInt(), v -> 4, Exporter::writeInt, Importer::readInt);
        add(kinds, "long", (r, n) -> r.nextLong(), v -> 8, Exporter::writeLong, Importer::readLong);
        add(
                kinds,
                "float",
                (r, n) -> Float.intBitsToFloat(r.nextInt()),
                v -> 4,
                Exporter::writeFloat,
                Importer::readFloat);
        add(
                kinds,
                "double",
                (r, n) -> Double.longBitsToDouble(r.nextLong()),
                v -> 8,
                Exporter::writeDouble,
                Importer::readDouble);
        add(
                kinds,
                "compactInt",
                (r, n) -> r.nextInt() >> r.nextInt(32),
                ObjectSize::ofCompactInt,
                Exporter::writeCompactInt,
                Importer::readCompactInt);
        add(
                kinds,
                "compactLong",
                (r, n) -> r.nextLong() >> r.nextInt(64),
                ObjectSize::ofCompactLong,
                Exporter::writeCompactLong,
                Importer::readCompactLong);
        add(
                kinds,
                "string",
                (r, n) -> r.nextInt(8) == 0 ? null : string(r, n),
                ObjectSize::ofString,
                Exporter::writeString,
                Importer::readString);
        arrays(kinds);
        buffers(kinds);
        return List.copyOf(kinds);
    }

    private static <T> void add(
            List<Kind<?>> kinds, String name, Generator<T> generator, ToIntFunction<T> size, Writer<T> w, Reader<T> r) {
        kinds.add(new Kind<>(name, generator, size, w, r));
    }

    private static void arrays(List<Kind<?>> kinds) {
        array(
                kinds,
                new Overloads<>(
                        1,
                        boolean[]::new,
                        ObjectSize::ofBooleanArray,
                        Exporter::writeBooleanArray,
                        Exporter::writeBooleanArray,
                        Exporter::writeBooleans,
                        Exporter::writeBooleans,
                        Importer::readBooleanArray,
                        Importer::readBooleans,
                        Importer::readBooleans));
        array(
                kinds,
                new Overloads<>(
                        1,
                        byte[]::new,
                        ObjectSize::ofByteArray,
                        Exporter::writeByteArray,
                        Exporter::writeByteArray,
                        Exporter::writeBytes,
                        Exporter::writeBytes,
                        Importer::readByteArray,
                        Importer::readBytes,
                        Importer::readBytes));
        array(
                kinds,
                new Overloads<>(
                        2,
                        short[]::new,
                        ObjectSize::ofShortArray,
                        Exporter::writeShortArray,
                        Exporter::writeShortArray,
                        Exporter::writeShorts,
                        Exporter::writeShorts,
                        Importer::readShortArray,
                        Importer::readShorts,
                        Importer::readShorts));
        array(
                kinds,
                new Overloads<>(
                        2,
                        char[]::new,
                        ObjectSize::ofCharArray,
                        Exporter::writeCharArray,
                        Exporter::writeCharArray,
                        Exporter::writeChars,
                        Exporter::writeChars,
                        Importer::readCharArray,
                        Importer::readChars,
                        Importer::readChars));
        array(
                kinds,
                new Overloads<>(
                        4,
                        int[]::new,
                        ObjectSize::ofIntArray,
                        Exporter::writeIntArray,
                        Exporter::writeIntArray,
                        Exporter::writeInts,
                        Exporter::writeInts,
                        Importer::readIntArray,
                        Importer::readInts,
                        Importer::readInts));
        array(
                kinds,
                new Overloads<>(
                        8,
                        long[]::new,
                        ObjectSize::ofLongArray,
                        Exporter::writeLongArray,
                        Exporter::writeLongArray,
                        Exporter::writeLongs,
                        Exporter::writeLongs,
                        Importer::readLongArray,
                        Importer::readLongs,
                        Importer::readLongs));
        array(
                kinds,
                new Overloads<>(
                        4,
                        float[]::new,
                        ObjectSize::ofFloatArray,
                        Exporter::writeFloatArray,
                        Exporter::writeFloatArray,
                        Exporter::writeFloats,
                        Exporter::writeFloats,
                        Importer::readFloatArray,
                        Importer::readFloats,
                        Importer::readFloats));
        array(
                kinds,
                new Overloads<>(
                        8,
                        double[]::new,
                        ObjectSize::ofDoubleArray,
                        Exporter::writeDoubleArray,
                        Exporter::writeDoubleArray,
                        Exporter::writeDoubles,
                        Exporter::writeDoubles,
                        Importer::readDoubleArray,
                        Importer::readDoubles,
                        Importer::readDoubles));
    }

    interface RangeWriter<A> {
        void write(Exporter exporter, A array, int offset, int length);
    }

    interface RangeReader<A> {
        void read(Importer importer, A array, int offset, int length);
    }

    interface Filler<A> {
        void read(Importer importer, A array);
    }

    /** All that the two interfaces have for one type of array. */
    record Overloads<A>(
            int itemBytes,
            IntFunction<A> maker,
            ToIntFunction<A> size,
            Writer<A> array,
            RangeWriter<A> arrayRange,
            Writer<A> items,
            RangeWriter<A> itemsRange,
            Reader<A> readArray,
            Filler<A> readItems,
            RangeReader<A> readItemsRange) {}

    private static <A> void array(List<Kind<?>> kinds, Overloads<A> o) {
        String name = o.maker().apply(0).getClass().getSimpleName();
        Generator<A> some = (r, n) -> randomArray(r, o.maker().apply(count(r, n, o.itemBytes())));
        ToIntFunction<A> size = v -> {
            int bytes = o.size().applyAsInt(v);
            int length = v == null ? 0 : Array.getLength(v);
            if (v != null && bytes != ObjectSize.ofArray(length, o.itemBytes())) {
                throw new AssertionError(name + ": the two ways to get its size differ");
            }
            return bytes;
        };
        add(kinds, name, (r, n) -> r.nextInt(8) == 0 ? null : some.next(r, n), size, o.array(), o.readArray());
        add(
                kinds,
                name + " range",
                some,
                size,
                (e, v) -> {
                    int length = Array.getLength(v);
                    A wider = o.maker().apply(length + 5);
                    System.arraycopy(v, 0, wider, 3, length);
                    o.arrayRange().write(e, wider, 3, length);
                },
                o.readArray());
        // The reader has to know the length: it is written before.
        add(
                kinds,
                name + " items",
                some,
                size,
                (e, v) -> {
                    e.writeCompactInt(Array.getLength(v));
                    o.items().write(e, v);
                },
                i -> {
                    A array = o.maker().apply(believed(i, o.itemBytes()));
                    o.readItems().read(i, array);
                    return array;
                });
        add(
                kinds,
                name + " items range",
                some,
                size,
                (e, v) -> {
                    int length = Array.getLength(v);
                    A wider = o.maker().apply(length + 2);
                    System.arraycopy(v, 0, wider, 1, length);
                    e.writeCompactInt(length);
                    o.itemsRange().write(e, wider, 1, length);
                },
                i -> {
                    int length = believed(i, o.itemBytes());
                    A wider = o.maker().apply(length + 2);
                    o.readItemsRange().read(i, wider, 1, length);
                    A array = o.maker().apply(length);
                    System.arraycopy(wider, 1, array, 0, length);
                    return array;
                });
    }

    /** A length from the wire, checked as an application has to that allocates by itself. */
    private static int believed(Importer importer, int itemBytes) {
        int length = importer.readCompactInt();
        if (length < 0 || (long) length * itemBytes > importer.remaining()) {
            throw new MessageFormatException("length " + length);
        }
        return length;
    }

    private static void buffers(List<Kind<?>> kinds) {
        Generator<ByteBuffer> buffer = (r, n) -> {
            byte[] bytes = randomArray(r, new byte[count(r, n, 1) + 2]);
            ByteBuffer all = r.nextBoolean()
                    ? ByteBuffer.wrap(bytes)
                    : ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            ByteBuffer some = all.position(1).limit(bytes.length - 1);
            return switch (r.nextInt(3)) {
                case 0 -> some;
                case 1 -> some.slice();
                default -> some.asReadOnlyBuffer();
            };
        };
        add(kinds, "ByteBuffer", buffer, ObjectSize::ofByteBuffer, Exporter::writeByteBuffer, Importer::readByteBuffer);
        add(
                kinds,
                "ByteBuffer items",
                buffer,
                ObjectSize::ofByteBuffer,
                (e, v) -> {
                    e.writeCompactInt(v.remaining());
                    e.writeBytes(v);
                },
                i -> {
                    int length = believed(i, 1);
                    ByteBuffer wider =
                            length % 2 == 0 ? ByteBuffer.allocate(length + 2) : ByteBuffer.allocateDirect(length + 2);
                    ByteBuffer into = wider.position(1).limit(length + 1).slice();
                    i.readBytes(into);
                    if (into.hasRemaining()) {
                        throw new AssertionError("a filled buffer has " + into.remaining() + " bytes remaining");
                    }
                    return into.flip();
                });
        Generator<MemorySegment> segment = (r, n) -> {
            byte[] bytes = randomArray(r, new byte[count(r, n, 1)]);
            MemorySegment heap = MemorySegment.ofArray(bytes);
            return r.nextBoolean()
                    ? heap
                    : Arena.ofAuto().allocate(bytes.length + 1).asSlice(1).copyFrom(heap);
        };
        add(kinds, "segment", segment, ObjectSize::ofSegment, Exporter::writeSegment, Importer::readSegment);
        add(
                kinds,
                "segment items",
                segment,
                ObjectSize::ofSegment,
                (e, v) -> {
                    e.writeCompactInt((int) v.byteSize());
                    e.writeBytes(v);
                },
                i -> {
                    int length = believed(i, 1);
                    MemorySegment into =
                            MemorySegment.ofArray(new byte[length + 1]).asSlice(1);
                    i.readBytes(into);
                    return into;
                });
        add(
                kinds,
                "part of a segment",
                segment,
                ObjectSize::ofSegment,
                (e, v) -> {
                    long before = v.byteSize() % 5;
                    MemorySegment wider = MemorySegment.ofArray(new byte[(int) (v.byteSize() + before + 3)]);
                    MemorySegment.copy(v, 0, wider, before, v.byteSize());
                    e.writeCompactInt((int) v.byteSize());
                    e.writeBytes(wider, before, v.byteSize());
                },
                i -> {
                    int length = believed(i, 1);
                    MemorySegment into = MemorySegment.ofArray(new byte[length + 2]);
                    i.readBytes(into, 1, length);
                    if (into.get(ValueLayout.JAVA_BYTE, 0) != 0 || into.get(ValueLayout.JAVA_BYTE, length + 1) != 0) {
                        throw new AssertionError("bytes beside the part were written");
                    }
                    return into.asSlice(1, length);
                });
    }

    private static int count(Random random, int bytes, int itemBytes) {
        return random.nextInt(Math.max(1, bytes - 5) / itemBytes + 1);
    }

    private static <A> A randomArray(Random random, A array) {
        switch (array) {
            case byte[] items -> random.nextBytes(items);
            case boolean[] items -> {
                for (int i = 0; i < items.length; i++) {
                    items[i] = random.nextBoolean();
                }
            }
            case char[] items -> {
                for (int i = 0; i < items.length; i++) {
                    items[i] = (char) random.nextInt();
                }
            }
            default -> {
                MemorySegment items = segment(array);
                byte[] bytes = new byte[(int) items.byteSize()];
                random.nextBytes(bytes);
                items.copyFrom(MemorySegment.ofArray(bytes));
            }
        }
        return array;
    }

    /** A string without unpaired surrogates, which would not come back equal. */
    private static String string(Random random, int bytes) {
        int chars = random.nextInt(Math.max(1, (bytes - 5) / 4) + 1);
        int highest = new int[] {0x7F, 0xFF, 0x7FF, 0xD7FF, Character.MAX_CODE_POINT}[random.nextInt(5)];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < chars; i++) {
            int codePoint = random.nextInt(highest + 1);
            text.appendCodePoint(codePoint >= 0xD800 && codePoint <= 0xDFFF ? '?' : codePoint);
        }
        return text.toString();
    }
}
