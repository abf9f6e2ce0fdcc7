package io.dxnet.jmh;

import java.nio.ByteBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * The peer of {@code StructureRing}, in a fork of its own because it
 * needs a part of the JDK opened.
 */
@OperationsPerInvocation(Transfer.ITEMS)
@Fork(value = 2, jvmArgsAppend = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
public class StructureRingAgrona extends NanosPerItem {
    /** Agrona's ring; claims in place, as DXNet's. */
    public static class Ring extends Transfer {
        private static final int RING_BYTES = 1 << 20;
        private static final int MESSAGE_BYTES = 64;
        private static final int TYPE = 1;
        private static final int BATCH = 1024;

        @Param({"1", "2", "4", "8", "16", "32", "64", "128"})
        int producers;

        private ManyToOneRingBuffer ring;
        private long sum;

        @Override
        protected int workers() {
            return producers;
        }

        @Override
        protected void prepare() {
            ring = new ManyToOneRingBuffer(
                    new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
        }

        @Override
        protected void work(int worker) {
            for (int i = ITEMS / producers; i > 0; i--) {
                int tries = 0;
                int at = ring.tryClaim(TYPE, MESSAGE_BYTES);
                while (at < 0) {
                    tries = backOff(tries);
                    at = ring.tryClaim(TYPE, MESSAGE_BYTES);
                }
                for (int j = 0; j < MESSAGE_BYTES; j += Long.BYTES) {
                    ring.buffer().putLong(at + j, i);
                }
                ring.commit(at);
            }
        }

        @Override
        protected long drive() {
            MessageHandler handler = (type, buffer, index, length) -> sum += buffer.getLong(index);
            int tries = 0;
            for (int left = ITEMS; left > 0; ) {
                int count = ring.read(handler, BATCH);
                tries = count == 0 ? backOff(tries) : 0;
                left -= count;
            }
            return sum;
        }
    }

    @Benchmark
    public long agrona(Ring transfer) {
        return transfer.round();
    }
}
