package io.dxnet.transport.ib;

import io.dxnet.ibverbs.QpAddress;
import io.dxnet.transport.ib.qp.AddressBlock;
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

    private static final int RECEIVE_OFFSET = AddressBlock.OWN_OFFSET;
    private static final int KEEP_ALIVE_OFFSET = AddressBlock.BYTES;

    /** Of a node that does not encrypt. */
    QpInfo(QpAddress address, int mtuBytes, int receiveBytesMax, int keepAliveMs) {
        this(address, mtuBytes, receiveBytesMax, keepAliveMs, null);
    }

    byte[] encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(keyPart == null ? BYTES : KEYED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        AddressBlock.write(bytes, address, mtuBytes);
        bytes.putInt(RECEIVE_OFFSET, receiveBytesMax);
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
        QpInfo info = new QpInfo(
                AddressBlock.address(bytes),
                AddressBlock.mtuBytes(bytes),
                bytes.getInt(RECEIVE_OFFSET),
                bytes.getInt(KEEP_ALIVE_OFFSET),
                payload.length == BYTES ? null : KeyPart.read(bytes.position(BYTES)));
        if (!AddressBlock.isPossible(info.address)
                || info.receiveBytesMax <= (info.keyPart == null ? 0 : GcmDirection.TAG_BYTES)
                || info.keepAliveMs <= 0) {
            throw new IOException("the queue pair's data is impossible: " + info);
        }
        return info;
    }
}
