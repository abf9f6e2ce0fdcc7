package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value of a sealed interface: the index of its class among the
 * permitted ones, and the value.
 *
 * @param classes the permitted records and enums, in the order of declaration; those of
 *     a sealed interface in its place
 */
record FamilyCodec(Class<?> type, Class<?>[] classes, ValueCodec[] cases, Extent extent) implements ValueCodec {
    /** Most families are small: comparing a few classes is faster than any table. */
    private int tag(Object value) {
        Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        for (int tag = 0; tag < classes.length; tag++) {
            if (classes[tag] == type) {
                return tag;
            }
        }
        throw new AssertionError(type + " is not permitted by " + this.type);
    }

    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeCompactInt(NULL);
        } else {
            int tag = tag(value);
            to.writeCompactInt(tag);
            cases[tag].write(value, to, depth);
        }
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        if (value == null) {
            return 1;
        }
        int tag = tag(value);
        return Math.addExact(ObjectSize.ofCompactInt(tag), cases[tag].size(value, depth));
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        int tag = from.readCompactInt();
        if (tag < NULL || tag >= cases.length) {
            throw new MessageFormatException("expected a tag of sealed interface " + type.getName() + ", which has "
                    + cases.length + " cases, but it is " + tag + "; " + Lengths.left(from));
        }
        return tag == NULL ? null : cases[tag].read(from, depth);
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    private boolean isNameShared(int tag) {
        String name = classes[tag].getSimpleName();
        return Arrays.stream(classes)
                        .filter(each -> each.getSimpleName().equals(name))
                        .count()
                > 1;
    }

    @Override
    public void describe(SchemaText text) {
        if (text.open(this, type)) {
            text.append("<");
            for (int tag = 0; tag < cases.length; tag++) {
                text.append(tag == 0 ? "" : " | ").caseName(classes[tag], isNameShared(tag));
                cases[tag].describe(text);
            }
            text.append(">");
        }
    }
}
