package io.dxnet.transport.handshake;

import java.security.SecureRandom;

/** Random numbers that no handshake had before. Any thread. */
final class Nonces {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Nonces() {}

    static byte[] next() {
        byte[] nonce = new byte[HandshakeDescriptor.NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }
}
