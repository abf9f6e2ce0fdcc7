package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes the content of an optional; null stands for an empty one. */
record OptionalCodec(ValueCodec content) implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        content.write(((Optional<?>) Objects.requireNonNull(value)).orElse(null), to, depth);
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return content.size(((Optional<?>) Objects.requireNonNull(value)).orElse(null), depth);
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        return Optional.ofNullable(content.read(from, depth));
    }

    @Override
    public boolean acceptsNull() {
        return false;
    }

    @Override
    public Extent extent() {
        return content.extent();
    }

    @Override
    public void describe(SchemaText text) {
        text.append("Optional<");
        content.describe(text);
        text.append(">");
    }
}
