package io.dxnet.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.attack.Middle.Direction;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Data;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Strangers, recordings and machines in the middle, in each mode: those that succeed where nodes
 * prove nothing fail in the others.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class AttackContract extends AttackFixture {
    private static final int HELLO_INCARNATION = 16;
    private static final int RECORDED = 5; // the thread number of a recorded message

    /** The attacks on one wire. */
    protected AttackContract(String transport, UnaryOperator<DXNetConfig.Builder> settings) {
        super(transport, settings);
    }

    /**
     * A byte of the opening node's hello that can be changed without a trace where nodes prove
     * nothing.
     */
    protected int unnoticedHelloByte() {
        return HELLO_INCARNATION;
    }

    /** What a recording is good for where nodes prove nothing. */
    protected enum Replay {
        /** The messages in it are handled again. */
        MESSAGES,
        /** The listener accepts it; nothing comes over the connection. */
        CONNECTION,
        /** Nothing: the recorded node's memory is gone. */
        NOTHING
    }

    /** What the wire allows; a connection with the messages on it where it is TCP. */
    protected Replay replay() {
        return Replay.MESSAGES;
    }

    // ---------------------------------------------------------------- strangers

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldKeepOutAStrangerWithAFreeNodeId(Protection mode) throws Exception {
        try (Cluster victim = members(mode, map(0));
                Cluster stranger = strangers(mode, map(2))) {
            if (mode.isOn()) {
                assertRefused(stranger, 0);
                assertNothingTold(victim, 2);
            } else {
                assertReached(stranger, 0, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldKeepOutNodesOfAnotherMode(Protection mode) {
        for (Protection other : Protection.values()) {
            if (other != mode) {
                try (Cluster victim = members(mode, map(0));
                        Cluster stranger = members(other, map(2))) {
                    assertRefused(stranger, 0);
                    assertNothingTold(victim, 2);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldKeepANodeIdForItsOwnerWhileItLives(Protection mode) throws Exception {
        NodeMap thief = map(1).put(1, addresses.get(3));
        try (Cluster cluster = members(mode, map(0), map(1))) {
            assertReached(cluster, 1, 0);
            try (Cluster stranger = strangers(mode, thief)) {
                assertRefused(stranger, 0);
                assertReached(cluster, 1, 0);
                assertReached(cluster, 0, 1);
            }
            assertThat(cluster.events).allMatch(event -> event.cause() == null);
        }
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldKeepANodeIdForItsOwnerWhileItIsAwayOrRestarting(Protection mode) throws Exception {
        NodeMap thief = map(1).put(1, addresses.get(3));
        try (Cluster cluster = members(mode, map(0), map(1))) {
            assertReached(cluster, 1, 0);
            cluster.node(1).close();
            Cluster.await("the end of the owner", () -> cluster.end(0, 1) != null);
            try (Cluster stranger = strangers(mode, thief)) {
                if (mode.isOn()) {
                    assertRefused(stranger, 0);
                    cluster.start(1);
                    assertRefused(stranger, 0);
                    assertReached(cluster, 1, 0);
                } else {
                    stranger.node(0).connectNode(0);
                    Cluster.await(
                            "the connection of the stranger",
                            () -> cluster.events.stream()
                                            .filter(event -> event.peer() == 1 && event.cause() == null)
                                            .count()
                                    == 2);
                }
            }
        }
    }

    // ---------------------------------------------------------------- replay, reflection

    /**
     * A recorded handshake, with the message that followed it, opens nothing again: not as a whole,
     * nor from any of its messages on. Where nodes prove nothing, it does, once the victim that
     * knows the connection has been restarted.
     */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldAcceptNoRecordedHandshake(Protection mode) throws Exception {
        try (Cluster victim = members(mode, map(0))) {
            Opener opener = recordConnection(mode, victim);
            victim.node(0).close();
            victim.events.clear();
            Receiver again = Receiver.on(victim.start(0));
            try (RawPeer whole = raw().write(mode.isOn() ? opener.bytes() : opener.handshake())) {
                switch (mode) {
                    case NONE -> assertReplayed(opener, again, whole);
                    case KEY -> {
                        assertThat(status(whole)).isEqualTo(4); // another answer
                        whole.readFully(new byte[ANSWER_BYTES - 12]);
                        assertThat(refusal(whole)).isEqualTo("refused");
                    }
                    case TLS -> assertThat(whole.isCutOff()).isTrue();
                }
            }
            if (mode.isOn()) {
                for (int end : opener.ends()) {
                    byte[] rest = Arrays.copyOfRange(opener.bytes(), end, opener.bytes().length);
                    try (RawPeer peer = raw().write(rest)) {
                        peer.endOutput();
                        assertThat(peer.isCutOff()).as("from %d on", end).isTrue();
                    }
                }
                assertThat(again.total()).isZero();
                assertThat(victim.events).isEmpty();
            }
        }
    }

    /** Records a connection with a message on it, which was handled. */
    private Opener recordConnection(Protection mode, Cluster victim) throws Exception {
        Receiver first = Receiver.on(victim.node(0));
        try (Middle middle = new Middle(victimAddress());
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            List<Integer> ends = ends(mode, middle.records().getFirst(), Direction.TO_LISTENER);
            honest.node(0).sendMessage(new Data(0, RECORDED, 0, 100));
            first.awaitCount(1, RECORDED, 1);
            return new Opener(middle.records().getFirst().bytes(Direction.TO_LISTENER), ends);
        }
    }

    private void assertReplayed(Opener opener, Receiver again, RawPeer peer) throws IOException {
        int accepted = 1;
        int refused = 2;
        assertThat(status(peer)).isEqualTo(replay() == Replay.NOTHING ? refused : accepted);
        if (replay() == Replay.MESSAGES) {
            peer.write(Arrays.copyOfRange(opener.bytes(), opener.ends().getLast(), opener.bytes().length));
            again.awaitCount(1, RECORDED, 1);
        }
    }

    /** What a listener has sent once does not make an opening node believe another listener. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldBelieveNoRecordedListener(Protection mode) throws Exception {
        byte[] listener;
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(victimAddress());
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            assertThat(victim.failures).isEmpty();
            listener = middle.records().getFirst().bytes(Direction.TO_OPENER);
        }
        try (Imposter imposter = new Imposter(listener);
                Cluster honest = members(mode, map(1, 0, imposter.address()))) {
            if (mode.isOn()) {
                assertThatThrownBy(() -> honest.node(0).connectNode(0))
                        .hasMessageContaining(mode == Protection.KEY ? "did not prove" : "can't be trusted");
            } else if (replay() == Replay.MESSAGES) {
                assertThatCode(() -> honest.node(0).connectNode(0)).doesNotThrowAnyException();
            }
        }
    }

    /** Plays a recording to each node that connects; null: sends back what it gets. */
    private static final class Imposter implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());

        Imposter(byte[] recording) throws IOException {
            Thread.ofPlatform().daemon().name("imposter").start(() -> {
                try {
                    while (true) {
                        Socket socket = server.accept();
                        OutputStream out = socket.getOutputStream();
                        if (recording == null) {
                            Thread.ofPlatform().daemon().start(() -> {
                                try {
                                    socket.getInputStream().transferTo(out);
                                } catch (IOException e) {
                                    // it hung up
                                }
                            });
                        } else {
                            out.write(recording);
                        }
                    }
                } catch (IOException e) {
                    // closed
                }
            });
        }

        String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldNotBelieveItsOwnReflection(Protection mode) throws Exception {
        try (Imposter echo = new Imposter(null);
                Middle mirror = new Middle(Ports.resolved(addresses.get(1)));
                Cluster honest = members(mode, map(1).put(0, echo.address()).put(2, mirror.address()))) {
            assertRefused(honest, 0); // its own bytes
            assertRefused(honest, 2); // its own listener
            assertThat(honest.events).isEmpty();
        }
    }

    // ---------------------------------------------------------------- a machine in the middle

    /** The version in a record's header, which RFC 8446 (5.1) has all receivers ignore. */
    private static boolean isIgnored(Protection mode, Middle.Record record, Direction direction, int at) {
        int begin = 0;
        for (int end : ends(mode, record, direction)) {
            if (mode == Protection.TLS && (at == begin + 1 || at == begin + 2)) {
                return true;
            }
            begin = end;
        }
        return false;
    }

    /**
     * No byte of the handshake can be changed on the way: version, mode, transport, cluster, ids,
     * incarnations, queue-pair data, nonces and proofs.
     */
    @ParameterizedTest
    @EnumSource(value = Protection.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldNoticeEachChangedByteOfTheHandshake(Protection mode) throws Exception {
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(victimAddress());
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            Middle.Record record = middle.records().getFirst();
            Map<Direction, Integer> lengths = lengths(mode, record);
            disconnect(honest, victim);
            for (Direction direction : Direction.values()) {
                for (int at = 0; at < lengths.get(direction); at += step(mode)) {
                    forgetResumption(mode, honest);
                    middle.change(direction, at, 0x80);
                    Throwable refusal = catchThrowable(() -> honest.node(0).connectNode(0));
                    if (refusal == null && isIgnored(mode, middle.records().getLast(), direction, at)) {
                        end(middle, honest, victim);
                    } else {
                        assertThat(refusal)
                                .as("byte %d of %s %s", at, lengths, direction)
                                .isInstanceOf(NodeUnreachableException.class);
                    }
                }
            }
            middle.relay();
            assertReached(honest, 0, 0);
        }
    }

    @Test
    void shouldNotNoticeAChangedByteWithoutSecurity() throws Exception {
        try (Cluster victim = members(Protection.NONE, map(0));
                Middle middle = new Middle(victimAddress());
                Cluster honest = members(Protection.NONE, map(1, 0, middle.address()))) {
            middle.change(Direction.TO_LISTENER, unnoticedHelloByte(), 0x40);
            assertThatCode(() -> honest.node(0).connectNode(0)).doesNotThrowAnyException();
            assertThat(victim.node(0).statistics().handshakesRefused()).isZero();
        }
    }

    // ---------------------------------------------------------------- changes of secrets

    /** A rolling change under verified traffic, each step node by node, with new connections. */
    @ParameterizedTest
    @EnumSource(value = Protection.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldLoseNothingWhileSecretsChange(Protection mode) throws Exception {
        handshakeTimeoutMs = 2000; // under traffic
        SecretChange change = SecretChange.of(mode);
        change.install(0, 0);
        change.install(1, 0);
        try (Cluster first = changing(change, 0);
                Cluster second = changing(change, 1)) {
            DXNet a = first.node(0);
            DXNet b = second.node(0);
            Receiver atA = Receiver.on(a);
            Receiver atB = Receiver.on(b);
            try (GoodStream toA = new GoodStream(b, 0, atA, 300);
                    GoodStream toB = new GoodStream(a, 1, atB, 300)) {
                for (int step = 1; step < change.steps(); step++) {
                    for (DXNet node : List.of(a, b)) {
                        change.install(node.nodeId(), step);
                        node.reloadSecurity();
                        for (DXNet opener : List.of(a, b)) { // each opens connections anew
                            long opened = opener.statistics().connectionsOpened();
                            opener.disconnectNode(1 - opener.nodeId());
                            Cluster.await(
                                    "another connection",
                                    () -> opener.statistics().connectionsOpened() > opened);
                            toA.awaitProgress();
                            toB.awaitProgress();
                        }
                    }
                }
            } // all that was sent was received
            try (Cluster late = members(mode, map(2))) { // it has what is old alone
                assertRefused(late, 0);
            }
        }
    }

    private Cluster changing(SecretChange change, int node) {
        return new Cluster(
                List.of(map(node)), builder -> change.configure(common(builder).closeTimeoutMs(10_000), node));
    }

    // ---------------------------------------------------------------- messages of the handshake

    /** The status of the next message. */
    private static int status(RawPeer from) throws IOException {
        byte[] head = new byte[12];
        from.readFully(head);
        return number(head, 10);
    }

    /** The reason of the next message, which is a refusal that proves nothing. */
    private static String refusal(RawPeer from) throws IOException {
        assertThat(status(from)).isEqualTo(2);
        byte[] rest = new byte[32 - 12];
        from.readFully(rest);
        byte[] reason = new byte[number(rest, 0)];
        from.readFully(reason);
        byte[] proof = new byte[32];
        from.readFully(proof);
        assertThat(Arrays.copyOfRange(rest, 4, rest.length)).containsOnly(0);
        assertThat(proof).containsOnly(0);
        return new String(reason, StandardCharsets.UTF_8);
    }
}
