package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.transport.Transport;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The last signals of a connection report that all was handled: its end must not overtake them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OrderlyCloseTest {
    private static final int HANDLED = 8;

    private FakeEngine node;
    private FakeEngine peer;
    private FakeEngine.FakeConnection connection;
    private FakeEngine.FakeConnection atPeer;

    @BeforeEach
    void start() throws Exception {
        List<String> addresses = Ports.addresses(2);
        node = FakeEngine.started(0, addresses);
        peer = FakeEngine.started(1, addresses);
        node.connect(peer);
        connection = node.connection(1);
        atPeer = peer.connection(0);
    }

    @AfterEach
    void stop() {
        node.close();
        peer.close();
    }

    private void signal(int set) {
        connection.returnSignals(set);
        node.transport.flowControlPosted(connection);
    }

    @Test
    void shouldCarrySignalsWithAndWithoutData() {
        for (int set = 1; set <= 128; set *= 2) {
            if (set > 8) {
                connection.write(10);
                node.transport.dataPosted(connection);
            }
            signal(set);
            int expected = 2 * set - 1;
            Cluster.await("signal " + set, () -> {
                node.cycle();
                peer.cycle();
                return atPeer.signalsReceived.get() == expected;
            });
        }
    }

    /** The agents of the node that closes may be in a callback, or have ended with it. */
    @Test
    void shouldSendTheSignalsBeforeTheEndWithoutTheAgent() throws Exception {
        AtomicInteger atTheEnd = new AtomicInteger();
        peer.onLost = lost -> atTheEnd.set(atPeer.signalsReceived.get());
        signal(HANDLED);
        node.transport.close(connection, Transport.Close.IN_ORDER);
        Cluster.await("the end, which the peer has read", () -> {
            peer.cycle();
            return !peer.lost.isEmpty();
        });
        assertThat(atTheEnd).hasValue(HANDLED);
        awaitRelease();
        assertThat(node.lost).isEmpty();
    }

    /** A thread that is posting for as long as the connection may linger does not keep it. */
    @Test
    void shouldEndThoughTheSignalsCannotBeSent() throws Exception {
        signal(HANDLED);
        CountDownLatch isPosting = new CountDownLatch(1);
        Semaphore mayPost = new Semaphore(0);
        Thread posting = new Thread(node::cycle);
        connection.onTakeSignals = () -> {
            if (Thread.currentThread() == posting) {
                isPosting.countDown();
                mayPost.acquireUninterruptibly();
            }
        };
        posting.start();
        try {
            isPosting.await();
            node.transport.close(connection, Transport.Close.IN_ORDER);
            Cluster.await("the end", () -> {
                peer.cycle();
                return !peer.lost.isEmpty();
            });
            assertThat(atPeer.signalsReceived).hasValue(0);
        } finally {
            connection.onTakeSignals = () -> {};
            mayPost.release();
            posting.join();
        }
        awaitRelease();
    }

    private void awaitRelease() {
        Cluster.await("both sides are freed", () -> {
            node.cycle();
            peer.cycle();
            return atPeer.released && connection.released;
        });
    }
}
