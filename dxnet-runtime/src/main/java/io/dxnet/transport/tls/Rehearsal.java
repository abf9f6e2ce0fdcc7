package io.dxnet.transport.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Performs a handshake of a node with itself, in memory: it shows whether other nodes can accept
 * the node's certificate, and loads the classes of TLS before the first handshake has a time limit.
 */
final class Rehearsal {
    private static final int STEPS_MAX = 100;

    /** One side's channel: writes to its own bytes, reads the other's. */
    private static final class Memory implements ByteChannel {
        private final ByteBuffer bytes = ByteBuffer.allocate(2 * TlsChannel.HANDSHAKE_BYTES_MAX);

        @SuppressWarnings("NullAway.Init") // before the handshake
        private Memory other;

        @Override
        public int read(ByteBuffer target) {
            ByteBuffer from = other.bytes.flip();
            int count = Math.min(from.remaining(), target.remaining());
            target.put(from.slice(from.position(), count));
            from.position(from.position() + count);
            from.compact();
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = Math.min(source.remaining(), bytes.remaining());
            bytes.put(source.slice(source.position(), count));
            source.position(source.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to free
        }
    }

    private Rehearsal() {}

    /** {@return why a handshake fails; null: it succeeds} */
    @Nullable
    static String run(TlsContext context) {
        Memory near = new Memory();
        Memory far = new Memory();
        near.other = far;
        far.other = near;
        TlsChannel opening = new TlsChannel(near, context.connecting(0));
        TlsChannel accepting = new TlsChannel(far, context.accepting());
        try {
            for (int i = 0; i < STEPS_MAX; i++) {
                TlsChannel.Step here = opening.handshake();
                TlsChannel.Step there = accepting.handshake();
                if (here == TlsChannel.Step.DONE && there == TlsChannel.Step.DONE) {
                    return null;
                }
            }
            return "it has no end";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
