package io.dxnet.transport.ib;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * One node's part of a connection's key with {@code ib.security=aes-gcm}: random bytes of one queue
 * pair, sent in the handshake. With {@code security=tls}, the parts are secret, and the key comes
 * from them alone; with {@code security=key}, they are public, and the key depends on the cluster's
 * key too. Each queue pair has a new one, so no two connections have the same key.
 */
final class KeyPart {
    static final int BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;

    private KeyPart(byte[] bytes) {
        this.bytes = bytes;
    }

    static KeyPart random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new KeyPart(bytes);
    }

    /** Reads the next bytes of a buffer. */
    static KeyPart read(ByteBuffer source) {
        byte[] bytes = new byte[BYTES];
        source.get(bytes);
        return new KeyPart(bytes);
    }

    void write(ByteBuffer target) {
        target.put(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyPart part && Arrays.equals(bytes, part.bytes);
    }

    @Override
    public int hashCode() {
        return BYTES; // nothing of the bytes
    }

    /** Returns that it is one: nothing of the bytes. */
    @Override
    public String toString() {
        return "KeyPart";
    }
}
