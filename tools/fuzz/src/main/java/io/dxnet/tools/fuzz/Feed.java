package io.dxnet.tools.fuzz;

import io.dxnet.contract.ReadChannel;
import java.nio.ByteBuffer;

/** A channel that has some bytes, in pieces of at most a number, and then no more for now. */
public final class Feed extends ReadChannel {
    private final ByteBuffer left;
    private final int pieceBytes;

    /**
     * Creates a channel that has all bytes to read.
     *
     * @param bytes what is read
     * @param pieceBytes the most that one read returns
     */
    public Feed(byte[] bytes, int pieceBytes) {
        this.left = ByteBuffer.wrap(bytes);
        this.pieceBytes = pieceBytes;
    }

    /**
     * Whether all was read.
     *
     * @return whether nothing is left
     */
    public boolean isEmpty() {
        return !left.hasRemaining();
    }

    @Override
    public int read(ByteBuffer into) {
        int bytes = Math.min(pieceBytes, Math.min(into.remaining(), left.remaining()));
        into.put(left.slice(left.position(), bytes));
        left.position(left.position() + bytes);
        return bytes;
    }
}
