package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the owner of memory replies; little endian.
 *
 * <pre>
 *    0               2               4               6               8
 *   +---------------+---------------+---------------+---------------+
 * 0 |  the owner's queue pair, as in a request, 32 bytes ...        |
 *   +---------------------------------------------------------------+
 * 32|  address of the first byte                                    |
 *   +---------------------------------------------------------------+
 * 40|  length, bytes                                                |
 *   +-------------------------------+-------------------------------+
 * 48|  remote key                   |
 *   +-------------------------------+
 * </pre>
 *
 * @param pair the owner's queue pair
 * @param base the address of the first byte
 * @param length of the memory, bytes
 * @param key the remote key
 */
record AccessReply(AccessRequest pair, long base, long length, int key) {
    static final int BYTES = 52;

    private static final int BASE_OFFSET = 32;
    private static final int LENGTH_OFFSET = 40;
    private static final int KEY_OFFSET = 48;

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        pair.write(bytes);
        bytes.putLong(BASE_OFFSET, base);
        bytes.putLong(LENGTH_OFFSET, length);
        bytes.putInt(KEY_OFFSET, key);
        return bytes.array();
    }

    /**
     * Decodes and checks.
     *
     * @throws DXNetException when it is not what an owner sends
     */
    static AccessReply decode(byte[] reply) throws DXNetException {
        if (reply.length != BYTES) {
            throw new DXNetException("the reply about access to memory has " + reply.length + " bytes, not " + BYTES);
        }
        ByteBuffer bytes = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
        AccessReply read = new AccessReply(
                AccessRequest.read(bytes),
                bytes.getLong(BASE_OFFSET),
                bytes.getLong(LENGTH_OFFSET),
                bytes.getInt(KEY_OFFSET));
        boolean fits = read.length > 0 && Long.compareUnsigned(read.base + read.length - 1, read.base) >= 0;
        if (!fits) {
            throw new DXNetException("the memory that a reply names is impossible: " + read);
        }
        return read;
    }
}
