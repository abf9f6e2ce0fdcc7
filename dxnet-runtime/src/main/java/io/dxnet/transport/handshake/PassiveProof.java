package io.dxnet.transport.handshake;

import io.dxnet.transport.security.ClusterKey;
import io.dxnet.transport.security.ClusterKey.Proof;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.security.KeySecurity;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The listener's side of the handshake in which both nodes prove that they have the cluster's key:
 * see {@link HandshakeDescriptor} for the messages, {@link ClusterKey} for the proofs. Each proof
 * includes all messages before it, so both nonces, version, mode, transport, cluster name, both
 * node ids, both incarnations and the transport's payloads belong to the last one.
 *
 * <p>Until the opening node has proved that it has the key, it gets a refusal that shows nothing.
 * The acceptor's thread only.
 */
final class PassiveProof {
    /** The only reason that a node gets before it has proved anything. */
    static final String REFUSED = "refused";

    private static final byte[] NONE = {};

    private final ClusterKey key;
    private byte[] challenge = NONE;
    private byte[] answer = NONE;
    private byte[] hello = NONE; // with its proof; empty: nothing is proved

    PassiveProof(KeySecurity security) {
        this.key = security.keys().getFirst();
    }

    /**
     * Answers a challenge.
     *
     * @param opening the opening node's
     * @return the answer for the wire
     */
    byte[] answer(byte[] opening) {
        challenge = opening;
        ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.ANSWER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HandshakeDescriptor.MAGIC_OFFSET, HandshakeDescriptor.MAGIC);
        bytes.putShort(HandshakeDescriptor.VERSION_OFFSET, HandshakeDescriptor.VERSION);
        bytes.putShort(HandshakeDescriptor.STATUS_OFFSET, HandshakeDescriptor.ANSWER);
        bytes.put(HandshakeDescriptor.NONCE_OFFSET, Nonces.next());
        bytes.put(
                HandshakeDescriptor.CHALLENGE_BYTES,
                key.prove(Proof.CHALLENGE, challenge, ActiveProof.withoutProof(bytes.array())));
        answer = bytes.array();
        return answer;
    }

    /**
     * Checks the proof of a hello.
     *
     * @param bytes the hello's
     * @param proof that came with it
     * @return whether the opening node has the key, and the same challenge and answer
     */
    boolean accept(byte[] bytes, byte[] proof) {
        if (!key.isProof(proof, Proof.HELLO, challenge, answer, bytes)) {
            return false;
        }
        hello = ActiveProof.join(bytes, proof);
        return true;
    }

    /** {@return the key of the connection, after the hello is accepted} */
    ConnectionKey key() {
        return key.connection(challenge, answer, hello);
    }

    /**
     * Encodes a reply with its proof; where the other node has proved nothing, a refusal of the
     * same status without a reason.
     */
    ByteBuffer seal(Reply reply) {
        if (hello.length == 0) {
            Reply bare = reply.status() == Reply.Status.STALE ? Reply.stale(REFUSED) : Reply.refusing(REFUSED);
            return ByteBuffer.wrap(ActiveProof.join(bare.encode().array(), new byte[HandshakeDescriptor.PROOF_BYTES]));
        }
        byte[] bytes = reply.encode().array();
        return ByteBuffer.wrap(ActiveProof.join(bytes, key.prove(Proof.REPLY, challenge, answer, hello, bytes)));
    }
}
