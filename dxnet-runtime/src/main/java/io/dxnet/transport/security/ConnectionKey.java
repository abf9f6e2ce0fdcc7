package io.dxnet.transport.security;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of one connection, which both nodes derive in the handshake. What is encrypted on its
 * wire uses keys of it. All derivations are steps of HKDF with SHA-256 (RFC 5869). Any thread.
 */
public final class ConnectionKey {
    private static final byte[] SALT = "dxnet 1 exchanged secrets".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BOUND = "dxnet 1 bound to".getBytes(StandardCharsets.US_ASCII);

    private final SecretKey secret;

    ConnectionKey(SecretKey secret) {
        this.secret = secret;
    }

    /**
     * Derives it from what the nodes have sent each other where no other party can read or change
     * it: HKDF's first step.
     *
     * @param secrets in the same order on both nodes, each of a fixed length; together they have at
     *     least 32 bytes of a cryptographic random generator
     * @return the same on both nodes
     */
    public static ConnectionKey of(byte[]... secrets) {
        return new ConnectionKey(
                new SecretKeySpec(ClusterKey.hmac(new SecretKeySpec(SALT, ClusterKey.HMAC), secrets), ClusterKey.HMAC));
    }

    /**
     * Derives a key that depends on more than this one: HKDF's second step, with an info that
     * includes what is bound.
     *
     * @param parts what both nodes know, in the same order, each of a fixed length
     * @return another one for other parts
     */
    public ConnectionKey boundTo(byte[]... parts) {
        byte[][] info = new byte[parts.length + 1][];
        info[0] = BOUND;
        System.arraycopy(parts, 0, info, 1, parts.length);
        return new ConnectionKey(ClusterKey.expand(secret, info));
    }

    /**
     * Derives a key for AES with 256 bits: HKDF's second step.
     *
     * @param purpose what it is for, in ASCII: another one for each purpose and direction
     * @return the same on both nodes
     */
    public SecretKey aes(String purpose) {
        byte[] bytes = ClusterKey.hmac(secret, purpose.getBytes(StandardCharsets.US_ASCII), new byte[] {1});
        try {
            return new SecretKeySpec(bytes, "AES");
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** {@return that it is one: nothing of the key} */
    @Override
    public String toString() {
        return "ConnectionKey";
    }
}
