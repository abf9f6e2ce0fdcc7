package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import org.jspecify.annotations.Nullable;

/** Stands for a record or a family that is still being derived: where a type contains itself. */
final class LinkCodec implements ValueCodec {
    private final boolean acceptsNull;
    private ValueCodec target;

    @SuppressWarnings("NullAway.Init") // by target()
    LinkCodec(boolean acceptsNull) {
        this.acceptsNull = acceptsNull;
    }

    /** Called once, before the codec is published. */
    void target(ValueCodec codec) {
        target = codec;
    }

    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        target.write(value, to, depth);
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return target.size(value, depth);
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        return target.read(from, depth);
    }

    @Override
    public boolean acceptsNull() {
        return acceptsNull;
    }

    @Override
    public Extent extent() {
        return Extent.OF_RECURSION;
    }

    @Override
    public void describe(SchemaText text) {
        target.describe(text);
    }
}
