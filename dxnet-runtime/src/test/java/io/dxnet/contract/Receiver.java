package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.contract.TestMessages.Data;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Receives a node's data messages and checks their content, and the order of each stream:
 * a stream is a source and its thread number. A stream that begins anew, with sequence 0,
 * is one of another run of its source.
 */
public final class Receiver {
    /** Done with each message before it counts. */
    public interface Delay {
        void run() throws Exception;
    }

    private final Map<Integer, AtomicInteger> next = new ConcurrentHashMap<>();
    private final AtomicInteger total = new AtomicInteger();
    private final AtomicReference<String> wrong = new AtomicReference<>();
    private volatile Delay delay = () -> {};

    public static Receiver on(DXNet net) {
        Receiver receiver = new Receiver();
        net.register(TestMessages.TYPE, TestMessages.DATA, receiver::receive);
        return receiver;
    }

    public void delay(Delay value) {
        delay = value;
    }

    private void receive(Data data) throws Exception {
        AtomicInteger expected =
                next.computeIfAbsent(data.source() << 8 | data.thread, key -> new AtomicInteger(data.sequence));
        if (!data.isIntact()) {
            wrong.compareAndSet(null, "corrupted: " + data.source() + "/" + data.thread + "/" + data.sequence);
        }
        if (data.sequence != expected.get() && data.sequence != 0) {
            wrong.compareAndSet(
                    null,
                    "stream " + data.source() + "/" + data.thread + ": expected " + expected + ", got "
                            + data.sequence);
        }
        delay.run();
        expected.set(data.sequence + 1);
        total.incrementAndGet();
    }

    /** How many messages of a stream's present run came. */
    public int count(int source, int thread) {
        AtomicInteger count = next.get(source << 8 | thread);
        return count == null ? 0 : count.get();
    }

    public int total() {
        return total.get();
    }

    /** The first thing that was wrong, or null. */
    public String wrong() {
        return wrong.get();
    }

    public void awaitCount(int source, int thread, int count) {
        Cluster.await(
                "message " + count + " of stream " + source + "/" + thread + ", there are " + count(source, thread),
                () -> count(source, thread) >= count || wrong() != null);
        assertThat(wrong()).isNull();
    }
}
