package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import org.jspecify.annotations.Nullable;

/**
 * Writes, measures and reads the values of one type. Implementations are immutable records,
 * enum constants or hidden classes, whose fields the just-in-time compiler trusts to be final.
 * Any thread may call any method.
 */
interface ValueCodec {
    /** The length, count, ordinal or tag that stands for null. */
    int NULL = -1;

    /**
     * Writes a value.
     *
     * @param value the value; null only where {@link #acceptsNull}
     * @param depth the number of records around it
     */
    void write(@Nullable Object value, Exporter to, int depth);

    /** {@return the number of bytes that {@link #write} writes} */
    int size(@Nullable Object value, int depth);

    /** {@return a value that {@link #write} wrote; null only where {@link #acceptsNull}} */
    @Nullable
    Object read(Importer from, int depth);

    /** {@return whether null is a value that this codec writes and reads} */
    boolean acceptsNull();

    /** {@return what is known of the size of every value} */
    Extent extent();

    /** Appends the schema of the type, without the mark of null. */
    void describe(SchemaText text);

    /** {@return a codec of the same type that writes and reads null too} */
    default ValueCodec nullable() {
        return acceptsNull() ? this : new NullableCodec(this);
    }
}
