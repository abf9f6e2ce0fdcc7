package io.dxnet.transport.shm;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What an owner grants to a node that attaches: which part of which file, and the gate that it has
 * to pass. The name has no folder, as that of a {@link RingOffer}.
 *
 * <pre>
 *   0      8      16     24       32   36         40
 *  +------+------+------+--------+----+----------+-----------------------+
 *  |file  |offset|length|start   |gate|generation| name, ASCII, to the end|
 *  |bytes |      |      | ticks  |    |          |                       |
 *  +------+------+------+--------+----+----------+-----------------------+
 * </pre>
 *
 * @param fileBytes of the file
 * @param offset of the region in the file, bytes
 * @param length of the region, bytes
 * @param startTicks when the owner's process began: its id may be used again
 * @param gate its index
 * @param generation of the gate
 * @param name of the file
 */
record PageGrant(long fileBytes, long offset, long length, long startTicks, int gate, int generation, String name) {
    private static final int FIXED_BYTES = 40;

    /** {@return the bytes for the attaching node, little endian} */
    byte[] encode() {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(FIXED_BYTES + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(fileBytes)
                .putLong(offset)
                .putLong(length)
                .putLong(startTicks)
                .putInt(gate)
                .putInt(generation)
                .put(text)
                .array();
    }

    /**
     * Reads a grant.
     *
     * @param reply of an owner
     * @return the grant: its name leads to no other folder, its region is inside the file
     * @throws IOException when it is none
     */
    static PageGrant decode(byte[] reply) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
        PageGrant grant;
        try {
            grant = new PageGrant(
                    in.getLong(),
                    in.getLong(),
                    in.getLong(),
                    in.getLong(),
                    in.getInt(),
                    in.getInt(),
                    StandardCharsets.US_ASCII.decode(in).toString());
        } catch (BufferUnderflowException e) {
            throw new IOException("the owner grants no shared memory", e);
        }
        if (!RingOffer.isName(grant.name) || !PageLayout.isGate(grant.gate) || !grant.isInside()) {
            throw new IOException("the owner grants no shared memory of this version");
        }
        return grant;
    }

    private boolean isInside() {
        return offset >= PageLayout.MEMORY_OFFSET && length >= 0 && offset <= fileBytes && length <= fileBytes - offset;
    }
}
