package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types without parts of their own, boxed primitives apart. */
enum Scalar implements ValueCodec {
    STRING(String.class, Extent.atLeast(1)) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            to.writeString((String) value);
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return ObjectSize.ofString((String) value);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            return from.readString();
        }
    },

    BIG_INTEGER(BigInteger.class, Extent.atLeast(1)) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            BigInteger number = (BigInteger) value;
            if (number == null) {
                to.writeCompactInt(NULL);
            } else if (number.bitLength() < Long.SIZE) {
                writeLong(number.longValue(), bytes(number), to);
            } else {
                to.writeByteArray(number.toByteArray());
            }
        }

        /** Allocates nothing, which {@link BigInteger#toByteArray} does. */
        private static void writeLong(long bits, int bytes, Exporter to) {
            to.writeCompactInt(bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                to.writeByte((byte) (bits >> i * Byte.SIZE));
            }
        }

        private static int bytes(BigInteger number) {
            return number.bitLength() / Byte.SIZE + 1;
        }

        @Override
        public int size(@Nullable Object value, int depth) {
            return value == null ? 1 : ObjectSize.ofArray(bytes((BigInteger) value), 1);
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            byte[] bytes = from.readByteArray();
            if (bytes == null) {
                return null;
            }
            if (bytes.length == 0 || bytes.length > BIG_INTEGER_BYTES_MAX) {
                throw new MessageFormatException("expected a BigInteger of 1 to " + BIG_INTEGER_BYTES_MAX
                        + " bytes, but it has " + bytes.length + "; " + Lengths.left(from));
            }
            return new BigInteger(bytes);
        }
    },

    UUID_BITS(UUID.class, Extent.fixed(2 * Long.BYTES)) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            UUID uuid = (UUID) Objects.requireNonNull(value);
            to.writeLong(uuid.getMostSignificantBits());
            to.writeLong(uuid.getLeastSignificantBits());
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            long high = from.readLong();
            return new UUID(high, from.readLong());
        }
    },

    INSTANT(Instant.class, Extent.fixed(Long.BYTES + Integer.BYTES)) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            Instant instant = (Instant) Objects.requireNonNull(value);
            to.writeLong(instant.getEpochSecond());
            to.writeInt(instant.getNano());
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            long seconds = from.readLong();
            if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
                throw new MessageFormatException("expected an Instant, but " + seconds
                        + " s is before Instant.MIN or after Instant.MAX; " + Lengths.left(from));
            }
            return Instant.ofEpochSecond(seconds, nanos(from, "an Instant"));
        }
    },

    DURATION(Duration.class, Extent.fixed(Long.BYTES + Integer.BYTES)) {
        @Override
        public void write(@Nullable Object value, Exporter to, int depth) {
            Duration duration = (Duration) Objects.requireNonNull(value);
            to.writeLong(duration.getSeconds());
            to.writeInt(duration.getNano());
        }

        @Override
        public @Nullable Object read(Importer from, int depth) {
            long seconds = from.readLong();
            return Duration.ofSeconds(seconds, nanos(from, "a Duration"));
        }
    };

    /** What BigInteger itself can hold: 2^31 - 1 bits and a sign. */
    private static final int BIG_INTEGER_BYTES_MAX = 1 << 28;

    private static final int NANOS_MAX = 999_999_999;

    private final Class<?> type;
    private final Extent extent;

    Scalar(Class<?> type, Extent extent) {
        this.type = type;
        this.extent = extent;
    }

    /** {@return the codec of a type, or null when it is none of these} */
    static @Nullable Scalar of(Class<?> type) {
        for (Scalar scalar : values()) {
            if (scalar.type == type) {
                return scalar;
            }
        }
        return null;
    }

    private static int nanos(Importer from, String what) {
        int nanos = from.readInt();
        if (nanos < 0 || nanos > NANOS_MAX) {
            throw new MessageFormatException("expected the nanoseconds of " + what + ", 0 to " + NANOS_MAX
                    + ", but there are " + nanos + "; " + Lengths.left(from));
        }
        return nanos;
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return extent.bytesMin();
    }

    @Override
    public boolean acceptsNull() {
        return !extent.isFixed();
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
