package io.dxnet.transport.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of the cluster, as what is derived from it: one key for each kind of proof, and one that
 * the keys of the connections come from. The key itself is not kept.
 *
 * <p>HKDF with SHA-256 (RFC 5869) derives them: {@code PRK = HMAC(salt, key)}, then each key is
 * {@code HMAC(PRK, info | 1)}, with an info of its own. A proof is an HMAC-SHA-256 (RFC 2104) over
 * the bytes of the handshake so far, with the key of its kind, so that no proof serves as another.
 * Any thread.
 */
public final class ClusterKey {
    /** The fewest bytes of a key. */
    public static final int BYTES_MIN = 32;
    /** The most bytes of a key. */
    public static final int BYTES_MAX = 1024;
    /** The bytes of a proof. */
    public static final int PROOF_BYTES = 32;

    /** Which step of the handshake a proof belongs to. */
    public enum Proof {
        /** The listener's answer to the challenge of the opening node. */
        CHALLENGE("dxnet 1 proof of the challenge"),
        /** The opening node's, for its hello. */
        HELLO("dxnet 1 proof of the hello"),
        /** The listener's, for its reply. */
        REPLY("dxnet 1 proof of the reply");

        private final byte[] info;

        Proof(String info) {
            this.info = info.getBytes(StandardCharsets.US_ASCII);
        }
    }

    static final String HMAC = "HmacSHA256";
    private static final byte[] SALT = "dxnet 1 cluster key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONNECTION = "dxnet 1 connection".getBytes(StandardCharsets.US_ASCII);

    private final Map<Proof, SecretKey> proofs = new EnumMap<>(Proof.class);
    private final SecretKey connection;

    private ClusterKey(byte[] key) {
        SecretKey prk = new SecretKeySpec(hmac(new SecretKeySpec(SALT, HMAC), key), HMAC);
        for (Proof proof : Proof.values()) {
            proofs.put(proof, expand(prk, proof.info));
        }
        this.connection = expand(prk, CONNECTION);
    }

    /**
     * Derives what the handshake uses.
     *
     * @param key the cluster's; the caller may overwrite it afterwards
     * @return the derived keys
     */
    static ClusterKey of(byte[] key) {
        return new ClusterKey(key);
    }

    /**
     * Makes a proof.
     *
     * @param kind the step of the handshake
     * @param transcript the messages of the handshake so far, in their order; each shows its
     *     own length
     * @return {@link #PROOF_BYTES} bytes
     */
    public byte[] prove(Proof kind, byte[]... transcript) {
        return hmac(Objects.requireNonNull(proofs.get(kind)), transcript);
    }

    /**
     * Checks a proof in a time that does not depend on its bytes.
     *
     * @param proof what the other node sent
     * @param kind the step of the handshake
     * @param transcript as in {@link #prove}
     * @return whether the other node has this key and the same transcript
     */
    public boolean isProof(byte[] proof, Proof kind, byte[]... transcript) {
        return MessageDigest.isEqual(proof, prove(kind, transcript));
    }

    /**
     * Derives the key of one connection: both nodes' nonces, ids and incarnations are in it.
     *
     * @param transcript the messages of the handshake up to the hello
     * @return another one for each handshake
     */
    public ConnectionKey connection(byte[]... transcript) {
        return new ConnectionKey(new SecretKeySpec(hmac(connection, transcript), HMAC));
    }

    /** HKDF's second step, for a result as long as one HMAC. */
    static SecretKey expand(SecretKey prk, byte[]... info) {
        byte[][] parts = Arrays.copyOf(info, info.length + 1);
        parts[info.length] = new byte[] {1};
        return new SecretKeySpec(hmac(prk, parts), HMAC);
    }

    /** {@return the HMAC-SHA-256 of all parts, one after the other} */
    static byte[] hmac(SecretKey key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + HMAC, e); // every JDK has to have it
        }
    }

    /** {@return that it is one: nothing of the key} */
    @Override
    public String toString() {
        return "ClusterKey";
    }
}
