package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of a set, in its order, which the set that is read keeps.
 *
 * @param where names the set in errors
 * @param elementWhere names an element in errors
 */
record SetCodec(ValueCodec element, Extent elementExtent, String where, String elementWhere) implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeCompactInt(NULL);
            return;
        }
        Set<?> set = (Set<?>) value;
        int count = set.size();
        to.writeCompactInt(count);
        Iteration.write(set, count, element, elementWhere, to, depth);
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        if (value == null) {
            return 1;
        }
        Set<?> set = (Set<?>) value;
        int bytes = ObjectSize.ofCompactInt(set.size());
        return Math.addExact(
                bytes,
                elementExtent.isFixed()
                        ? Math.multiplyExact(set.size(), elementExtent.bytesMin())
                        : Iteration.size(set, element, elementWhere, depth));
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        int count = Lengths.read(from, elementExtent.bytesMin(), where);
        if (count <= 0) {
            return count == NULL ? null : Set.of();
        }
        Set<Object> set = LinkedHashSet.newLinkedHashSet(Lengths.capacity(count, elementExtent));
        for (int i = 0; i < count; i++) {
            if (!set.add(element.read(from, depth))) {
                throw new MessageFormatException("expected " + count + " different elements of " + where
                        + ", but element " + i + " repeats one; " + Lengths.left(from));
            }
        }
        return Collections.unmodifiableSet(set);
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    @Override
    public Extent extent() {
        return elementExtent.counted();
    }

    @Override
    public void describe(SchemaText text) {
        text.append("Set<");
        element.describe(text);
        text.append(">");
    }
}
