package io.dxnet.transport.ring;

import io.dxnet.jmh.NanosPerItem;
import io.dxnet.jmh.QueueTransfer;
import io.dxnet.jmh.Transfer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The outgoing ring buffer with and without its catch-up buffer, for 1 to 128 producers (DXNet,
 * Figure 14). Nanoseconds for one message of 64 bytes, all threads together.
 */
@OperationsPerInvocation(Transfer.ITEMS)
public class StructureRing extends NanosPerItem {
    @Benchmark
    public long withCub(RingTransfer.WithCub transfer) {
        return transfer.round();
    }

    @Benchmark
    public long withoutCub(RingTransfer.WithoutCub transfer) {
        return transfer.round();
    }

    /**
     * JCTools' queue of references; nothing is copied, the
     * consumer reads a message that exists already.
     */
    @Benchmark
    public long jctoolsReferences(QueueTransfer.Mpsc transfer) {
        return transfer.round();
    }
}
