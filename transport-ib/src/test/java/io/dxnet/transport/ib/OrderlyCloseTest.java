package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.transport.Transport;
import java.util.List;
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

    @Test
    void shouldSendTheSignalsBeforeTheEnd() throws Exception {
        AtomicInteger atTheEnd = new AtomicInteger();
        peer.onLost = lost -> atTheEnd.set(atPeer.signalsReceived.get());
        signal(HANDLED);
        node.transport.close(connection, Transport.Close.IN_ORDER);
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200); // of one second, the time to linger
        while (System.nanoTime() < endNs) { // the agents of this node are busy otherwise
            node.awaitControlChannels();
            peer.awaitControlChannels();
            peer.cycle();
        }
        assertThat(peer.lost).isEmpty();
        assertThat(peer.state(0).side().heardBye()).isFalse();
        Cluster.await("the end", () -> {
            node.cycle();
            peer.cycle();
            return atPeer.released && connection.released;
        });
        assertThat(atTheEnd).hasValue(HANDLED);
        assertThat(node.lost).isEmpty();
    }

    /** An agent that does nothing any more keeps no connection: the end has a limit. */
    @Test
    void shouldEndThoughTheSignalsCannotBeSent() {
        signal(HANDLED);
        node.transport.close(connection, Transport.Close.IN_ORDER);
        Cluster.await("the end", () -> {
            peer.cycle();
            return !peer.lost.isEmpty();
        });
        assertThat(atPeer.signalsReceived).hasValue(0);
    }
}
