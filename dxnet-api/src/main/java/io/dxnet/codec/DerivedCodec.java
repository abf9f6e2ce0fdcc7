package io.dxnet.codec;

import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import java.util.Objects;

/** A codec made of value codecs. */
record DerivedCodec<T>(Class<T> type, ValueCodec root, long schema, String describe) implements Codec<T> {
    @Override
    public void write(T value, Exporter to) {
        root.write(Objects.requireNonNull(value, "value"), to, 0);
    }

    @Override
    public int size(T value) {
        return root.size(Objects.requireNonNull(value, "value"), 0);
    }

    @Override
    @SuppressWarnings("unchecked") // the root is derived from the type
    public T read(Importer from) {
        try {
            return (T) Objects.requireNonNull(root.read(from, 0));
        } catch (MessageFormatException e) {
            throw e;
        } catch (RuntimeException e) { // of a constructor that checks its arguments, or of a key's hashCode
            throw new MessageFormatException(
                    "the message has values that " + type.getName() + " or a record in it refuses: " + e, e);
        }
    }

    /** Derived codecs of one class do the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof DerivedCodec<?> codec && type == codec.type && schema == codec.schema;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(schema);
    }

    @Override
    public String toString() {
        return "Codec of " + describe;
    }
}
