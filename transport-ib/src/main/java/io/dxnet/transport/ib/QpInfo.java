package io.dxnet.transport.ib;

import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What two nodes send each other about their queue pairs, the payload of the side
 * channel's handshake; little endian.
 *
 * <pre>
 *    0               2               4               6               8
 *   +---------------+---------------+---------------+---------------+
 * 0 |  queue pair number            |  first packet number          |
 *   +---------------+---------------+---------------+---------------+
 * 8 |  LID          |  MTU, bytes   |  largest receive, bytes       |
 *   +---------------+---------------+-------------------------------+
 * 16|  GID                                                          |
 * 24|                                                               |
 *   +-------------------------------+-------------------------------+
 * 32|  keep-alive, ms               |
 *   +-------------------------------+-------------------------------+
 * 36|  with ib.security=aes-gcm: part of the key, 32 bytes ...      |
 *   +---------------------------------------------------------------+
 * </pre>
 *
 * @param address how the queue pair is reached
 * @param mtuBytes the largest packet of the sender's port; the smaller one of both is used
 * @param receiveBytesMax the largest message that fits into its receives
 * @param keepAliveMs the longest silence after which the sender abandons the other node; it
 *     wants to hear something more often
 * @param keyPart the sender's part of the connection's key; null: it does not encrypt
 */
record QpInfo(QpAddress address, int mtuBytes, int receiveBytesMax, int keepAliveMs, KeyPart keyPart) {
    static final int BYTES = 36;
    /** With a part of the key. */
    static final int KEYED_BYTES = BYTES + KeyPart.BYTES;

    private static final int NUMBER_OFFSET = 0;
    private static final int PSN_OFFSET = 4;
    private static final int LID_OFFSET = 8;
    private static final int MTU_OFFSET = 10;
    private static final int RECEIVE_OFFSET = 12;
    private static final int GID_OFFSET = 16;
    private static final int KEEP_ALIVE_OFFSET = 32;
    private static final int GID_BYTES = 16;
    private static final int BITS_24 = 0xFF_FFFF;

    /** Of a node that does not encrypt. */
    QpInfo(QpAddress address, int mtuBytes, int receiveBytesMax, int keepAliveMs) {
        this(address, mtuBytes, receiveBytesMax, keepAliveMs, null);
    }

    byte[] encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(keyPart == null ? BYTES : KEYED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(NUMBER_OFFSET, address.qpNumber());
        bytes.putInt(PSN_OFFSET, address.psn());
        bytes.putShort(LID_OFFSET, (short) address.lid());
        bytes.putShort(MTU_OFFSET, (short) mtuBytes);
        bytes.putInt(RECEIVE_OFFSET, receiveBytesMax);
        bytes.put(GID_OFFSET, address.gid().bytes());
        bytes.putInt(KEEP_ALIVE_OFFSET, keepAliveMs);
        if (keyPart != null) {
            keyPart.write(bytes.position(BYTES));
        }
        return bytes.array();
    }

    /**
     * Decodes and checks.
     *
     * @throws IOException when it is not what a node sends
     */
    static QpInfo decode(byte[] payload) throws IOException {
        if (payload.length != BYTES && payload.length != KEYED_BYTES) {
            throw new IOException(
                    "the queue pair's data has " + payload.length + " bytes, not " + BYTES + " or " + KEYED_BYTES);
        }
        ByteBuffer bytes = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        byte[] gid = new byte[GID_BYTES];
        bytes.get(GID_OFFSET, gid);
        QpInfo info = new QpInfo(
                new QpAddress(
                        bytes.getInt(NUMBER_OFFSET),
                        bytes.getInt(PSN_OFFSET),
                        bytes.getShort(LID_OFFSET) & 0xFFFF,
                        Gid.of(gid)),
                bytes.getShort(MTU_OFFSET) & 0xFFFF,
                bytes.getInt(RECEIVE_OFFSET),
                bytes.getInt(KEEP_ALIVE_OFFSET),
                payload.length == BYTES ? null : KeyPart.read(bytes.position(BYTES)));
        QpAddress address = info.address;
        if ((address.qpNumber() & ~BITS_24) != 0
                || (address.psn() & ~BITS_24) != 0
                || info.receiveBytesMax <= (info.keyPart == null ? 0 : GcmDirection.TAG_BYTES)
                || info.keepAliveMs <= 0
                || (address.lid() == 0 && address.gid().isZero())) {
            throw new IOException("the queue pair's data is impossible: " + info);
        }
        return info;
    }
}
