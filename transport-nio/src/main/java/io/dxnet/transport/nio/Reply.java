package io.dxnet.transport.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the listener answers in the handshake: see {@link HandshakeDescriptor}.
 *
 * @param accepted whether the channel is open now
 * @param incarnation of this run of the listener
 * @param connectionId of the connection, on the listener; 0 when refused
 * @param reason why not; empty when accepted
 */
record Reply(boolean accepted, long incarnation, long connectionId, String reason) {

    /** Where the bytes of a reply come from. */
    @FunctionalInterface
    interface Source {
        /** Fills all of it, or throws. */
        void readFully(byte[] bytes) throws IOException;
    }

    /** The bytes, ready to be written. */
    ByteBuffer encode() {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (text.length > HandshakeDescriptor.REASON_BYTES_MAX) {
            text = Arrays.copyOf(text, HandshakeDescriptor.REASON_BYTES_MAX);
        }
        ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.REPLY_FIXED_BYTES + text.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HandshakeDescriptor.MAGIC_OFFSET, HandshakeDescriptor.MAGIC);
        bytes.putShort(HandshakeDescriptor.VERSION_OFFSET, HandshakeDescriptor.VERSION);
        bytes.putShort(
                HandshakeDescriptor.STATUS_OFFSET,
                accepted ? HandshakeDescriptor.ACCEPTED : HandshakeDescriptor.REFUSED);
        bytes.putShort(HandshakeDescriptor.REASON_LENGTH_OFFSET, (short) text.length);
        bytes.putShort(HandshakeDescriptor.ZERO_OFFSET, (short) 0);
        bytes.putLong(HandshakeDescriptor.REPLY_INCARNATION_OFFSET, incarnation);
        bytes.putLong(HandshakeDescriptor.REPLY_CONNECTION_OFFSET, connectionId);
        bytes.put(HandshakeDescriptor.REPLY_FIXED_BYTES, text);
        return bytes;
    }

    /**
     * Reads a reply.
     *
     * @throws IOException when the source fails, or what it gives is no reply
     */
    static Reply read(Source source) throws IOException {
        ByteBuffer magic = read(source, HandshakeDescriptor.VERSION_OFFSET); // a stranger may say less than a reply
        if (magic.getLong(HandshakeDescriptor.MAGIC_OFFSET) != HandshakeDescriptor.MAGIC) {
            throw new IOException("it does not answer as a DXNet node does");
        }
        ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.REPLY_FIXED_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(magic)
                .put(read(source, HandshakeDescriptor.REPLY_FIXED_BYTES - HandshakeDescriptor.VERSION_OFFSET));
        int status = bytes.getShort(HandshakeDescriptor.STATUS_OFFSET);
        int length = bytes.getShort(HandshakeDescriptor.REASON_LENGTH_OFFSET) & 0xFFFF;
        if (length > HandshakeDescriptor.REASON_BYTES_MAX
                || (status != HandshakeDescriptor.ACCEPTED && status != HandshakeDescriptor.REFUSED)) {
            throw new IOException("it does not answer as a DXNet node does");
        }
        byte[] text = new byte[length];
        source.readFully(text);
        // A refusal of another version is understood: its layout is the same in all versions.
        return new Reply(
                status == HandshakeDescriptor.ACCEPTED,
                bytes.getLong(HandshakeDescriptor.REPLY_INCARNATION_OFFSET),
                bytes.getLong(HandshakeDescriptor.REPLY_CONNECTION_OFFSET),
                new String(text, StandardCharsets.UTF_8));
    }

    private static ByteBuffer read(Source source, int count) throws IOException {
        byte[] bytes = new byte[count];
        source.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
