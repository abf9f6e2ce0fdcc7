package io.dxnet.transport.ib;

import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.security.KeySecurity;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;
import io.dxnet.transport.security.TlsSecurity;
import java.util.Objects;
import javax.crypto.Cipher;

/**
 * Derives the keys of a connection's two directions from its handshake: from both nodes' queue-pair
 * data, which has their {@link KeyPart}s, and with {@code security=key} from the handshake's
 * {@link ConnectionKey}. Any thread.
 *
 * @param secret of the connection
 * @param sends the purpose of the direction from this node
 * @param receives the purpose of the direction to this node
 */
record CipherKeys(ConnectionKey secret, String sends, String receives) {
    private static final String OPENING = "dxnet 1 ib from the opening node, key";
    private static final String LISTENER = "dxnet 1 ib from the listener, key";

    /** This node's part in the handshake. */
    enum Side {
        /** It opened the connection. */
        OPENING,
        /** It accepted the connection. */
        LISTENER,
        /** It is connected to itself: there is no handshake, and its part is known to it alone. */
        ITSELF
    }

    /**
     * Derives them.
     *
     * @param security of this node
     * @param proved what the handshake proved; null but with {@code security=key}
     * @param own this node's queue pair
     * @param peer the other node's
     */
    static CipherKeys of(NodeSecurity security, ConnectionKey proved, Side side, QpInfo own, QpInfo peer) {
        byte[] opening = (side == Side.LISTENER ? peer : own).encode();
        byte[] listener = (side == Side.LISTENER ? own : peer).encode();
        ConnectionKey secret = side == Side.ITSELF
                ? ConnectionKey.of(opening)
                : switch (security) {
                    case KeySecurity key ->
                        Objects.requireNonNull(proved, "the handshake proved nothing")
                                .boundTo(opening, listener);
                    case TlsSecurity tls -> ConnectionKey.of(opening, listener); // nothing of them was in the clear
                    case NoSecurity none -> throw new IllegalStateException(Encryption.AES_GCM.needs());
                };
        return switch (side) {
            case OPENING -> new CipherKeys(secret, OPENING, LISTENER);
            case LISTENER -> new CipherKeys(secret, LISTENER, OPENING);
            case ITSELF -> new CipherKeys(secret, OPENING, OPENING);
        };
    }

    GcmDirection sending() {
        return new GcmDirection(Cipher.ENCRYPT_MODE, secret, sends);
    }

    ReceiveCipher receiving() {
        return new ReceiveCipher(new GcmDirection(Cipher.DECRYPT_MODE, secret, receives));
    }
}
