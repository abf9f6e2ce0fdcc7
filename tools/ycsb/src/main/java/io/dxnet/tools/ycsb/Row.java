package io.dxnet.tools.ycsb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * A record as it is stored and sent, its fields one after the other:
 *
 * <pre>
 *   0        2               2 + n     6 + n
 *   +--------+---------------+---------+---------------+
 *   | n      | name, UTF-8   | m       | value         |   big endian, n at most 65535
 *   +--------+---------------+---------+---------------+
 * </pre>
 */
final class Row {
    private static final int NAME_MAX = 0xFFFF;

    private Row() {}

    /** Writes fields; their iterators are used up. */
    static byte[] encode(Map<String, ByteIterator> fields) {
        Map<String, byte[]> plain = new LinkedHashMap<>();
        fields.forEach((name, value) -> plain.put(name, value.toArray()));
        return write(plain);
    }

    /**
     * Reads fields.
     *
     * @param wanted their names, or null for all
     * @param into gets them
     */
    static void decode(byte[] row, Set<String> wanted, Map<String, ByteIterator> into) {
        read(row).forEach((name, value) -> {
            if (wanted == null || wanted.contains(name)) {
                into.put(name, new ByteArrayByteIterator(value));
            }
        });
    }

    /** The old row with the fields of the new one in the place of its own. */
    static byte[] merge(byte[] old, byte[] changed) {
        Map<String, byte[]> fields = read(old);
        Map<String, byte[]> changedFields = read(changed);
        if (changedFields.keySet().containsAll(fields.keySet())) {
            return changed;
        }
        fields.putAll(changedFields);
        return write(fields);
    }

    private static byte[] write(Map<String, byte[]> fields) {
        Map<byte[], byte[]> encoded = new LinkedHashMap<>();
        int size = 0;
        for (Map.Entry<String, byte[]> field : fields.entrySet()) {
            byte[] name = field.getKey().getBytes(StandardCharsets.UTF_8);
            if (name.length > NAME_MAX) {
                throw new IllegalArgumentException("a field's name has " + name.length + " bytes: at most " + NAME_MAX);
            }
            encoded.put(name, field.getValue());
            size += Short.BYTES + name.length + Integer.BYTES + field.getValue().length;
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        encoded.forEach((name, value) -> buffer.putShort((short) name.length)
                .put(name)
                .putInt(value.length)
                .put(value));
        return buffer.array();
    }

    private static Map<String, byte[]> read(byte[] row) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        ByteBuffer buffer = ByteBuffer.wrap(row);
        while (buffer.hasRemaining()) {
            byte[] name = new byte[buffer.getShort() & NAME_MAX];
            buffer.get(name);
            byte[] value = new byte[buffer.getInt()];
            buffer.get(value);
            fields.put(new String(name, StandardCharsets.UTF_8), value);
        }
        return fields;
    }
}
