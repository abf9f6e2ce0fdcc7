package io.dxnet.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.SecurityMode;
import io.dxnet.attack.Middle.Direction;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Ping;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The attacks on the handshake. Node 0 is the victim that listens, node 1 an honest node.
 *
 * <p>It has more than 400 lines: one place for all attacks.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class AttackContract {
    private static final int HANDSHAKE_TIMEOUT_MS = 400;
    private static final byte[] MAGIC = "DXNetTCP".getBytes(StandardCharsets.US_ASCII);
    /** Version and mode of this node's challenges. */
    private static final byte[] KEY_PROLOGUE = {4, 0, 1, 0, 0, 0, 0, 0};

    private static final int CHALLENGE_BYTES = 48;
    private static final int ANSWER_BYTES = 80;
    private static final int HELLO_INCARNATION = 16;

    private final List<String> addresses = Ports.addresses(4);

    /** The transport's name. */
    protected abstract String transport();

    /** Sets the transport. */
    protected abstract DXNetConfig.Builder configure(DXNetConfig.Builder builder);

    /**
     * A byte of the opening node's hello that can be changed without a trace where nodes prove
     * nothing.
     */
    protected int unnoticedHelloByte() {
        return HELLO_INCARNATION;
    }

    private DXNetConfig.Builder common(DXNetConfig.Builder builder) {
        return configure(builder)
                .connectTimeoutMs(2000)
                .closeTimeoutMs(500)
                .transportOption(transport() + ".handshakeTimeoutMs", "" + HANDSHAKE_TIMEOUT_MS)
                .transportOption(transport() + ".handshakesMax", "4096")
                .transportOption(transport() + ".handshakesPerAddress", "4096");
    }

    private Cluster members(Protection mode, NodeMap... maps) {
        return new Cluster(List.of(maps), builder -> mode.member(common(builder)));
    }

    private Cluster strangers(Protection mode, NodeMap... maps) {
        return new Cluster(List.of(maps), builder -> mode.stranger(common(builder)));
    }

    private NodeMap map(int nodeId) {
        return Ports.map(nodeId, addresses);
    }

    /** A node's map in which another node is somewhere else. */
    private NodeMap map(int nodeId, int other, String address) {
        return map(nodeId).put(other, address);
    }

    private RawPeer raw() throws IOException {
        return new RawPeer(Ports.resolved(addresses.get(0)));
    }

    private static void assertReached(Cluster from, int node, int to) throws Exception {
        assertThat(from.node(node).sendSync(new Ping(to, "honest", 1), Duration.ofSeconds(30)).text)
                .isEqualTo("honest");
    }

    private static void assertRefused(Cluster stranger, int to) {
        assertThatThrownBy(() -> stranger.node(0).connectNode(to)).isInstanceOf(NodeUnreachableException.class);
    }

    private static void assertNothingTold(Cluster victim, int peer) {
        assertThat(victim.events).noneMatch(event -> event.peer() == peer);
        Cluster.await("a refused handshake", () -> victim.node(0).statistics().handshakesRefused() > 0);
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

    /** A handshake that was recorded opens nothing again: as a whole, or from any message on. */
    @Test
    void shouldAcceptNoRecordedHandshake() throws Exception {
        Protection mode = Protection.KEY;
        byte[] opener;
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(Ports.resolved(addresses.get(0)))) {
            try (Cluster honest = members(mode, map(1, 0, middle.address()))) {
                honest.node(0).connectNode(0);
                opener = middle.records().getFirst().bytes(Direction.TO_LISTENER);
            }
            Cluster.await("the end of the honest node", () -> victim.end(0, 1) != null);
            try (RawPeer whole = raw().write(opener)) {
                assertThat(status(whole)).isEqualTo(4); // another answer
                whole.readFully(new byte[ANSWER_BYTES - 12]);
                assertThat(refusal(whole)).isEqualTo("refused");
            }
            try (RawPeer hello = raw().write(Arrays.copyOfRange(opener, CHALLENGE_BYTES, opener.length))) {
                // a challenge with another nonce: the answer proves nothing about the hello
                assertThat(status(hello)).isEqualTo(4);
                hello.readFully(new byte[ANSWER_BYTES - 12]);
                assertThat(hello.isCutOff()).isTrue();
            }
            assertThat(victim.events.stream().filter(event -> event.cause() == null))
                    .hasSize(1);
        }
    }

    /** What a listener has sent once does not make an opening node believe another listener. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldBelieveNoRecordedListener(Protection mode) throws Exception {
        byte[] listener;
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(Ports.resolved(addresses.get(0)));
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            assertThat(victim.failures).isEmpty();
            listener = middle.records().getFirst().bytes(Direction.TO_OPENER);
        }
        try (Imposter imposter = new Imposter(listener);
                Cluster honest = members(mode, map(1, 0, imposter.address()))) {
            if (mode.isOn()) {
                assertThatThrownBy(() -> honest.node(0).connectNode(0)).hasMessageContaining("did not prove");
            } else if (transport().equals("nio")) {
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

    /** Where the handshake's messages end, in each direction. */
    private record Lengths(int toListener, int toOpener) {
        int of(Direction direction) {
            return direction == Direction.TO_LISTENER ? toListener : toOpener;
        }
    }

    /** The bytes of one handshake: what follows them is the transport's. */
    private Lengths lengths(Protection mode, Middle.Record record) {
        byte[] in = record.bytes(Direction.TO_LISTENER);
        byte[] out = record.bytes(Direction.TO_OPENER);
        int helloAt = mode.isOn() ? CHALLENGE_BYTES : 0;
        int replyAt = mode.isOn() ? ANSWER_BYTES : 0;
        int proof = mode.isOn() ? 32 : 0;
        int hello = 56 + number(in, helloAt + 48) + number(in, helloAt + 50) + number(in, helloAt + 52);
        int reply = 32 + number(out, replyAt + 12) + number(out, replyAt + 14);
        return new Lengths(helloAt + hello + proof, replyAt + reply + proof);
    }

    private static int number(byte[] bytes, int at) {
        return bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8;
    }

    /**
     * No byte of the handshake can be changed on the way: version, mode, transport, cluster, ids,
     * incarnations, queue-pair data, nonces and proofs.
     */
    @Test
    void shouldNoticeEachChangedByteOfTheHandshake() throws Exception {
        Protection mode = Protection.KEY;
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(Ports.resolved(addresses.get(0)));
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            Lengths lengths = lengths(mode, middle.records().getFirst());
            disconnect(honest, victim);
            for (Direction direction : Direction.values()) {
                for (int at = 0; at < lengths.of(direction); at++) {
                    middle.change(direction, at, 0x80);
                    assertThatThrownBy(() -> honest.node(0).connectNode(0))
                            .as("byte %d %s", at, direction)
                            .isInstanceOf(NodeUnreachableException.class);
                }
            }
            middle.relay();
            assertReached(honest, 0, 0);
        }
    }

    private static void disconnect(Cluster honest, Cluster victim) {
        honest.node(0).disconnectNode(0);
        Cluster.await("the end of the connection", () -> victim.end(0, 1) != null);
    }

    @Test
    void shouldNotNoticeAChangedByteWithoutSecurity() throws Exception {
        try (Cluster victim = members(Protection.NONE, map(0));
                Middle middle = new Middle(Ports.resolved(addresses.get(0)));
                Cluster honest = members(Protection.NONE, map(1, 0, middle.address()))) {
            middle.change(Direction.TO_LISTENER, unnoticedHelloByte(), 0x40);
            assertThatCode(() -> honest.node(0).connectNode(0)).doesNotThrowAnyException();
            assertThat(victim.node(0).statistics().handshakesRefused()).isZero();
        }
    }

    /** Each handshake that is cut anywhere ends, and the next one succeeds. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldSurviveACutInTheMiddleOfEachMessage(Protection mode) throws Exception {
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(Ports.resolved(addresses.get(0)));
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            Lengths lengths = lengths(mode, middle.records().getFirst());
            disconnect(honest, victim);
            for (Direction direction : Direction.values()) {
                for (int at = 0; at < lengths.of(direction); at++) {
                    middle.cut(direction, at);
                    assertThatThrownBy(() -> honest.node(0).connectNode(0))
                            .as("cut at %d %s", at, direction)
                            .isInstanceOf(NodeUnreachableException.class);
                }
            }
            middle.relay();
            assertReached(honest, 0, 0);
        }
    }

    // ---------------------------------------------------------------- the key

    /** A node whose keys change while it runs. */
    private Cluster changing(int node, List<List<byte[]>> keys) {
        return new Cluster(
                List.of(map(node)),
                builder -> common(builder)
                        .closeTimeoutMs(10_000)
                        .security(SecurityMode.KEY)
                        .keySource(
                                () -> keys.get(node).stream().map(byte[]::clone).toList()));
    }

    /** A rolling change of the key under verified traffic, each step node by node. */
    @Test
    void shouldLoseNothingWhileTheKeyChanges() throws Exception {
        byte[] old = Protection.key(1);
        byte[] next = Protection.key(3);
        List<List<byte[]>> keys = new CopyOnWriteArrayList<>(List.of(List.of(old), List.of(old)));
        try (Cluster first = changing(0, keys);
                Cluster second = changing(1, keys)) {
            DXNet a = first.node(0);
            DXNet b = second.node(0);
            Receiver atA = Receiver.on(a);
            Receiver atB = Receiver.on(b);
            try (GoodStream toA = new GoodStream(b, 0, atA, 300);
                    GoodStream toB = new GoodStream(a, 1, atB, 300)) {
                for (List<byte[]> step : List.of(List.of(old, next), List.of(next, old), List.of(next))) {
                    for (DXNet node : List.of(a, b)) {
                        keys.set(node.nodeId(), step);
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
            }
            try (Cluster late = members(Protection.KEY, map(2))) { // it has the old key alone
                assertRefused(late, 0);
            }
        }
    }

    // ---------------------------------------------------------------- floods, garbage

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldServeHonestNodesAmongSlowAndHalfOpenHandshakes(Protection mode) throws Exception {
        List<RawPeer> silent = new ArrayList<>();
        try (Cluster victim = members(mode, map(0));
                Cluster honest = members(mode, map(1))) {
            for (int i = 0; i < 600; i++) {
                RawPeer peer = raw();
                if (i % 3 != 0) { // two of three send a part of the first message, or all of it
                    peer.write(Arrays.copyOf(challenge(mode), i % 3 == 1 ? 20 : CHALLENGE_BYTES));
                }
                silent.add(peer);
            }
            assertReached(honest, 0, 0);
            for (RawPeer peer : silent) {
                assertThat(peer.isCutOff()).isTrue();
            }
            assertThat(victim.node(0).statistics().handshakesRefused()).isEqualTo(600);
        } finally {
            for (RawPeer peer : silent) {
                peer.close();
            }
        }
    }

    private static byte[] challenge(Protection mode) {
        byte[] challenge = new byte[CHALLENGE_BYTES];
        System.arraycopy(MAGIC, 0, challenge, 0, MAGIC.length);
        System.arraycopy(KEY_PROLOGUE, 0, challenge, MAGIC.length, KEY_PROLOGUE.length);
        if (!mode.isOn()) {
            challenge[10] = 0; // the beginning of a hello
        }
        return challenge;
    }

    /** Before the first message, and after the answer to a good one. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldSurviveGarbageOfEachLengthBeforeAndAfterEachStep(Protection mode) throws Exception {
        Random random = new Random(4711);
        try (Cluster victim = members(mode, map(0));
                Cluster honest = members(mode, map(1))) {
            for (int length = 1; length <= 200; length++) {
                byte[] garbage = new byte[length];
                random.nextBytes(garbage);
                try (RawPeer before = raw()) {
                    before.write(garbage);
                }
                try (RawPeer after = raw().write(challenge(mode))) {
                    if (mode.isOn()) {
                        after.readFully(new byte[ANSWER_BYTES]);
                    }
                    after.write(garbage);
                }
            }
            assertReached(honest, 0, 0);
            assertThat(victim.failures).isEmpty();
        }
    }

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
