package io.dxnet.transport.ib;

import io.dxnet.transport.security.ConnectionKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * One direction of a connection under AES-GCM (NIST SP 800-38D): keys of 256 bits, tags of 128
 * bits, one invocation for each message. Both nodes count the messages of a direction, which a
 * reliable queue pair delivers in order and once, so neither nonce nor number is sent.
 *
 * <pre>
 *  nonce, 96 bits: the deterministic construction of section 8.2.1
 *   0               4                               12
 *  +---------------+-------------------------------+
 *  |  0            |  number of the message        |
 *  +---------------+-------------------------------+
 *
 *  additional authenticated data: the message's immediate data, 32 bits, big endian
 * </pre>
 *
 * <p>A number is never used twice: {@link #begin} is the only method that moves it on, and fails at
 * the last one. After so many blocks that the next message could exceed {@link #BLOCKS_MAX}, both
 * nodes derive the next key; the numbers continue. One thread at a time.
 */
final class GcmDirection {
    /** What a message has more than its content. */
    static final int TAG_BYTES = 16;

    /**
     * Blocks of 16 bytes that one key encrypts at most, 256 GiB: below the 2^24.5 records of 2^10
     * blocks that RFC 8446 (section 5.5) allows.
     */
    static final long BLOCKS_MAX = 1L << 34;

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int NUMBER_OFFSET = 4;
    private static final int BLOCK_BYTES = 16;
    /** Of each message, besides its content: the tag's mask, and lengths with immediate data. */
    private static final int BLOCKS_MORE = 3;

    private final int mode;
    private final ConnectionKey connection;
    private final String purpose;
    private final long blocksMax;
    private final Cipher cipher;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private final ByteBuffer nonceView = ByteBuffer.wrap(nonce);
    private final byte[] additional = new byte[Integer.BYTES];
    private final ByteBuffer additionalView = ByteBuffer.wrap(additional);
    private SecretKey key;
    private int keys; // derived so far
    private long blocks; // of the key
    private long messages; // begun

    /**
     * A direction that has had no message.
     *
     * @param mode {@link Cipher#ENCRYPT_MODE} or {@link Cipher#DECRYPT_MODE}
     * @param connection the secret of both nodes
     * @param purpose another one for each direction
     */
    GcmDirection(int mode, ConnectionKey connection, String purpose) {
        this(mode, connection, purpose, BLOCKS_MAX, 0);
    }

    /** For tests: fewer blocks of a key, and messages that have been before. */
    GcmDirection(int mode, ConnectionKey connection, String purpose, long blocksMax, long messages) {
        this.mode = mode;
        this.connection = connection;
        this.purpose = purpose;
        this.blocksMax = blocksMax;
        this.messages = messages;
        try {
            this.cipher = Cipher.getInstance(ALGORITHM);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + ALGORITHM, e); // every JDK has to have it
        }
        nextKey();
    }

    private void nextKey() {
        key = connection.aes(purpose + " " + keys++);
        blocks = 0;
    }

    /**
     * Begins the next message.
     *
     * @param immediate its immediate data
     * @param bytes its content, without the tag
     * @return to be used for this message only, until {@code doFinal}
     */
    Cipher begin(int immediate, int bytes) throws GeneralSecurityException {
        if (messages == Long.MAX_VALUE) {
            throw new IllegalStateException("all numbers of AES-GCM messages are used up");
        }
        long more = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES + BLOCKS_MORE;
        if (blocks + more > blocksMax && blocks > 0) {
            nextKey();
        }
        blocks += more;
        nonceView.putLong(NUMBER_OFFSET, messages++);
        additionalView.putInt(0, immediate);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(additional);
        return cipher;
    }

    /** Returns how many messages were begun. */
    long messages() {
        return messages;
    }

    /** Returns how many keys were derived. */
    int keys() {
        return keys;
    }
}
