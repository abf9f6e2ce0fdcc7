package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.contract.TestMessages.Data;

/**
 * A stream of verified messages that continues during a fault elsewhere: it must not lose,
 * change, reorder or hold up anything.
 */
public final class GoodStream implements AutoCloseable {
    /** Its number; a receiver can have others besides. */
    public static final int THREAD = 77;

    private static final int PROGRESS = 200;
    private final DXNet from;
    private final int to;
    private final int bytes;
    private final Receiver receiver;
    private final Thread thread;
    private volatile int sent; // the thread
    private volatile boolean stopped;
    private volatile Exception failure; // the thread

    /** Starts it; the receiver is that of the node {@code to}. */
    public GoodStream(DXNet from, int to, Receiver receiver, int bytes) {
        this.from = from;
        this.to = to;
        this.bytes = bytes;
        this.receiver = receiver;
        this.thread = Thread.ofPlatform().daemon().name("good-stream").start(this::run);
        awaitProgress();
    }

    private void run() {
        try {
            for (int i = 0; !stopped; i++) {
                from.sendMessage(new Data(to, THREAD, i, bytes));
                sent = i + 1;
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    public int received() {
        return receiver.count(from.nodeId(), THREAD);
    }

    /**
     * Waits until some more messages were delivered: the stream is not held up
     * by what happens elsewhere.
     */
    public void awaitProgress() {
        int goal = received() + PROGRESS;
        Cluster.await("progress of the good stream", () -> received() >= goal || failure != null);
        assertThat(failure).isNull();
        assertThat(receiver.wrong()).isNull();
    }

    /** Ends it, and checks that all of it arrived. */
    @Override
    public void close() {
        stopped = true;
        Cluster.await("the end of the good stream", () -> !thread.isAlive());
        assertThat(failure).isNull();
        receiver.awaitCount(from.nodeId(), THREAD, sent);
        assertThat(received()).isEqualTo(sent);
    }
}
