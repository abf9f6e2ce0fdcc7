package io.dxnet.codec;

import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A codec of two functions.
 *
 * @param <T> the type of the values
 * @param writer writes a value
 * @param reader reads a value
 */
public record HandWritten<T>(
        BiConsumer<? super T, ? super Exporter> writer, Function<? super Importer, ? extends T> reader)
        implements Codec<T> {
    @Override
    public void write(T value, Exporter to) {
        writer.accept(value, to);
    }

    @Override
    public T read(Importer from) {
        return reader.apply(from);
    }

    @Override
    public String toString() {
        return "Codec " + describe();
    }
}
