package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.MessagingUsageException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses null where the type's own encoding would allow it.
 *
 * @param where names the value in errors
 */
record Required(ValueCodec inner, String where) implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        inner.write(present(value, where), to, depth);
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return inner.size(present(value, where), depth);
    }

    /** {@return the value, which is not null} */
    static Object present(@Nullable Object value, String where) {
        if (value == null) {
            throw new MessagingUsageException(
                    where + " is null: only a component and an element of an array may be null");
        }
        return value;
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        Object value = inner.read(from, depth);
        if (value == null) {
            throw new MessageFormatException(
                    "expected " + where + ", which cannot be null, but it is null; " + Lengths.left(from));
        }
        return value;
    }

    @Override
    public boolean acceptsNull() {
        return false;
    }

    @Override
    public Extent extent() {
        return inner.extent();
    }

    @Override
    public void describe(SchemaText text) {
        inner.describe(text);
    }
}
