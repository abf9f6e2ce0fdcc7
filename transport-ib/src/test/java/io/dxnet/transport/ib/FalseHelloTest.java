package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.transport.Transport;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hello that claims to be a known node's: it ends no connection that lives,
 * and keeps no other node out afterwards.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FalseHelloTest {
    private static final int PEER = 1;
    private static final long RUN = 77;
    private static final QpInfo NOWHERE = new QpInfo(
            new QpAddress(4711, 1, 0, Gid.parseHex("00000000000000000000ffff0a090909")), 4096, 65536, 30_000);

    private final List<String> addresses = Ports.addresses(2);
    private FakeEngine node;
    private volatile boolean stopped;
    private Thread receiving;

    @BeforeEach
    void start() {
        node = FakeEngine.started(
                IbNodes.tiny(DXNetConfig.builder())
                        .transportOption("ib.keepAliveMs", "30000")
                        .transportOption("ib.handshakeTimeoutMs", "30000"),
                0,
                addresses);
        receiving = Thread.ofPlatform().daemon().start(() -> {
            while (!stopped) {
                node.cycle();
                Thread.yield();
            }
        });
    }

    @AfterEach
    void stop() throws Exception {
        stopped = true;
        receiving.join();
        assertThat(node.errors).isEmpty();
        node.close();
    }

    private RawPeer hello(long incarnation, long connectionId) throws IOException {
        return new RawPeer(Ports.resolved(addresses.get(0)))
                .write(Hello.of(node.config(), "ib", PEER, 0, incarnation, connectionId, 0, NOWHERE.encode())
                        .encode());
    }

    private static Reply reply(RawPeer peer) throws IOException {
        return peer.answer(from -> Reply.read(from::readFully));
    }

    /** A peer whose connection is open. */
    private RawPeer connected(long connectionId) throws IOException {
        RawPeer peer = hello(RUN, connectionId);
        assertThat(reply(peer).accepted()).isTrue();
        peer.write(new byte[] {ControlChannel.READY});
        Cluster.await("it is usable", () -> node.state(PEER).isUsable());
        return peer;
    }

    private static void awaitProbe(RawPeer peer) throws IOException {
        int word;
        do {
            word = peer.read();
        } while (word == ControlChannel.ALIVE);
        assertThat(word).isEqualTo(ControlChannel.PROBE);
    }

    @ParameterizedTest
    @ValueSource(longs = {RUN, RUN + 1})
    void shouldBeRefusedWhenTheConnectionAnswers(long claimedRun) throws Exception {
        try (RawPeer real = connected(3)) {
            IbConnection connection = node.state(PEER);
            for (int i = 0; i < 3; i++) {
                try (RawPeer forger = hello(claimedRun, Long.MAX_VALUE - i)) {
                    awaitProbe(real);
                    real.write(new byte[] {ControlChannel.OPEN});
                    Reply reply = reply(forger);
                    assertThat(reply.accepted()).isFalse();
                    assertThat(reply.reason()).contains(claimedRun == RUN ? "connected already" : "in use");
                }
            }
            assertThat(connection.isInUse() && connection.failure() == null).isTrue();
            assertThat(node.state(PEER)).isSameAs(connection);
            assertThat(node.lost).isEmpty();
        }
    }

    /**
     * Of a sign of life that was under way, nothing follows: it may be older than the
     * connection's end on the other side.
     */
    @Test
    void shouldWaitForTheAnswerNotForASignOfLife() throws Exception {
        try (RawPeer real = connected(3);
                RawPeer next = hello(RUN, 4)) {
            awaitProbe(real);
            real.write(new byte[] {ControlChannel.ALIVE, ControlChannel.ALIVE});
            node.awaitControlChannels();
            real.hangUp();
            assertThat(reply(next).accepted()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {RUN, RUN + 1})
    void shouldBeAcceptedWhenTheConnectionIsReset(long nextRun) throws Exception {
        try (RawPeer real = connected(3);
                RawPeer next = hello(nextRun, 4)) {
            awaitProbe(real);
            real.reset();
            assertThat(reply(next).accepted()).isTrue();
            assertThat(node.lost).hasSize(1);
        }
    }

    @Test
    void shouldKeepNobodyOutAfterwards() throws Exception {
        try (RawPeer forger = hello(RUN, Long.MAX_VALUE)) {
            assertThat(reply(forger).accepted()).isTrue();
        }
        Cluster.await("its end", () -> node.lost.size() == 1);
        try (RawPeer real = hello(RUN, 2)) {
            assertThat(reply(real).accepted()).isTrue();
        }
    }

    @Test
    void shouldBeRefusedWhenThatConnectionHasEnded() throws Exception {
        try (RawPeer real = connected(3)) {
            real.hangUp();
        }
        Cluster.await("its end", () -> node.lost.size() == 1);
        Cluster.await("it is known", () -> {
            try (RawPeer late = hello(RUN, 3)) {
                return reply(late).reason().contains("has ended");
            } catch (IOException e) {
                return false;
            }
        });
    }

    /**
     * The other direction: this node is asked, and answers as often as it was, as
     * long as its connection is open.
     */
    @Test
    void shouldBeAnsweredWhileTheConnectionIsOpen() throws Exception {
        try (RawPeer peer = connected(3)) {
            peer.write(new byte[] {ControlChannel.PROBE, ControlChannel.PROBE, ControlChannel.PROBE});
            for (int i = 0; i < 3; i++) {
                assertThat(peer.read()).isEqualTo(ControlChannel.OPEN);
            }
            FakeEngine.FakeConnection ending = node.end(PEER);
            peer.write(new byte[] {ControlChannel.PROBE, ControlChannel.BYE});
            Cluster.await(
                    "it is read",
                    () -> ((IbConnection) ending.attachment()).side().heardBye());
            node.transport.close(ending, Transport.Close.AT_ONCE);
            assertThat(peer.isHungUp()).as("no answer").isTrue();
        }
    }

    /**
     * Both nodes end a connection, with what was sent on it still to be handled: its
     * successor does not wait for that.
     */
    @Test
    void shouldBeAcceptedBesideAConnectionThatEnds() throws Exception {
        try (RawPeer real = connected(3);
                RawPeer next = hello(RUN, 4)) {
            awaitProbe(real);
            FakeEngine.FakeConnection ending = node.end(PEER);
            assertThat(reply(next).accepted()).isTrue();
            assertThat(((IbConnection) ending.attachment()).isUsable()).isTrue();
            assertThat(node.connection(PEER)).isNotSameAs(ending);
            try (RawPeer late = hello(RUN, 3)) {
                assertThat(reply(late).status()).isEqualTo(Reply.Status.STALE);
            }
            assertThat(node.lost).isEmpty();
        }
    }

    @Test
    void shouldEndAConnectionThatAnswersWhatWasNotAsked() throws Exception {
        try (RawPeer peer = connected(3)) {
            peer.write(new byte[] {ControlChannel.OPEN});
            assertThat(peer.isCutOff()).isTrue();
            Cluster.await("word of the end", () -> node.lost.size() == 1);
            assertThat(node.lost.peek()).contains("not asked");
        }
    }
}
