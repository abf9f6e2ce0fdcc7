package io.dxnet.runtime.receive;

import io.dxnet.jmh.NanosPerItem;
import io.dxnet.jmh.QueueTransfer;
import io.dxnet.jmh.Transfer;
import io.dxnet.transport.BenchmarkBuffers;
import io.dxnet.transport.IncomingBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * The incoming buffer queue, bounded by buffers and bytes: nanoseconds for
 * one buffer, all threads together.
 */
@OperationsPerInvocation(Transfer.ITEMS)
public class StructureIncomingQueue extends NanosPerItem {
    /** Buffers through the queue. */
    public static class Ibq extends Transfer {
        private static final int CAPACITY = 1 << 14;

        @Param({"1", "2", "4"})
        int producers;

        private final IncomingBuffer buffer = BenchmarkBuffers.of(64);
        private IncomingBufferQueue queue;

        @Override
        protected int workers() {
            return producers;
        }

        @Override
        protected void prepare() {
            queue = new IncomingBufferQueue(CAPACITY, Long.MAX_VALUE / 2);
        }

        @Override
        protected void work(int worker) {
            for (int i = ITEMS / producers; i > 0; i--) {
                int tries = 0;
                while (!queue.offer(buffer)) {
                    tries = backOff(tries);
                }
            }
        }

        @Override
        protected long drive() {
            long sum = 0;
            int tries = 0;
            for (int left = ITEMS; left > 0; ) {
                IncomingBuffer next = queue.poll();
                if (next == null) {
                    tries = backOff(tries);
                } else {
                    sum += next.length();
                    left--;
                    tries = 0;
                }
            }
            return sum;
        }
    }

    @Benchmark
    public long incomingBufferQueue(Ibq transfer) {
        return transfer.round();
    }

    /** JCTools' queue of references. */
    @Benchmark
    public long jctoolsReferences(QueueTransfer.Mpsc transfer) {
        return transfer.round();
    }
}
