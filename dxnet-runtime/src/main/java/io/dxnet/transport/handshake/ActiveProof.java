package io.dxnet.transport.handshake;

import io.dxnet.transport.security.ClusterKey;
import io.dxnet.transport.security.ClusterKey.Proof;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.security.KeySecurity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The opening node's side of the handshake in which both nodes prove that they have the cluster's
 * key: the opposite of {@link PassiveProof}. The listener's first proof decides which of this
 * node's keys counts. The hello, the first message that shows anything of this node, is sent after
 * that. The connecting thread only.
 */
final class ActiveProof {
    private final List<ClusterKey> keys;
    private final byte[] challenge;
    private byte[] answer = {};
    private byte[] hello = {}; // with its proof

    @SuppressWarnings("NullAway.Init") // by readAnswer()
    private ClusterKey key;

    ActiveProof(KeySecurity security) {
        this.keys = security.keys();
        ByteBuffer bytes =
                ByteBuffer.allocate(HandshakeDescriptor.CHALLENGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HandshakeDescriptor.MAGIC_OFFSET, HandshakeDescriptor.MAGIC);
        bytes.putShort(HandshakeDescriptor.VERSION_OFFSET, HandshakeDescriptor.VERSION);
        bytes.putShort(HandshakeDescriptor.MODE_OFFSET, HandshakeDescriptor.MODE_KEY);
        bytes.put(HandshakeDescriptor.NONCE_OFFSET, Nonces.next());
        this.challenge = bytes.array();
    }

    /** {@return the first message, for the wire} */
    byte[] challenge() {
        return challenge;
    }

    /**
     * Reads the answer to the challenge.
     *
     * @return null: the listener has proved that it has the key; else its refusal, of which
     *     nothing is proved
     * @throws IOException when the source fails, its bytes are no answer, or prove nothing
     */
    @Nullable
    Reply readAnswer(Reply.Source source) throws IOException {
        byte[] head = new byte[HandshakeDescriptor.NONCE_OFFSET];
        source.readFully(head);
        ByteBuffer bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getLong(HandshakeDescriptor.MAGIC_OFFSET) != HandshakeDescriptor.MAGIC
                || bytes.getShort(HandshakeDescriptor.STATUS_OFFSET) != HandshakeDescriptor.ANSWER) {
            return refusal(head, source);
        }
        byte[] rest = new byte[HandshakeDescriptor.ANSWER_BYTES - head.length];
        source.readFully(rest);
        answer = join(head, rest);
        byte[] proof = Arrays.copyOfRange(answer, HandshakeDescriptor.CHALLENGE_BYTES, answer.length);
        for (ClusterKey each : keys) {
            if (each.isProof(proof, Proof.CHALLENGE, challenge, withoutProof(answer))) {
                key = each;
                return null;
            }
        }
        throw new IOException("it did not prove that it has the cluster's key");
    }

    /** A listener refuses at once; nothing but a refusal is accepted without a proof. */
    private static Reply refusal(byte[] head, Reply.Source source) throws IOException {
        int[] at = {0};
        Reply reply = Reply.read(bytes -> {
            int count = Math.min(bytes.length, head.length - at[0]);
            System.arraycopy(head, at[0], bytes, 0, count);
            at[0] += count;
            byte[] rest = new byte[bytes.length - count];
            source.readFully(rest);
            System.arraycopy(rest, 0, bytes, count, rest.length);
        });
        if (reply.accepted()) {
            throw new IOException("it accepts without a proof that it has the cluster's key");
        }
        return reply.withoutConnection();
    }

    /**
     * Encodes the hello with its proof.
     *
     * @return for the wire, ready to be written
     */
    ByteBuffer seal(Hello toSend) {
        byte[] bytes = toSend.encode(HandshakeDescriptor.MODE_KEY).array();
        hello = join(bytes, key.prove(Proof.HELLO, challenge, answer, bytes));
        return ByteBuffer.wrap(hello);
    }

    /**
     * Reads the reply.
     *
     * @return the reply; one that accepts is the listener's, one that refuses may be forged,
     *     and then ends no connection
     * @throws IOException when the source fails, its bytes are no reply, or prove nothing
     */
    Reply readReply(Reply.Source source) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        Reply reply = Reply.read(bytes -> {
            source.readFully(bytes);
            copy.writeBytes(bytes);
        });
        byte[] proof = new byte[HandshakeDescriptor.PROOF_BYTES];
        source.readFully(proof);
        if (key.isProof(proof, Proof.REPLY, challenge, answer, hello, copy.toByteArray())) {
            return reply;
        }
        if (reply.accepted()) {
            throw new IOException("its reply is forged, or was changed on the way");
        }
        return reply.withoutConnection();
    }

    /** {@return the key of the connection, after an accepting reply} */
    ConnectionKey key() {
        return key.connection(challenge, answer, hello);
    }

    /** {@return an answer up to its proof} */
    static byte[] withoutProof(byte[] answer) {
        return Arrays.copyOf(answer, HandshakeDescriptor.CHALLENGE_BYTES);
    }

    static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
