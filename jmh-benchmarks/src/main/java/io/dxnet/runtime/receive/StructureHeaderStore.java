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
 * The message header store, from one coordinator to several handlers: nanoseconds for one entry, a
 * run of messages in a buffer; all threads together.
 */
@OperationsPerInvocation(Transfer.ITEMS)
public class StructureHeaderStore extends NanosPerItem {
    /** Entries through the store. */
    public static class Store extends Transfer {
        private static final int CAPACITY = 1 << 14;

        @Param({"1", "2", "4"})
        int consumers;

        private final IncomingBuffer buffer = BenchmarkBuffers.of(64);
        private MessageHeaderStore store;
        private volatile boolean complete;

        @Override
        protected int workers() {
            return consumers;
        }

        @Override
        protected void prepare() {
            store = new MessageHeaderStore(CAPACITY);
        }

        @Override
        protected void work(int worker) {
            Batch batch = new Batch();
            int tries = 0;
            for (; ; ) {
                boolean last = complete;
                if (store.poll(batch)) {
                    tries = 0;
                } else if (last) {
                    return;
                } else {
                    tries = backOff(tries);
                }
            }
        }

        @Override
        protected void beginRound() {
            complete = false;
        }

        @Override
        protected long drive() {
            for (int i = 0; i < ITEMS; i++) {
                int tries = 0;
                while (!store.offerRun(buffer, 0, buffer.length(), 0)) {
                    tries = backOff(tries);
                }
            }
            complete = true;
            return ITEMS;
        }
    }

    @Benchmark
    public long headerStore(Store transfer) {
        return transfer.round();
    }

    /** JCTools' queue of references. */
    @Benchmark
    public long jctoolsReferences(QueueTransfer.Spmc transfer) {
        return transfer.round();
    }
}
