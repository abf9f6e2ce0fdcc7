package io.dxnet.transport.security;

import java.nio.charset.StandardCharsets;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of one connection, which both nodes derive in the handshake. What is encrypted on its
 * wire uses keys of it. Any thread.
 */
public final class ConnectionKey {
    private final SecretKey secret;

    ConnectionKey(SecretKey secret) {
        this.secret = secret;
    }

    /**
     * Derives a key for AES with 256 bits: HKDF's second step (RFC 5869).
     *
     * @param purpose what it is for, in ASCII: another one for each purpose and direction
     * @return the same on both nodes
     */
    public SecretKey aes(String purpose) {
        return new SecretKeySpec(
                ClusterKey.expand(secret, purpose.getBytes(StandardCharsets.US_ASCII))
                        .getEncoded(),
                "AES");
    }

    /** {@return that it is one: nothing of the key} */
    @Override
    public String toString() {
        return "ConnectionKey";
    }
}
