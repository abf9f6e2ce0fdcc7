package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import org.jspecify.annotations.Nullable;

/** Writes the ordinal of an enum's constant. */
record EnumCodec(Class<?> type, Object[] constants) implements ValueCodec {
    private static final Extent EXTENT = Extent.atLeast(1);

    static EnumCodec of(Class<?> type) {
        return new EnumCodec(type, type.getEnumConstants());
    }

    private static int ordinal(@Nullable Object value) {
        return value == null ? NULL : ((Enum<?>) value).ordinal();
    }

    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        to.writeCompactInt(ordinal(value));
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        return ObjectSize.ofCompactInt(ordinal(value));
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        int ordinal = from.readCompactInt();
        if (ordinal < NULL || ordinal >= constants.length) {
            throw new MessageFormatException("expected an ordinal of enum " + type.getName() + ", which has "
                    + constants.length + " constants, but it is " + ordinal + "; " + Lengths.left(from));
        }
        return ordinal == NULL ? null : constants[ordinal];
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    @Override
    public Extent extent() {
        return EXTENT;
    }

    @Override
    public void describe(SchemaText text) {
        text.name(type, "enum");
        text.append("(");
        String separator = "";
        for (Object constant : constants) {
            text.append(separator).append(((Enum<?>) constant).name());
            separator = ", ";
        }
        text.append(")");
    }
}
