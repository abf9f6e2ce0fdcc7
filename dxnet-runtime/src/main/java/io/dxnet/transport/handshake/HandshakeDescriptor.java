package io.dxnet.transport.handshake;

import io.dxnet.transport.security.ClusterKey;
import io.dxnet.transport.security.KeySecurity;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;
import io.dxnet.transport.security.TlsSecurity;

/**
 * The layout of the handshake on a new channel; little endian. The opening node sends a hello,
 * the listener answers with a reply. With {@code security=key}, the opening node sends a challenge
 * before, the listener answers that, and a proof follows the hello and the reply. After an
 * accepting reply the channel carries the opening node's stream one way and flow-control bytes the
 * other way; after a refusing one the listener closes. A transport that has another wire uses the
 * channel as it likes.
 *
 * <p>Magic and version keep their places in all versions, and so does the reply up
 * to its reason: a refusal, which has no payload, is understood by every version.
 * Version 1 had neither transport nor payload, version 2 no signals, version 3 no mode.
 *
 * <pre>
 *  challenge of the opening node, with security=key
 *    0               2               4               6               8
 *   +---------------+---------------+---------------+---------------+
 * 0 |  magic                                                        |
 *   +---------------+---------------+---------------+---------------+
 * 8 |  version      |  mode         |  0                            |
 *   +---------------+---------------+-------------------------------+
 * 16|  nonce of the opening node, 32 bytes ...                      |
 *   +---------------------------------------------------------------+
 *
 *  answer of the listener, with security=key
 *   +---------------+---------------+---------------+---------------+
 * 0 |  magic                                                        |
 *   +---------------+---------------+---------------+---------------+
 * 8 |  version      |  status       |  0                            |
 *   +---------------+---------------+-------------------------------+
 * 16|  nonce of the listener, 32 bytes ...                          |
 *   +---------------------------------------------------------------+
 * 48|  proof: HMAC of challenge and nonce, 32 bytes ...             |
 *   +---------------------------------------------------------------+
 *
 *  hello
 *    0               2               4               6               8
 *   +---------------+---------------+---------------+---------------+
 * 0 |  magic                                                        |
 *   +---------------+---------------+---------------+---------------+
 * 8 |  version      |  mode         |  own node id  |  listener's   |
 *   |               |               |               |  node id      |
 *   +---------------+---------------+---------------+---------------+
 * 16|  incarnation of the opening node                              |
 *   +-------------------------------+-------------------------------+
 * 24|  flow control window, bytes   |  flow control threshold, %    |
 *   +-------------------------------+-------------------------------+
 * 32|  connection id of the opening node                            |
 *   +---------------------------------------------------------------+
 * 40|  connection id of the listener, 0: not known, or a new one    |
 *   +---------------------------------------------------------------+
 * 48|  length of    |  length of    |  length of    |  0            |
 *   |  transport    |  payload      |  cluster name |               |
 *   +---------------+---------------+-------------------------------+
 * 56|  cluster name, UTF-8, up to 256 bytes ...                     |
 *   +---------------------------------------------------------------+
 *   |  name of the transport, UTF-8, up to 16 bytes ...             |
 *   +---------------------------------------------------------------+
 *   |  payload of the transport, up to 1024 bytes ...               |
 *   +---------------------------------------------------------------+
 *   |  with security=key: proof, HMAC of all so far, 32 bytes ...   |
 *   +---------------------------------------------------------------+
 *
 *  reply
 *    0               2               4               6               8
 *   +---------------+---------------+---------------+---------------+
 * 0 |  magic                                                        |
 *   +---------------+---------------+---------------+---------------+
 * 8 |  version      |  status       |  length of    |  length of    |
 *   |               |               |  reason       |  payload      |
 *   +---------------+---------------+---------------+---------------+
 * 16|  incarnation of the listener, 0 when refused                  |
 *   +---------------------------------------------------------------+
 * 24|  connection id of the listener; when refused, of that which    |
 *   |  the hello names, where it has ended, else 0                  |
 *   +---------------------------------------------------------------+
 * 32|  reason, UTF-8, up to 1024 bytes, empty when accepted ...     |
 *   +---------------------------------------------------------------+
 *   |  payload of the transport, up to 1024 bytes, empty when       |
 *   |  refused ...                                                  |
 *   +---------------------------------------------------------------+
 *   |  with security=key: proof, HMAC of all so far, 32 bytes; 0    |
 *   |  where the opening node has proved nothing ...                |
 *   +---------------------------------------------------------------+
 * </pre>
 *
 * <p>A connection id counts the connections of one run of a node. The two directions of a
 * connection are opened independently, and a connection that is being closed and its successor
 * live at the same time: the ids show which directions belong together.
 */
public final class HandshakeDescriptor {
    /** The most bytes of a transport's payload, in the hello and in the reply. */
    public static final int PAYLOAD_BYTES_MAX = 1024;

    /** "DXNetTCP" in memory. */
    static final long MAGIC = 0x50435474654E5844L;
    /** The version of this node; another version is refused. */
    static final short VERSION = 4;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;

    /** How the nodes know each other; in the challenge and the hello. */
    static final int MODE_OFFSET = 10;

    static final int PROLOGUE_BYTES = 12;

    static final int NODE_ID_OFFSET = 12;
    static final int LISTENER_ID_OFFSET = 14;
    static final int INCARNATION_OFFSET = 16;
    static final int WINDOW_OFFSET = 24;
    static final int THRESHOLD_OFFSET = 28;
    static final int CONNECTION_OFFSET = 32;
    static final int LISTENER_CONNECTION_OFFSET = 40;
    static final int TRANSPORT_LENGTH_OFFSET = 48;
    static final int PAYLOAD_LENGTH_OFFSET = 50;
    static final int CLUSTER_LENGTH_OFFSET = 52;
    static final int HELLO_FIXED_BYTES = 56;
    static final int CLUSTER_BYTES_MAX = 256;
    static final int TRANSPORT_BYTES_MAX = 16;

    static final int STATUS_OFFSET = 10;
    static final int REASON_LENGTH_OFFSET = 12;
    static final int REPLY_PAYLOAD_LENGTH_OFFSET = 14;
    static final int REPLY_INCARNATION_OFFSET = 16;
    static final int REPLY_CONNECTION_OFFSET = 24;
    static final int REPLY_FIXED_BYTES = 32;
    static final int REASON_BYTES_MAX = 1024;

    static final int NONCE_OFFSET = 16;
    static final int NONCE_BYTES = 32;
    static final int CHALLENGE_BYTES = NONCE_OFFSET + NONCE_BYTES;
    static final int PROOF_BYTES = ClusterKey.PROOF_BYTES;
    static final int ANSWER_BYTES = CHALLENGE_BYTES + PROOF_BYTES;

    /** The mode in which nodes prove nothing. */
    static final short MODE_NONE = 0;
    /** The mode with a key of the cluster. */
    static final short MODE_KEY = 1;
    /** The mode with certificates: the handshake is under TLS. */
    static final short MODE_TLS = 2;

    static final short ACCEPTED = 1;
    static final short REFUSED = 2;
    /** Refused, because the connection has ended: the opening node may make a new one at once. */
    static final short STALE = 3;
    /** The listener answers a challenge: no reply. */
    static final short ANSWER = 4;

    private HandshakeDescriptor() {}

    /** {@return the mode on the wire} */
    static short mode(NodeSecurity security) {
        return switch (security) {
            case NoSecurity none -> MODE_NONE;
            case KeySecurity key -> MODE_KEY;
            case TlsSecurity tls -> MODE_TLS;
        };
    }

    static void checkPayload(byte[] payload) {
        if (payload.length > PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "the payload has " + payload.length + " bytes; 0 to " + PAYLOAD_BYTES_MAX + " are allowed");
        }
    }
}
