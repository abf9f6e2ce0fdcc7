package io.dxnet.transport.ib;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages;
import io.dxnet.contract.TestMessages.Data;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages of 1 byte to 100 KB from one node to another without end, each with the next number. A
 * send that fails is counted and never repeated, so the receiver must see each number at most once,
 * in order; where the connection stays up, each one.
 */
final class VerifiedStream implements AutoCloseable {
    private static final int[] BYTES = {64, 1, 64, 1000, 64, 64, 20_000, 64, 64, 4096, 64, 64, 100_000, 64, 64, 64};
    private static final long PAUSE_NS = 20_000_000;

    private final DXNet from;
    private final int to;
    private final Thread thread;
    private volatile boolean closed;
    private volatile long pauseNs; // after each message
    private volatile int sent; // the thread
    private volatile int failed; // the thread
    private volatile DXNetException failure; // the thread: the last one
    private volatile long longestNs; // the thread: the longest call
    private volatile Throwable died; // the thread

    VerifiedStream(DXNet from, int to) {
        this.from = from;
        this.to = to;
        this.thread = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
        try {
            for (int i = 0; !closed; i++) {
                send(i);
                if (pauseNs > 0) {
                    LockSupport.parkNanos(pauseNs);
                }
            }
        } catch (RuntimeException e) {
            died = e;
        }
    }

    private void send(int number) {
        Data message = new Data(to, 0, number, BYTES[number % BYTES.length]);
        long beginNs = System.nanoTime();
        try {
            from.sendMessage(message);
            sent++;
        } catch (DXNetException e) {
            failure = e;
            failed++;
            LockSupport.parkNanos(PAUSE_NS); // not as fast as a node that is gone can be asked for
        }
        longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
    }

    /**
     * Leaves the processor to others from now on: another JVM starts on it, which needs
     * minutes beside full streams in an emulator.
     */
    VerifiedStream unhurried() {
        pauseNs = TimeUnit.MILLISECONDS.toNanos(10);
        return this;
    }

    int sent() {
        return sent;
    }

    int failed() {
        return failed;
    }

    DXNetException failure() {
        return failure;
    }

    /** The longest call so far. */
    long longestMs() {
        return longestNs / 1_000_000;
    }

    /** Ends it after the message that is being sent. */
    @Override
    public void close() {
        closed = true;
        Cluster.await("the end of the sender to node " + to, () -> !thread.isAlive());
        if (died != null) {
            throw new AssertionError("the sender to node " + to + " died", died);
        }
    }

    /** What a node receives of others' streams. */
    static final class Receiver {
        private final int[] next;
        private final int[] received; // by source
        private final int[] gaps;
        private final AtomicReference<String> wrong = new AtomicReference<>();

        /** For a node that has not received yet; sources are numbered from 0. */
        Receiver(DXNet net, int sources) {
            next = new int[sources];
            received = new int[sources];
            gaps = new int[sources];
            net.register(TestMessages.TYPE, TestMessages.DATA, this::receive);
        }

        private synchronized void receive(Data data) {
            int source = data.source();
            int expected = next[source];
            if (!data.isIntact()) {
                wrong.compareAndSet(null, "corrupted: message " + data.sequence + " of node " + source);
            } else if (data.sequence < expected) {
                wrong.compareAndSet(
                        null,
                        "again or late: message " + data.sequence + " of node " + source + " after " + (expected - 1));
            } else if (data.sequence > expected) {
                gaps[source]++;
            }
            next[source] = data.sequence + 1;
            received[source]++;
        }

        synchronized int received(int source) {
            return received[source];
        }

        /** Places where messages are missing. */
        synchronized int gaps(int source) {
            return gaps[source];
        }

        /** The source is another run of the node: it counts from 0 again. */
        synchronized void restarted(int source) {
            next[source] = 0;
            received[source] = 0;
            gaps[source] = 0;
        }

        /** What may never happen; null when it did not. */
        String wrong() {
            return wrong.get();
        }
    }
}
