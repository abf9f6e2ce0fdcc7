package io.dxnet.tools.ycsb;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The content of a slot of the published records, big endian:
 *
 * <pre>
 *   0        2         6           6 + k         6 + k + r
 *   +--------+---------+-----------+-------------+---------+
 *   | k      | r       | key, UTF-8| row         | unused  |
 *   +--------+---------+-----------+-------------+---------+
 *
 *   k  0: the slot is free
 *   r -1: the row has no room here, the storage node has it
 * </pre>
 */
final class Slot {
    /** What a reader finds in a slot. */
    enum Content {
        /** No record. */
        FREE,
        /** The record of another key. */
        OTHER_KEY,
        /** The record of the key. */
        ROW,
        /** The record of the key, which has no room in the slot. */
        LARGE_ROW
    }

    private static final int KEY_AT = Short.BYTES + Integer.BYTES;
    private static final int KEY_MAX = 0xFFFF;
    private static final int LARGE = -1;

    private Slot() {}

    /** {@return whether a slot can hold a key, its row perhaps not} */
    static boolean fits(byte[] key, int slotBytes) {
        return key.length <= Math.min(KEY_MAX, slotBytes - KEY_AT);
    }

    /** {@return the content of the slot of a key that fits} */
    static byte[] of(byte[] key, byte[] row, int slotBytes) {
        boolean isLarge = row.length > slotBytes - KEY_AT - key.length;
        ByteBuffer slot = ByteBuffer.allocate(slotBytes);
        slot.putShort((short) key.length).putInt(isLarge ? LARGE : row.length).put(key);
        if (!isLarge) {
            slot.put(row);
        }
        return slot.array();
    }

    /** Compares the key of a slot. */
    static Content content(byte[] slot, byte[] key) {
        int length = keyLength(slot);
        if (length == 0) {
            return Content.FREE;
        }
        if (!Arrays.equals(slot, KEY_AT, KEY_AT + length, key, 0, key.length)) {
            return Content.OTHER_KEY;
        }
        return rowLength(slot) == LARGE ? Content.LARGE_ROW : Content.ROW;
    }

    /** {@return the row of a slot that has one} */
    static byte[] row(byte[] slot) {
        int from = KEY_AT + keyLength(slot);
        return Arrays.copyOfRange(slot, from, from + rowLength(slot));
    }

    private static int keyLength(byte[] slot) {
        return ByteBuffer.wrap(slot).getShort() & KEY_MAX;
    }

    private static int rowLength(byte[] slot) {
        return ByteBuffer.wrap(slot).getInt(Short.BYTES);
    }
}
