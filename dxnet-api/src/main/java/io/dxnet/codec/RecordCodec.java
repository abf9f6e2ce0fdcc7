package io.dxnet.codec;

import io.dxnet.Codec;
import io.dxnet.MessageFormatException;
import io.dxnet.MessagingUsageException;

/** Writes the components of a record. {@link RecordClass} defines a subclass for each record. */
abstract class RecordCodec implements ValueCodec {
    private final RecordShape shape;

    RecordCodec(RecordShape shape) {
        this.shape = shape;
    }

    /** {@return the depth of this record's components, when the record is measured or written} */
    final int sending(int depth) {
        if (depth >= Codec.NESTING_MAX) {
            throw new MessagingUsageException(
                    "records are nested deeper than " + Codec.NESTING_MAX + ", the last one a "
                            + shape.type().getName() + ": send no cycles, and send long chains as a List");
        }
        return depth + 1;
    }

    /** {@return the depth of this record's components, when the record is read} */
    final int receiving(int depth) {
        if (depth >= Codec.NESTING_MAX) {
            throw new MessageFormatException("expected records nested at most " + Codec.NESTING_MAX
                    + " deep, but there is a " + shape.type().getName() + " inside");
        }
        return depth + 1;
    }

    @Override
    public final boolean acceptsNull() {
        return false;
    }

    @Override
    public final Extent extent() {
        return shape.extent();
    }

    @Override
    public final void describe(SchemaText text) {
        if (text.open(this, shape.type())) {
            text.append("{");
            String separator = "";
            for (RecordShape.Component component : shape.components()) {
                text.append(separator).append(component.name()).append(": ");
                if (component.codec() == null) {
                    text.append(component.type().getName());
                } else {
                    text.nullable(component.codec());
                }
                separator = ", ";
            }
            text.append("}");
        }
    }
}
