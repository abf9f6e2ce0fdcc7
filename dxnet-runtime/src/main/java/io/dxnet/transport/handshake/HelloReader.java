package io.dxnet.transport.handshake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * Collects a hello as its bytes come, and checks each part as soon as it is there; where nodes have
 * to prove that they have the cluster's key, first the challenge, and with the hello its proof. A
 * stranger is known by its first eight bytes. Never asks for a byte beyond. One thread.
 */
final class HelloReader {
    /** What is known so far. */
    enum State {
        /** More bytes are needed. */
        INCOMPLETE,
        /** {@link #challenge} has it: answer it, then continue with {@link #expectHello}. */
        CHALLENGE,
        /** {@link #hello} has it. */
        COMPLETE,
        /** It is not a DXNet node: don't answer. */
        GARBAGE,
        /** A DXNet node of another version: answer that. */
        WRONG_VERSION,
        /** A DXNet node with another mode of security: answer that. */
        WRONG_MODE
    }

    private final ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.HELLO_FIXED_BYTES
                    + HandshakeDescriptor.CLUSTER_BYTES_MAX
                    + HandshakeDescriptor.TRANSPORT_BYTES_MAX
                    + HandshakeDescriptor.PAYLOAD_BYTES_MAX
                    + HandshakeDescriptor.PROOF_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);

    private final short mode;
    private final int proofBytes;
    private boolean isChallengeExpected;
    private int countBefore; // the challenge's bytes

    @SuppressWarnings("NullAway.Init") // once it is complete
    private Hello hello;

    /**
     * A reader of nothing yet.
     *
     * @param mode of this node
     */
    HelloReader(short mode) {
        this.mode = mode;
        this.isChallengeExpected = mode == HandshakeDescriptor.MODE_KEY;
        this.proofBytes = isChallengeExpected ? HandshakeDescriptor.PROOF_BYTES : 0;
        bytes.limit(isChallengeExpected ? HandshakeDescriptor.CHALLENGE_BYTES : HandshakeDescriptor.HELLO_FIXED_BYTES);
    }

    /** {@return the buffer for the channel's bytes: as many as are known to belong to the hello} */
    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return how many bytes came} */
    int count() {
        return countBefore + bytes.position();
    }

    /** {@return the challenge, once it is complete} */
    byte[] challenge() {
        return Arrays.copyOf(bytes.array(), HandshakeDescriptor.CHALLENGE_BYTES);
    }

    /** The challenge is answered: the hello is next. */
    void expectHello() {
        countBefore = bytes.position();
        isChallengeExpected = false;
        bytes.clear().limit(HandshakeDescriptor.HELLO_FIXED_BYTES);
    }

    /** {@return the bytes of the hello, once it is complete} */
    byte[] helloBytes() {
        return Arrays.copyOf(bytes.array(), bytes.limit() - proofBytes);
    }

    /** {@return the proof of the hello, once that is complete; empty where none is needed} */
    byte[] proof() {
        return Arrays.copyOfRange(bytes.array(), bytes.limit() - proofBytes, bytes.limit());
    }

    /** {@return the version that the other node speaks; only when at least that came} */
    int version() {
        return bytes.getShort(HandshakeDescriptor.VERSION_OFFSET) & 0xFFFF;
    }

    /** {@return the hello, once it is complete} */
    Hello hello() {
        return hello;
    }

    /**
     * Checks what is there. Call it after each read, and continue to read as
     * long as it is incomplete.
     */
    State check() {
        if (bytes.position() < HandshakeDescriptor.VERSION_OFFSET) {
            return State.INCOMPLETE;
        }
        if (bytes.getLong(HandshakeDescriptor.MAGIC_OFFSET) != HandshakeDescriptor.MAGIC) {
            return State.GARBAGE;
        }
        if (bytes.position() >= HandshakeDescriptor.MODE_OFFSET && version() != HandshakeDescriptor.VERSION) {
            return State.WRONG_VERSION;
        }
        if (bytes.position() >= HandshakeDescriptor.PROLOGUE_BYTES
                && bytes.getShort(HandshakeDescriptor.MODE_OFFSET) != mode) {
            return State.WRONG_MODE;
        }
        if (isChallengeExpected) {
            return bytes.position() < HandshakeDescriptor.CHALLENGE_BYTES ? State.INCOMPLETE : State.CHALLENGE;
        }
        if (bytes.position() < HandshakeDescriptor.HELLO_FIXED_BYTES) {
            return State.INCOMPLETE;
        }
        int cluster = bytes.getShort(HandshakeDescriptor.CLUSTER_LENGTH_OFFSET) & 0xFFFF;
        int transport = bytes.getShort(HandshakeDescriptor.TRANSPORT_LENGTH_OFFSET) & 0xFFFF;
        int payload = bytes.getShort(HandshakeDescriptor.PAYLOAD_LENGTH_OFFSET) & 0xFFFF;
        if (cluster > HandshakeDescriptor.CLUSTER_BYTES_MAX
                || transport > HandshakeDescriptor.TRANSPORT_BYTES_MAX
                || payload > HandshakeDescriptor.PAYLOAD_BYTES_MAX) {
            return State.GARBAGE;
        }
        int whole = HandshakeDescriptor.HELLO_FIXED_BYTES + cluster + transport + payload + proofBytes;
        bytes.limit(whole);
        return bytes.position() == whole ? decode() : State.INCOMPLETE;
    }

    private State decode() {
        try {
            hello = Hello.decode(bytes);
            return State.COMPLETE;
        } catch (CharacterCodingException e) {
            return State.GARBAGE;
        }
    }
}
