package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;

/**
 * Writes the elements of a list. A list with {@link RandomAccess} is walked by index, so that sending it allocates nothing.
 *
 * @param elements reads the elements
 */
record ListCodec(ValueCodec element, ArrayCodec elements) implements ValueCodec {
    @Override
    public void write(Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeCompactInt(NULL);
            return;
        }
        List<?> list = (List<?>) value;
        int count = list.size();
        to.writeCompactInt(count);
        if (!(list instanceof RandomAccess)) {
            Iteration.write(list, count, element, to, depth);
            return;
        }
        for (int i = 0; i < count; i++) {
            element.write(list.get(i), to, depth);
        }
    }

    @Override
    public int size(Object value, int depth) {
        if (value == null) {
            return 1;
        }
        List<?> list = (List<?>) value;
        int count = list.size();
        int bytes = ObjectSize.ofCompactInt(count);
        if (!(list instanceof RandomAccess)) {
            return Math.addExact(bytes, Iteration.size(list, element, depth));
        }
        for (int i = 0; i < count; i++) {
            bytes = Math.addExact(bytes, element.size(list.get(i), depth));
        }
        return bytes;
    }

    @Override
    public Object read(Importer from, int depth) {
        int count = Lengths.read(from, elements.elementExtent().bytesMin(), elements.where());
        return switch (count) {
            case NULL -> null;
            case 0 -> List.of();
            default -> Collections.unmodifiableList(Arrays.asList(elements.read(count, from, depth)));
        };
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    @Override
    public Extent extent() {
        return elements.extent();
    }

    @Override
    public void describe(SchemaText text) {
        text.append("List<");
        element.describe(text);
        text.append(">");
    }
}
