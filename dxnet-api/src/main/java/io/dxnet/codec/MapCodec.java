package io.dxnet.codec;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of a map, in its order, which the map that is read keeps.
 *
 * @param where names the map in errors
 * @param keyWhere names a key in errors
 * @param contentWhere names a value in errors
 */
record MapCodec(
        ValueCodec key, ValueCodec content, Extent entryExtent, String where, String keyWhere, String contentWhere)
        implements ValueCodec {
    @Override
    public void write(@Nullable Object value, Exporter to, int depth) {
        if (value == null) {
            to.writeCompactInt(NULL);
            return;
        }
        Map<?, ?> map = (Map<?, ?>) value;
        int count = map.size();
        to.writeCompactInt(count);
        int written = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            key.write(Required.present(entry.getKey(), keyWhere), to, depth);
            content.write(Required.present(entry.getValue(), contentWhere), to, depth);
            written++;
        }
        Iteration.check(count, written);
    }

    @Override
    public int size(@Nullable Object value, int depth) {
        if (value == null) {
            return 1;
        }
        Map<?, ?> map = (Map<?, ?>) value;
        int bytes = ObjectSize.ofCompactInt(map.size());
        if (entryExtent.isFixed()) {
            return Math.addExact(bytes, Math.multiplyExact(map.size(), entryExtent.bytesMin()));
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            bytes = Math.addExact(bytes, key.size(Required.present(entry.getKey(), keyWhere), depth));
            bytes = Math.addExact(bytes, content.size(Required.present(entry.getValue(), contentWhere), depth));
        }
        return bytes;
    }

    @Override
    public @Nullable Object read(Importer from, int depth) {
        int count = Lengths.read(from, entryExtent.bytesMin(), where);
        if (count <= 0) {
            return count == NULL ? null : Map.of();
        }
        Map<Object, Object> map = LinkedHashMap.newLinkedHashMap(Lengths.capacity(count, entryExtent));
        for (int i = 0; i < count; i++) {
            Object entryKey = key.read(from, depth);
            if (map.put(entryKey, content.read(from, depth)) != null) {
                throw new MessageFormatException("expected " + count + " different keys of " + where + ", but key " + i
                        + " repeats one; " + Lengths.left(from));
            }
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public boolean acceptsNull() {
        return true;
    }

    @Override
    public Extent extent() {
        return entryExtent.counted();
    }

    @Override
    public void describe(SchemaText text) {
        text.append("Map<");
        key.describe(text);
        text.append(", ");
        content.describe(text);
        text.append(">");
    }
}
