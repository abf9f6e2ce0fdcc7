package io.dxnet.runtime.wire;

import io.dxnet.Exportable;
import io.dxnet.Exporter;
import io.dxnet.Importable;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * An object whose bytes define what is to be read. A byte names an
 * operation of the importer, its item follows, and so on to the end of the
 * message. Every sequence of reads is thus a sequence of bytes.
 */
public final class Script implements Importable, Exportable {
    /** One operation and its opposite. */
    private record Operation(Function<Importer, Object> read, BiConsumer<Exporter, Object> write) {}

    /** What was read. */
    record Item(int operation, Object value) {}

    private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(255);

    /**
     * The operations. Where the reader has to know the
     * length, a byte before the items holds their number.
     */
    private static final List<Operation> OPERATIONS = List.of(
            new Operation(Importer::readBoolean, (e, v) -> e.writeBoolean((boolean) v)),
            new Operation(Importer::readByte, (e, v) -> e.writeByte((byte) v)),
            new Operation(Importer::readShort, (e, v) -> e.writeShort((short) v)),
            new Operation(Importer::readChar, (e, v) -> e.writeChar((char) v)),
            new Operation(Importer::readInt, (e, v) -> e.writeInt((int) v)),
            new Operation(Importer::readLong, (e, v) -> e.writeLong((long) v)),
            new Operation(Importer::readFloat, (e, v) -> e.writeFloat((float) v)),
            new Operation(Importer::readDouble, (e, v) -> e.writeDouble((double) v)),
            new Operation(Importer::readCompactInt, (e, v) -> e.writeCompactInt((int) v)),
            new Operation(Importer::readCompactLong, (e, v) -> e.writeCompactLong((long) v)),
            new Operation(Importer::readString, (e, v) -> e.writeString((String) v)),
            new Operation(Importer::readBooleanArray, (e, v) -> e.writeBooleanArray((boolean[]) v)),
            new Operation(Importer::readByteArray, (e, v) -> e.writeByteArray((byte[]) v)),
            new Operation(Importer::readShortArray, (e, v) -> e.writeShortArray((short[]) v)),
            new Operation(Importer::readCharArray, (e, v) -> e.writeCharArray((char[]) v)),
            new Operation(Importer::readIntArray, (e, v) -> e.writeIntArray((int[]) v)),
            new Operation(Importer::readLongArray, (e, v) -> e.writeLongArray((long[]) v)),
            new Operation(Importer::readFloatArray, (e, v) -> e.writeFloatArray((float[]) v)),
            new Operation(Importer::readDoubleArray, (e, v) -> e.writeDoubleArray((double[]) v)),
            new Operation(Importer::readByteBuffer, (e, v) -> e.writeByteBuffer((ByteBuffer) v)),
            new Operation(
                    i -> i.readSegment().toArray(ValueLayout.JAVA_BYTE),
                    (e, v) -> e.writeSegment(MemorySegment.ofArray((byte[]) v))),
            new Operation(i -> i.readObject(() -> new Script()).items, (e, v) -> e.writeObject(new Script(items(v)))),
            new Operation(
                    i -> {
                        boolean[] array = new boolean[count(i)];
                        i.readBooleans(array, 0, array.length);
                        return array;
                    },
                    (e, v) -> {
                        e.writeByte((byte) ((boolean[]) v).length);
                        e.writeBooleans((boolean[]) v);
                    }),
            new Operation(
                    i -> {
                        int[] array = new int[count(i)];
                        i.readInts(array, 0, array.length);
                        return array;
                    },
                    (e, v) -> {
                        e.writeByte((byte) ((int[]) v).length);
                        e.writeInts((int[]) v);
                    }),
            new Operation(
                    i -> {
                        double[] array = new double[count(i)];
                        i.readDoubles(array, 0, array.length);
                        return array;
                    },
                    (e, v) -> {
                        e.writeByte((byte) ((double[]) v).length);
                        e.writeDoubles((double[]) v);
                    }),
            new Operation(
                    i -> {
                        byte[] array = new byte[count(i)];
                        i.readBytes(MemorySegment.ofArray(array));
                        return array;
                    },
                    Script::writeBytes),
            new Operation(
                    i -> {
                        ByteBuffer direct = DIRECT.clear().limit(count(i));
                        i.readBytes(direct);
                        byte[] array = new byte[direct.flip().remaining()];
                        direct.get(array);
                        return array;
                    },
                    Script::writeBytes));

    final List<Item> items;

    /** An empty one, to be imported. */
    public Script() {
        this(new ArrayList<>());
    }

    private Script(List<Item> items) {
        this.items = items;
    }

    @SuppressWarnings("unchecked")
    private static List<Item> items(Object value) {
        return (List<Item>) value;
    }

    private static int count(Importer importer) {
        return importer.readByte() & 0xFF;
    }

    private static void writeBytes(Exporter exporter, Object value) {
        exporter.writeByte((byte) ((byte[]) value).length);
        exporter.writeBytes((byte[]) value);
    }

    /** {@return how many items were read} */
    public int size() {
        return items.size();
    }

    /** The number of operations. */
    static int operations() {
        return OPERATIONS.size();
    }

    @Override
    public void importObject(Importer importer) {
        while (importer.remaining() > 0) {
            int operation = importer.readByte();
            if (operation < 0 || operation >= OPERATIONS.size()) {
                throw new MessageFormatException("there is no operation " + operation);
            }
            items.add(new Item(operation, OPERATIONS.get(operation).read().apply(importer)));
        }
    }

    @Override
    public void exportObject(Exporter exporter) {
        for (Item item : items) {
            exporter.writeByte((byte) item.operation());
            OPERATIONS.get(item.operation()).write().accept(exporter, item.value());
        }
    }

    @Override
    public int sizeOfObject() {
        throw new UnsupportedOperationException("not known before");
    }

    /**
     * Whether the same was read: NaN is NaN, arrays are
     * compared by content, a wrapped array as what it holds.
     */
    static boolean isSame(List<Item> some, List<Item> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            Item one = some.get(i);
            Item other = others.get(i);
            boolean nested = one.value() instanceof List<?> && other.value() instanceof List<?>;
            if (one.operation() != other.operation()
                    || !(nested
                            ? isSame(items(one.value()), items(other.value()))
                            : java.util.Objects.deepEquals(one.value(), other.value()))) {
                return false;
            }
        }
        return true;
    }
}
