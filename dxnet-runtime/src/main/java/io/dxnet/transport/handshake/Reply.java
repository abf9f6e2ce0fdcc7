package io.dxnet.transport.handshake;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the listener answers in the handshake: see {@link HandshakeDescriptor}.
 *
 * @param status what the listener decided
 * @param incarnation of this run of the listener; 0 when refused: a stranger shall not learn it
 * @param connectionId of the connection, on the listener; in a refusal the one that the hello
 *     names, where that has ended, else 0
 * @param reason why not; empty when accepted; what is longer than 1024 bytes
 *     of UTF-8 is cut off
 * @param payload what its transport sends, at most
 *     {@link HandshakeDescriptor#PAYLOAD_BYTES_MAX} bytes; empty when refused; not copied
 */
public record Reply(Status status, long incarnation, long connectionId, String reason, byte[] payload) {
    /** What the listener decided. */
    public enum Status {
        /** The channel is open. */
        ACCEPTED(HandshakeDescriptor.ACCEPTED),
        /** The channel will be closed. */
        REFUSED(HandshakeDescriptor.REFUSED),
        /** Refused because the connection has ended: a new one may be made at once. */
        STALE(HandshakeDescriptor.STALE);

        private final short code;

        Status(short code) {
            this.code = code;
        }
    }

    private static final byte[] NONE = {};

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException when the payload is too long
     */
    public Reply {
        HandshakeDescriptor.checkPayload(payload);
    }

    /**
     * Makes the reply for a channel that is open.
     *
     * @param incarnation of this run of the listener
     * @param connectionId of the connection, on the listener
     * @param payload of the transport
     * @return an accepting reply
     */
    public static Reply accepting(long incarnation, long connectionId, byte[] payload) {
        return new Reply(Status.ACCEPTED, incarnation, connectionId, "", payload);
    }

    /**
     * Makes the reply for a channel that will be closed. It shows nothing of the
     * listener but the reason.
     *
     * @param reason why, in general words: a stranger may read it
     * @return a refusing reply
     */
    public static Reply refusing(String reason) {
        return new Reply(Status.REFUSED, 0, 0, reason, NONE);
    }

    /**
     * Makes the reply for a channel that will be closed, where the opening node
     * may make a new connection at once.
     *
     * @param reason why
     * @return a refusing reply
     */
    public static Reply stale(String reason) {
        return new Reply(Status.STALE, 0, 0, reason, NONE);
    }

    /**
     * Makes the reply for a hello that names a connection of the listener which has ended: no
     * further hello for it will be accepted.
     *
     * @param reason why
     * @param connectionId that the hello names; 0: none
     * @return a refusing reply
     */
    public static Reply ended(String reason, long connectionId) {
        return new Reply(Status.STALE, 0, connectionId, reason, NONE);
    }

    /** {@return the same refusal without an id, which is not proved} */
    Reply withoutConnection() {
        return new Reply(status, incarnation, 0, reason, payload);
    }

    /**
     * {@return whether it refuses because the connection has ended that the hello names}
     *
     * @param hello that it answers
     */
    public boolean isEndOf(Hello hello) {
        return status == Status.STALE
                && hello.listenerConnectionId() != 0
                && connectionId == hello.listenerConnectionId();
    }

    /** {@return whether the channel is open; false for both kinds of refusal} */
    public boolean accepted() {
        return status == Status.ACCEPTED;
    }

    /** Where the bytes of a reply come from. */
    @FunctionalInterface
    public interface Source {
        /**
         * Fills all of an array.
         *
         * @param bytes to be filled; may be empty
         * @throws IOException when there is less
         */
        void readFully(byte[] bytes) throws IOException;
    }

    /** {@return the bytes for the wire, ready to be written} */
    public ByteBuffer encode() {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (text.length > HandshakeDescriptor.REASON_BYTES_MAX) {
            text = Arrays.copyOf(text, wholeCharacters(text, HandshakeDescriptor.REASON_BYTES_MAX));
        }
        ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.REPLY_FIXED_BYTES + text.length + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HandshakeDescriptor.MAGIC_OFFSET, HandshakeDescriptor.MAGIC);
        bytes.putShort(HandshakeDescriptor.VERSION_OFFSET, HandshakeDescriptor.VERSION);
        bytes.putShort(HandshakeDescriptor.STATUS_OFFSET, status.code);
        bytes.putShort(HandshakeDescriptor.REASON_LENGTH_OFFSET, (short) text.length);
        bytes.putShort(HandshakeDescriptor.REPLY_PAYLOAD_LENGTH_OFFSET, (short) payload.length);
        bytes.putLong(HandshakeDescriptor.REPLY_INCARNATION_OFFSET, incarnation);
        bytes.putLong(HandshakeDescriptor.REPLY_CONNECTION_OFFSET, connectionId);
        bytes.put(HandshakeDescriptor.REPLY_FIXED_BYTES, text);
        bytes.put(HandshakeDescriptor.REPLY_FIXED_BYTES + text.length, payload);
        return bytes;
    }

    /** {@return the longest prefix that ends between two characters} */
    private static int wholeCharacters(byte[] utf8, int bytesMax) {
        int end = bytesMax;
        while ((utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }

    /**
     * Reads a reply.
     *
     * @param source what the listener sends
     * @return the reply; one that refuses may be of another version
     * @throws IOException when the source fails, or its bytes are no reply
     */
    public static Reply read(Source source) throws IOException {
        // A stranger may send less than a reply.
        ByteBuffer magic = read(source, HandshakeDescriptor.VERSION_OFFSET);
        if (magic.getLong(HandshakeDescriptor.MAGIC_OFFSET) != HandshakeDescriptor.MAGIC) {
            throw new IOException("it does not answer as a DXNet node does");
        }
        ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.REPLY_FIXED_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(magic)
                .put(read(source, HandshakeDescriptor.REPLY_FIXED_BYTES - HandshakeDescriptor.VERSION_OFFSET));
        int status = bytes.getShort(HandshakeDescriptor.STATUS_OFFSET);
        int length = bytes.getShort(HandshakeDescriptor.REASON_LENGTH_OFFSET) & 0xFFFF;
        int payloadLength = bytes.getShort(HandshakeDescriptor.REPLY_PAYLOAD_LENGTH_OFFSET) & 0xFFFF;
        if (length > HandshakeDescriptor.REASON_BYTES_MAX
                || payloadLength > HandshakeDescriptor.PAYLOAD_BYTES_MAX
                || status < HandshakeDescriptor.ACCEPTED
                || status > HandshakeDescriptor.STALE) {
            throw new IOException("it does not answer as a DXNet node does");
        }
        long incarnation = bytes.getLong(HandshakeDescriptor.REPLY_INCARNATION_OFFSET);
        long connectionId = bytes.getLong(HandshakeDescriptor.REPLY_CONNECTION_OFFSET);
        if (status == HandshakeDescriptor.ACCEPTED
                && (bytes.getShort(HandshakeDescriptor.VERSION_OFFSET) != HandshakeDescriptor.VERSION
                        || incarnation == 0
                        || connectionId <= 0)) {
            throw new IOException("it does not answer as a DXNet node does: it accepts with a wrong version or no ids");
        }
        byte[] text = new byte[length];
        source.readFully(text);
        byte[] payload = new byte[payloadLength];
        source.readFully(payload);
        // A refusal of another version is understood: its layout is the same in all
        // versions, and it has no payload.
        return new Reply(
                Status.values()[status - HandshakeDescriptor.ACCEPTED],
                incarnation,
                connectionId,
                new String(text, StandardCharsets.UTF_8),
                payload);
    }

    private static ByteBuffer read(Source source, int count) throws IOException {
        byte[] bytes = new byte[count];
        source.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
