package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of primitives. The importer compares their lengths with what the message still has.
 */
enum PrimitiveArray implements ValueCodec {
    BOOLEANS(boolean[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeBooleanArray((boolean[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofBooleanArray((boolean[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readBooleanArray();
        }
    },

    BYTES(byte[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeByteArray((byte[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofByteArray((byte[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readByteArray();
        }
    },

    SHORTS(short[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeShortArray((short[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofShortArray((short[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readShortArray();
        }
    },

    CHARS(char[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeCharArray((char[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofCharArray((char[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readCharArray();
        }
    },

    INTS(int[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeIntArray((int[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofIntArray((int[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readIntArray();
        }
    },

    LONGS(long[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeLongArray((long[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofLongArray((long[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readLongArray();
        }
    },

    FLOATS(float[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeFloatArray((float[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofFloatArray((float[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readFloatArray();
        }
    },

    DOUBLES(double[].class) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeDoubleArray((double[]) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofDoubleArray((double[]) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readDoubleArray();
        }
    };

    private static final Extent EXTENT = Extent.atLeast(1);

    private final Class<?> type;

    PrimitiveArray(Class<?> type) {
        this.type = type;
    }

    /** {@return the codec of an array of primitives} */
    static PrimitiveArray of(Class<?> type) {
        for (PrimitiveArray array : values()) {
            if (array.type == type) {
                return array;
            }
        }
        throw new AssertionError(type);
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    @Override
    public Extent extent() {
        return EXTENT;
    }

    @Override
    public void describe(SchemaText text) {
        text.append(type.getSimpleName());
    }
}
