package io.dxnet.softhca.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a capture, with their place in it for messages. */
final class CaptureInput {
    private final InputStream in;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private long position;

    CaptureInput(InputStream in) {
        this.in = in;
    }

    /** The order of what is read from now on. */
    void order(ByteOrder newOrder) {
        order = newOrder;
    }

    ByteOrder order() {
        return order;
    }

    /** The number of bytes that were read. */
    long position() {
        return position;
    }

    /**
     * The next bytes, or null where the capture ends. A long {@code count} allocates only what is
     * there.
     */
    ByteBuffer nextOrEnd(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length == 0 && count > 0) {
            return null;
        }
        position += bytes.length;
        if (bytes.length < count) {
            throw new CaptureException("the capture ends within a packet or block, at byte " + position + ": "
                    + (count - bytes.length) + " bytes are missing");
        }
        return ByteBuffer.wrap(bytes).order(order);
    }

    /** The next bytes, which have to be there. */
    ByteBuffer next(int count) throws IOException {
        ByteBuffer bytes = nextOrEnd(count);
        if (bytes == null) {
            throw new CaptureException("the capture ends at byte " + position + ": " + count + " bytes are missing");
        }
        return bytes;
    }
}
