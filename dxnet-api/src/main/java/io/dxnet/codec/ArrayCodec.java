package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of an array of objects.
 *
 * @param where names the array in errors
 */
record ArrayCodec(Class<?> elementType, ValueCodec element, Extent elementExtent, String where) implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeCompactInt(NULL);
            return;
        }
        Object[] array = (Object[]) value;
        to.writeCompactInt(array.length);
        for (Object item : array) {
            element.write(item, to, depth);
        }
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        if (value == null) {
            return 1;
        }
        Object[] array = (Object[]) value;
        int bytes = ObjectSize.ofCompactInt(array.length);
        for (Object item : array) {
            bytes = Math.addExact(bytes, element.size(item, depth));
        }
        return bytes;
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        int count = Lengths.read(from, elementExtent.bytesMin(), where);
        if (count == NULL) {
            return null;
        }
        Object[] array = (Object[]) Array.newInstance(elementType, Lengths.capacity(count, elementExtent));
        for (int i = 0; i < count; i++) {
            if (i == array.length) {
                array = Arrays.copyOf(array, Lengths.grown(i, count));
            }
            array[i] = element.read(from, depth);
        }
        return array;
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
        text.nullable(element);
        text.append("[]");
    }
}
