package io.dxnet.transport.shm;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a node sends in its hello: the file with the ring for the direction from it. The name has no
 * folder: the other node opens it in its own, which is the same where both share memory.
 *
 * <pre>
 *   0        4
 *  +--------+---------------------------+
 *  |capacity| name, ASCII, to the end    |
 *  +--------+---------------------------+
 * </pre>
 *
 * @param capacity of the ring, bytes
 * @param name of the file: see {@link RingFolder}
 */
record RingOffer(int capacity, String name) {
    /** Namespace of process ids, process id, 128 random bits. */
    private static final Pattern NAME = Pattern.compile("(\\d{1,20})-(\\d{1,10})-[0-9a-f]{32}");

    /** Returns the bytes for the hello, little endian. */
    byte[] encode() {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(Integer.BYTES + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(capacity)
                .put(text)
                .array();
    }

    /**
     * Reads an offer.
     *
     * @param payload of a hello
     * @return the offer; its name leads to no other folder
     * @throws IOException when it is none
     */
    static RingOffer decode(byte[] payload) throws IOException {
        int capacity;
        try {
            capacity = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getInt();
        } catch (BufferUnderflowException e) {
            throw new IOException("the hello names no shared memory", e);
        }
        String name = new String(payload, Integer.BYTES, payload.length - Integer.BYTES, StandardCharsets.US_ASCII);
        if (!RingLayout.isCapacity(capacity) || !NAME.matcher(name).matches()) {
            throw new IOException("the hello names no shared memory of this version");
        }
        return new RingOffer(capacity, name);
    }

    /** Returns whether a file's name is one that nodes use. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
