package io.dxnet.transport.ib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decrypts received messages in their receive buffers, which the device does not use until they are
 * posted again: copied to the heap, because {@code javax.crypto} is fastest there, decrypted, and,
 * where the tag is right, copied back. The receiving agent; {@link #describe}:
 * any thread.
 */
final class Decryption {
    private final ReceiveSlots receives;
    private final int bufferBytes;
    private final Encryption encryption;
    private final byte[] message;
    private final byte[] content;
    private volatile int refused; // the receiving agent

    Decryption(ReceiveSlots receives, int bufferBytes, Encryption encryption) {
        this.receives = receives;
        this.bufferBytes = bufferBytes;
        this.encryption = encryption;
        this.message = new byte[encryption == Encryption.NONE ? 0 : receives.bytesMax()];
        this.content = new byte[message.length];
    }

    /**
     * Decrypts a message; where it is not authentic, its connection fails. Where this throws, the
     * caller has to end the connection: the message is lost, authentic or not.
     *
     * @param connection that it belongs to
     * @param cipher the connection's
     * @param queuePair the number that it arrived at
     * @param slot the receive that it came into
     * @param bytes of it, with its tag
     * @param immediate that came with it
     * @return the bytes of its content, at the beginning of the receive; -1: it is not authentic,
     *     or late
     */
    int decrypt(IbConnection connection, ReceiveCipher cipher, int queuePair, int slot, int bytes, int immediate) {
        if (connection.queuePairNumber() != queuePair) {
            return -1; // the connection has another queue pair meanwhile, and the cipher may be that one's
        }
        for (int sge = 0, at = 0; at < bytes; sge++, at += bufferBytes) {
            MemorySegment buffer = receives.peek(slot, sge).segment();
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, message, at, Math.min(bufferBytes, bytes - at));
        }
        int length = cipher.decrypt(message, bytes, content, immediate);
        if (length < 0) {
            refuse(connection, cipher);
        }
        for (int sge = 0, at = 0; at < length; sge++, at += bufferBytes) {
            MemorySegment buffer = receives.peek(slot, sge).segment();
            MemorySegment.copy(content, at, buffer, ValueLayout.JAVA_BYTE, 0, Math.min(bufferBytes, length - at));
        }
        return length;
    }

    /** A message is not authentic: nothing of it or after it is used, and its connection fails. */
    void refuse(IbConnection connection, ReceiveCipher cipher) {
        if (cipher.end()) {
            refused++;
            connection.fail("security: a message over RDMA is not authentic (ib.security=aes-gcm): it was changed,"
                    + " repeated, or inserted by another host of the fabric");
        }
    }

    /** Returns how many messages were not authentic, in words; may be old. */
    String describe() {
        return "security of RDMA messages: " + encryption
                + (encryption == Encryption.NONE ? "" : " (" + refused + " not authentic)");
    }
}
