package io.dxnet.transport.shared;

import io.dxnet.jmh.NanosPerCall;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * The interest queue (write interest manager) of the transports: nanoseconds for posting an
 * interest, and for posting and draining one.
 */
public class StructureInterest extends NanosPerCall {
    private static final int WRITE = 1;
    private static final int NODE = 7;
    private static final int OTHER_NODE = 8;
    private static final int NODES = 1 << 16;

    private InterestQueue queue;
    private InterestQueue.Handler handler;
    private MpscVarHandleArrayQueue<Integer> references;
    private AtomicIntegerArray bits;
    private Integer node;
    private int seen;

    @Setup
    public void fill() {
        queue = new InterestQueue();
        queue.post(OTHER_NODE, WRITE);
        handler = (id, wanted) -> seen += id + wanted;
        references = new MpscVarHandleArrayQueue<>(NODES);
        bits = new AtomicIntegerArray(NODES);
        bits.set(OTHER_NODE, WRITE);
        node = NODE;
    }

    /** What nearly every message does: the interest is there already. */
    @Benchmark
    public boolean postAgain() {
        return queue.post(OTHER_NODE, WRITE);
    }

    @Benchmark
    public int postAndDrain() {
        queue.post(NODE, WRITE);
        queue.drain(handler);
        return seen;
    }

    /**
     * The nearest that a library offers: JCTools' queue of node ids, and bits beside
     * it so that each is in it once.
     */
    @Benchmark
    public int jctoolsPostAndDrain() {
        if (bits.getAndAccumulate(NODE, WRITE, (a, b) -> a | b) == 0) {
            references.offer(node);
        }
        for (Integer id = references.poll(); id != null; id = references.poll()) {
            seen += id + bits.getAndSet(id, 0);
        }
        return seen;
    }
}
