package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import org.jspecify.annotations.Nullable;

/** Puts a marker byte before a value: 0 is null, and 1 a value. */
record NullableCodec(ValueCodec inner) implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeBoolean(false);
        } else {
            to.writeBoolean(true);
            inner.write(value, to, depth);
        }
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return value == null ? 1 : Math.addExact(1, inner.size(value, depth));
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        return from.readBoolean() ? inner.read(from, depth) : null;
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    @Override
    public Extent extent() {
        return inner.extent().counted();
    }

    @Override
    public void describe(SchemaText text) {
        inner.describe(text);
    }
}
