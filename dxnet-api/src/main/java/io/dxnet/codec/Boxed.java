package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The boxed primitives, which elements of collections have to be. */
enum Boxed implements ValueCodec {
    BOOLEAN(Boolean.class, Byte.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeBoolean((Boolean) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readBoolean();
        }
    },

    BYTE(Byte.class, Byte.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeByte((Byte) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readByte();
        }
    },

    SHORT(Short.class, Short.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeShort((Short) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readShort();
        }
    },

    CHARACTER(Character.class, Character.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeChar((Character) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readChar();
        }
    },

    INTEGER(Integer.class, Integer.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeInt((Integer) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readInt();
        }
    },

    LONG(Long.class, Long.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeLong((Long) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readLong();
        }
    },

    FLOAT(Float.class, Float.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeFloat((Float) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readFloat();
        }
    },

    DOUBLE(Double.class, Double.BYTES) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeDouble((Double) Objects.requireNonNull(value));
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readDouble();
        }
    };

    private final Class<?> type;
    private final Extent extent;

    Boxed(Class<?> type, int bytes) {
        this.type = type;
        this.extent = Extent.fixed(bytes);
    }

    /** {@return the codec of a type, or null when it is none of these} */
    static @Nullable Boxed of(Class<?> type) {
        for (Boxed boxed : values()) {
            if (boxed.type == type) {
                return boxed;
            }
        }
        return null;
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return extent.bytesMin();
    }

    @Override
    public boolean acceptsNull() {
        return false;
    }

    @Override
    public Extent extent() {
        return extent;
    }

    @Override
    public void describe(SchemaText text) {
        text.append(type.getSimpleName());
    }
}
