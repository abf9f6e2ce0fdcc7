package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.IncomingBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an incomplete message holds, whatever pieces it comes in. */
class SplitMessageTest {
    private static final int SMALL = DXNetConfig.SMALL_BUFFER_BYTES;
    private static final int LARGE = DXNetConfig.LARGE_BUFFER_BYTES;
    private static final int HEAD = 100; // of the first buffer: other messages

    private final Buffers buffers = new Buffers();
    private final PeerConnection peer = Buffers.connection(1);

    @AfterEach
    void close() {
        assertThat(buffers.pool.inUse()).isZero();
        buffers.close();
    }

    private static byte at(int position) {
        return (byte) (position * 31 + (position >>> 8));
    }

    /** A piece as the coordinator adds it, from a buffer of a wanted size. */
    private void add(SplitMessage split, int wanted, int bytes, boolean packed) {
        int from = split.length - split.missing();
        IncomingBuffer buffer = buffers.pool.takeAny(wanted);
        int offset = from == 0 ? HEAD : 0;
        for (int i = 0; i < bytes; i++) {
            buffer.segment().set(WireFormat.BYTE, offset + i, at(from + i));
        }
        buffer.length(offset + bytes);
        buffer.handOver(peer);
        if (packed) {
            split.addPacked(buffer, offset, bytes);
        } else {
            split.add(buffer, offset, bytes);
        }
        buffer.release();
    }

    private static void assertIntact(SplitMessage split) {
        int position = 0;
        for (int p = 0; p < split.pieces(); p++) {
            for (int i = 0; i < split.bytes(p); i++) {
                assertThat(split.buffer(p).segment().get(WireFormat.BYTE, split.offset(p) + i))
                        .isEqualTo(at(position++));
            }
        }
        assertThat(position).isEqualTo(split.length - split.missing());
    }

    private static SplitMessage message(PeerConnection peer, int length) {
        SplitMessage split = new SplitMessage();
        split.begin(peer, 0, length, 0);
        return split;
    }

    @Test
    void shouldHoldOneBufferForManyPiecesOfOneByte() {
        SplitMessage split = message(peer, 100 << 20);
        for (int i = 0; i < SMALL - HEAD; i++) {
            add(split, 1, 1, false);
            assertThat(buffers.pool.inUse()).isEqualTo(1);
        }
        assertIntact(split);
        split.release();
    }

    @Test
    void shouldHoldAtMostTwiceItsBytesWhateverThePiecesAre() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            boolean packed = seed % 3 == 0;
            SplitMessage split = message(peer, 1 + random.nextInt(3 << 20));
            int first = 0;
            while (split.missing() > 0) {
                int wanted = random.nextBoolean() ? SMALL : LARGE;
                int most = Math.min(split.missing(), wanted - HEAD);
                int bytes = random.nextInt(4) == 0 ? most : 1 + random.nextInt(most) / (1 + random.nextInt(1000));
                add(split, wanted, bytes, packed);
                first = split.buffer(0).capacity();
                int last = split.buffer(split.pieces() - 1).capacity();
                long got = split.length - split.missing();
                assertThat(split.held())
                        .as("seed %d after %d bytes", seed, got)
                        .isLessThanOrEqualTo((packed ? got : 2 * got) + first + last);
                assertThat(split.held()).isEqualTo(buffers.pool.bytesInUse());
            }
            assertIntact(split);
            split.release();
        }
    }
}
