package io.dxnet.transport.handshake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;

/**
 * Collects a hello as its bytes come, and checks each part as soon as it is there. A stranger is
 * known by its first eight bytes. Never asks for a byte beyond the hello. One thread.
 */
final class HelloReader {
    /** What is known so far. */
    enum State {
        /** More bytes are needed. */
        INCOMPLETE,
        /** {@link #hello} has it. */
        COMPLETE,
        /** It is not a DXNet node: don't answer. */
        GARBAGE,
        /** A DXNet node of another version: answer that. */
        WRONG_VERSION
    }

    private final ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.HELLO_FIXED_BYTES
                    + HandshakeDescriptor.CLUSTER_BYTES_MAX
                    + HandshakeDescriptor.TRANSPORT_BYTES_MAX
                    + HandshakeDescriptor.PAYLOAD_BYTES_MAX)
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(HandshakeDescriptor.HELLO_FIXED_BYTES);

    @SuppressWarnings("NullAway.Init") // once it is complete
    private Hello hello;

    /** {@return the buffer for the channel's bytes: as many as are known to belong to the hello} */
    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return how many bytes came} */
    int count() {
        return bytes.position();
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
        if (bytes.position() >= HandshakeDescriptor.NODE_ID_OFFSET && version() != HandshakeDescriptor.VERSION) {
            return State.WRONG_VERSION;
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
        int whole = HandshakeDescriptor.HELLO_FIXED_BYTES + cluster + transport + payload;
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
