package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A failure of one connection does not concern the others: their time
 * limits hold.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ControlChannelsTest {
    private static final QpInfo NOWHERE =
            new QpInfo(new QpAddress(4711, 1, 0, Gid.parseHex("00000000000000000000ffff0a090909")), 4096, 65536, 300);

    private final List<String> addresses = Ports.addresses(4);
    private FakeEngine node;

    @BeforeEach
    void start() {
        node = FakeEngine.started(
                IbNodes.tiny(DXNetConfig.builder()).transportOption("ib.keepAliveMs", "300"), 0, addresses);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private RawPeer hello(int nodeId) throws IOException {
        RawPeer peer = new RawPeer(Ports.resolved(addresses.get(0)))
                .write(Hello.of(node.config(), "ib", nodeId, 0, 77, 1, 0, NOWHERE.encode())
                        .encode());
        assertThat(peer.answer(from -> Reply.read(from::readFully)).accepted()).isTrue();
        return peer;
    }

    private void awaitLost(int count) {
        Cluster.await(count + " ends", () -> {
            node.cycle();
            return node.lost.size() == count;
        });
    }

    @Test
    void shouldKeepTheTimeLimitsWhateverIsPosted() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread posting = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                node.transport.sides.post(1, Interest.OPENED | Interest.WRITE | Interest.CLOSE);
            }
        });
        try (RawPeer silent = hello(1)) {
            silent.write(new byte[] {ControlChannel.READY});
            awaitLost(1);
            assertThat(node.lost.peek()).contains("ib.keepAliveMs");
        } finally {
            done.set(true);
            posting.join();
        }
        assertThat(node.errors).isEmpty();
    }

    /**
     * The engine throws out of each connection's word that it is ready:
     * each of them ends, and reports why.
     */
    @Test
    void shouldEndTheConnectionAloneWhoseHandlingThrows() throws Exception {
        node.onReady = connection -> {
            if (connection.nodeId() != 2) {
                throw new IllegalStateException("the test wants it");
            }
        };
        try (RawPeer first = hello(1);
                RawPeer good = hello(2);
                RawPeer third = hello(3)) {
            for (RawPeer each : List.of(first, good, third)) {
                each.write(new byte[] {ControlChannel.READY});
            }
            awaitLost(2);
            assertThat(node.lost).allMatch(detail -> detail.contains("the test wants it"));
            assertThat(first.isCutOff()).isTrue();
            assertThat(third.isCutOff()).isTrue();
            Cluster.await("the good one is usable", () -> node.state(2).isUsable());
        }
    }

    /** The heap is full: the report of an error fails too. */
    @Test
    void shouldSurviveAnErrorThatCannotBeLogged() throws Exception {
        Logger log = Logger.getLogger(ControlChannels.class.getName());
        AtomicInteger logged = new AtomicInteger();
        Filter before = log.getFilter();
        log.setFilter(entry -> {
            logged.incrementAndGet();
            throw new OutOfMemoryError("of the log");
        });
        node.onReady = connection -> {
            if (connection.nodeId() != 2) {
                throw new OutOfMemoryError("the test wants it");
            }
        };
        try (RawPeer first = hello(1);
                RawPeer good = hello(2);
                RawPeer third = hello(3)) {
            for (RawPeer each : List.of(first, good, third)) {
                each.write(new byte[] {ControlChannel.READY});
            }
            awaitLost(2);
            assertThat(first.isCutOff()).isTrue();
            assertThat(third.isCutOff()).isTrue();
            Cluster.await("the good one is usable", () -> node.state(2).isUsable());
        } finally {
            log.setFilter(before);
        }
        assertThat(logged).hasValue(2);
    }
}
