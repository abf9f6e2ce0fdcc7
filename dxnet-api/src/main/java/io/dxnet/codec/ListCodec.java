package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of a list. A list with {@link RandomAccess} is walked by index, so
 * that sending it allocates nothing.
 *
 * @param where names the list in errors
 * @param elementWhere names an element in errors
 */
record ListCodec(ValueCodec element, Extent elementExtent, String where, String elementWhere) implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeCompactInt(NULL);
            return;
        }
        List<?> list = (List<?>) value;
        int count = list.size();
        to.writeCompactInt(count);
        if (!(list instanceof RandomAccess)) {
            Iteration.write(list, count, element, elementWhere, to, depth);
            return;
        }
        for (int i = 0; i < count; i++) {
            element.write(Required.present(list.get(i), elementWhere), to, depth);
        }
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        if (value == null) {
            return 1;
        }
        List<?> list = (List<?>) value;
        int count = list.size();
        int bytes = ObjectSize.ofCompactInt(count);
        if (elementExtent.isFixed()) {
            return Math.addExact(bytes, Math.multiplyExact(count, elementExtent.bytesMin()));
        }
        if (!(list instanceof RandomAccess)) {
            return Math.addExact(bytes, Iteration.size(list, element, elementWhere, depth));
        }
        for (int i = 0; i < count; i++) {
            bytes = Math.addExact(bytes, element.size(Required.present(list.get(i), elementWhere), depth));
        }
        return bytes;
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        int count = Lengths.read(from, elementExtent.bytesMin(), where);
        if (count <= 0) {
            return count == NULL ? null : List.of();
        }
        Object[] items = new Object[Lengths.capacity(count, elementExtent)];
        for (int i = 0; i < count; i++) {
            if (i == items.length) {
                items = Arrays.copyOf(items, Lengths.grown(i, count));
            }
            items[i] = element.read(from, depth);
        }
        return Collections.unmodifiableList(Arrays.asList(items));
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
        text.append("List<");
        element.describe(text);
        text.append(">");
    }
}
