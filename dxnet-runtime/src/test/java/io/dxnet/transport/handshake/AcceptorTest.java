package io.dxnet.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.RawPeer;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What strangers and a failing transport can do to the acceptor: end their own handshake. */
@Timeout(60)
class AcceptorTest {
    private static final int OWN = 1;
    private static final long OWN_INCARNATION = 4711;
    private static final int HONEST = 2;
    /** A node whose handshake makes the transport throw. */
    private static final int THROWN_AT = 3;

    /** A node that the transport does not accept. */
    private static final int REFUSED_AT = 4;

    private static final int TIMEOUT_MS = 300;

    /** How the transport does not accept a node. */
    private interface Refusal {
        Admission.Later decide() throws RefusedException;
    }

    private static Refusal refusing(RefusedException refusal) {
        return () -> {
            throw refusal;
        };
    }

    /** Where the transport throws. */
    private enum Throws {
        OPEN,
        OPEN_ERROR,
        LATER,
        REPLY,
        REPLIED
    }

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>(); // of accepted handshakes
    private final DXNetConfig config = DXNetConfig.builder().build();
    private final NodeMap nodes = new NodeMap(OWN).put(OWN, loopback(1, 0));
    private volatile Throws fault = Throws.OPEN;
    private volatile Refusal refusal;
    private final AtomicInteger beginFaults = new AtomicInteger(); // so many handshakes can't begin
    private final AtomicInteger reportFaults = new AtomicInteger(); // so many reports fail
    private Acceptor acceptor;

    private static InetSocketAddress loopback(int last, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), port);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void listen(int handshakesMax, int timeoutMs) {
        TransportContext context = (TransportContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TransportContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "config" -> config;
                    case "nodeMap" -> nodes;
                    case "security" -> {
                        if (beginFaults.getAndDecrement() > 0) {
                            throw new IllegalStateException("thrown by security");
                        }
                        yield new NoSecurity(SecurityMode.LOCAL);
                    }
                    case "refused" -> null;
                    case "incarnation" -> OWN_INCARNATION;
                    case "error" -> {
                        errors.add(arguments[0] + ": " + arguments[1]);
                        if (reportFaults.getAndDecrement() > 0) {
                            standStill(1_100); // one report a second
                            throw new OutOfMemoryError("thrown by error");
                        }
                        yield null;
                    }
                    default -> throw new AssertionError(method);
                });
        acceptor = Acceptor.listen(
                context,
                new FaultyAdmission(),
                new AcceptorOptions(null, 1024, handshakesMax, handshakesMax, timeoutMs, 0));
    }

    @AfterEach
    void stop() {
        acceptor.close();
    }

    private final class FaultyAdmission implements Admission {
        @Override
        public String transport() {
            return "test";
        }

        @Override
        public Decision open(Hello hello, ByteStream channel) throws RefusedException {
            if (hello.nodeId() == THROWN_AT) {
                switch (fault) {
                    case OPEN -> throw new IllegalStateException("thrown by open");
                    case OPEN_ERROR -> throw new AssertionError("thrown by open");
                    case LATER -> {
                        return new Later("later", () -> {
                            throw new IllegalStateException("thrown by over");
                        });
                    }
                    case REPLY, REPLIED -> {
                        // below
                    }
                }
            }
            if (hello.nodeId() == REFUSED_AT) {
                return refusal.decide();
            }
            return new Accepted(
                    () -> {
                        throwIf(hello, Throws.REPLY);
                        return Reply.accepting(OWN_INCARNATION, 9, new byte[0]);
                    },
                    () -> {
                        throwIf(hello, Throws.REPLIED);
                        Channels.closeQuietly(channel);
                    },
                    detail -> {
                        failures.add(detail);
                        Channels.closeQuietly(channel);
                    });
        }

        private void throwIf(Hello hello, Throws where) {
            if (hello.nodeId() == THROWN_AT && fault == where) {
                throw new IllegalStateException("thrown by " + where);
            }
        }
    }

    private byte[] hello(int nodeId) {
        return hello(config, nodeId);
    }

    private static byte[] hello(DXNetConfig config, int nodeId) {
        return hello(config, nodeId, 0).encode().array();
    }

    private static Hello hello(DXNetConfig config, int nodeId, long listenerConnectionId) {
        return Hello.of(config, "test", nodeId, OWN, 7, 1, listenerConnectionId, new byte[0]);
    }

    /**
     * A hello whose transport's name is sixteen bytes that are no UTF-8: as text
     * it would be three times as long.
     */
    private byte[] malformed() {
        byte[] name = new byte[16];
        Arrays.fill(name, (byte) 'x');
        byte[] bytes = Hello.of(
                        config,
                        new String(name, java.nio.charset.StandardCharsets.US_ASCII),
                        HONEST,
                        OWN,
                        7,
                        1,
                        0,
                        new byte[0])
                .encode()
                .array();
        Arrays.fill(bytes, bytes.length - 16, bytes.length, (byte) 0xff);
        return bytes;
    }

    private RawPeer stranger() throws IOException {
        return new RawPeer(acceptor.address());
    }

    private void assertThatAnHonestNodeGetsIn() throws IOException {
        try (RawPeer honest = stranger()) {
            assertThat(honest.write(hello(HONEST))
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
        }
    }

    @Test
    void shouldHangUpOnNamesThatAreNotUtf8() throws Exception {
        listen(256, 10_000);
        for (int i = 0; i < 20; i++) {
            try (RawPeer stranger = stranger()) {
                assertThat(stranger.write(malformed()).isHungUp()).isTrue();
            }
            assertThatAnHonestNodeGetsIn();
        }
        assertThat(errors).isEmpty();
        assertThat(acceptor.describe()).endsWith(" (refused: 20 x not a DXNet handshake)");
    }

    @ParameterizedTest
    @EnumSource(Throws.class)
    void shouldEndOnlyTheHandshakeThatTheTransportThrowsAt(Throws where) throws Exception {
        listen(256, 10_000);
        fault = where;
        long beginNs = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            try (RawPeer stranger = stranger()) {
                assertThat(stranger.write(hello(THROWN_AT)).isCutOff()).isTrue();
            }
            assertThatAnHonestNodeGetsIn();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
        assertThat(errors)
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo((int) seconds + 2)
                .allMatch(e -> e.contains("thrown by"));
        assertThat(acceptor.describe()).endsWith(" (refused: 20 x internal error)");
        assertThat(failures)
                .as("the transport undoes what it has opened")
                .hasSize(where == Throws.REPLY || where == Throws.REPLIED ? 20 : 0);
    }

    /** The first report is of the handshake, the second, a second later, of accepting. */
    @Test
    void shouldAcceptWhereItsReportsFail() throws Exception {
        listen(256, 10_000);
        beginFaults.set(1);
        reportFaults.set(2);
        try (RawPeer stranger = stranger()) {
            assertThat(stranger.isCutOff()).isTrue();
        }
        assertThatAnHonestNodeGetsIn();
        assertThat(errors).singleElement().asString().contains("thrown by security");
    }

    @Test
    void shouldEndSilentHandshakesInTimeWhileOthersFail() throws Exception {
        listen(256, TIMEOUT_MS);
        try (RawPeer silent = stranger();
                RawPeer half = stranger()) {
            half.write(Arrays.copyOf(hello(HONEST), 20));
            Thread failing = Thread.ofPlatform().start(() -> {
                while (!Thread.interrupted()) {
                    try (RawPeer stranger = stranger()) {
                        stranger.write(hello(THROWN_AT)).isCutOff();
                    } catch (IOException e) {
                        errors.add("connecting failed: " + e);
                    }
                }
            });
            assertThat(silent.isHungUp()).isTrue();
            assertThat(half.isHungUp()).isTrue();
            failing.interrupt();
            failing.join();
        }
        assertThatAnHonestNodeGetsIn();
        assertThat(errors).noneMatch(e -> e.contains("connecting failed"));
    }

    /**
     * What a node sends after the process stood still is as good as before: its
     * machine may be the same, and have stood still as well.
     */
    @Test
    void shouldNotCountTheTimeInWhichTheProcessStandsStill() throws Exception {
        int timeoutMs = 2_000;
        listen(256, timeoutMs);
        refusal = () -> {
            standStill(2L * timeoutMs);
            throw new RefusedException("after the pause");
        };
        try (RawPeer late = stranger();
                RawPeer pausing = stranger()) {
            assertThatAnHonestNodeGetsIn(); // the two before it are accepted as well
            assertThatAnswer(Reply.refusing("after the pause"), pausing.write(hello(REFUSED_AT)));
            assertThatAnHonestNodeGetsIn(); // the acceptor has ended what is late
            assertThat(late.write(hello(HONEST))
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
        }
        assertThat(errors).isEmpty();
    }

    /**
     * The time of a handshake is over when the process runs on, and its hello has come
     * meanwhile: it is read.
     */
    @Test
    void shouldReadWhatCameWhileTheProcessStoodStill() throws Exception {
        int timeoutMs = 500; // no more than a pause counts
        listen(256, timeoutMs);
        boolean isTried = false;
        while (!isTried) {
            CountDownLatch paused = new CountDownLatch(1);
            CountDownLatch written = new CountDownLatch(1);
            refusal = () -> {
                paused.countDown();
                await(written);
                standStill(2L * timeoutMs);
                throw new RefusedException("after the pause");
            };
            long beginNs = System.nanoTime();
            try (RawPeer late = stranger();
                    RawPeer pausing = stranger()) {
                assertThatAnHonestNodeGetsIn(); // the two before it are accepted as well
                pausing.write(hello(REFUSED_AT));
                await(paused);
                isTried = System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(timeoutMs);
                late.write(hello(HONEST));
                written.countDown();
                if (isTried) { // else the machine was too slow: it had no time left
                    assertThat(late.answer(from -> Reply.read(from::readFully)).accepted())
                            .isTrue();
                }
            }
        }
        assertThat(errors).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void standStill(long ms) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
        }
    }

    /**
     * The one that is evicted comes from the address with the most handshakes:
     * others have the time to speak.
     */
    @Test
    void shouldEvictStrangersOfTheAddressThatHasMost() throws Exception {
        listen(8, 30_000);
        List<RawPeer> strangers = new ArrayList<>();
        try (RawPeer slow = new RawPeer(acceptor.address(), loopback(2, 0))) {
            for (int i = 0; i < 100; i++) {
                strangers.add(stranger());
            }
            for (int i = 0; i < 92; i++) { // all but the newest seven
                assertThat(strangers.get(i).isCutOff()).isTrue();
            }
            assertThat(slow.write(hello(HONEST))
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
            assertThatAnHonestNodeGetsIn();
        } finally {
            for (RawPeer stranger : strangers) {
                stranger.close();
            }
        }
        assertThat(errors).isEmpty();
    }

    /**
     * What a node has sent is read before its handshake is evicted, however many
     * strangers came after it.
     */
    @Test
    void shouldReadWhatIsThereBeforeItEvicts() throws Exception {
        listen(1, 30_000);
        for (int i = 0; i < 200; i++) {
            try (RawPeer honest = stranger().write(hello(HONEST));
                    RawPeer first = stranger();
                    RawPeer second = stranger()) {
                assertThat(first.isCutOff()).as("evicted by the second").isTrue();
                second.hangUp();
                assertThat(honest.answer(from -> Reply.read(from::readFully)).accepted())
                        .isTrue();
            }
        }
    }

    @Test
    void shouldTellAStrangerNothingOfThisNode() throws Exception {
        listen(256, 10_000);
        record Case(byte[] hello, String reason) {}
        byte[] otherVersion = hello(HONEST);
        otherVersion[HandshakeDescriptor.VERSION_OFFSET]++;
        List<Case> cases = List.of(
                new Case(
                        hello(DXNetConfig.builder().clusterName("guess").build(), HONEST),
                        "it belongs to another cluster"),
                new Case(
                        hello(
                                DXNetConfig.builder()
                                        .flowControlWindowBytes(1 << 20)
                                        .build(),
                                HONEST),
                        "flowControlWindowBytes differs: it must be equal on all nodes"),
                new Case(
                        hello(
                                DXNetConfig.builder()
                                        .flowControlThresholdPercent(60)
                                        .build(),
                                HONEST),
                        "flowControlThresholdPercent differs: it must be equal on all nodes"),
                new Case(
                        Hello.of(config, "nio", HONEST, OWN, 7, 1, 0, new byte[0])
                                .encode()
                                .array(),
                        "transport differs: it must be equal on all nodes"),
                new Case(
                        Hello.of(config, "test", HONEST, 99, 7, 1, 0, new byte[0])
                                .encode()
                                .array(),
                        "it is not node 99: check the node map"),
                new Case(hello(THROWN_AT), "internal error"),
                new Case(
                        otherVersion,
                        "it speaks protocol version " + (HandshakeDescriptor.VERSION + 1) + ", this node version "
                                + HandshakeDescriptor.VERSION));
        for (Case each : cases) {
            try (RawPeer stranger = stranger()) {
                Reply reply = stranger.write(each.hello()).answer(from -> Reply.read(from::readFully));
                assertThat(reply).usingRecursiveComparison().isEqualTo(Reply.refusing(each.reason()));
                assertThat(reply.incarnation()).isZero();
            }
        }
    }

    /** Stale where the other node may try again at once: it must not count that as a failure. */
    @Test
    void shouldAnswerThatAConnectionIsStale() throws Exception {
        listen(256, TIMEOUT_MS);
        record Case(Refusal refusal, Reply answer) {}
        List<Case> cases = List.of(
                new Case(refusing(RefusedException.stale()), Reply.stale("that connection has ended")),
                new Case(
                        refusing(RefusedException.connectedAlready(REFUSED_AT)),
                        Reply.stale("node " + REFUSED_AT + " is connected already")),
                new Case(() -> new Admission.Later("not ended yet", () -> false), Reply.stale("not ended yet")),
                new Case(refusing(RefusedException.ordinary("closing")), Reply.refusing("closing")),
                new Case(refusing(new RefusedException("for good")), Reply.refusing("for good")),
                new Case(refusing(RefusedException.temporary("not yet")), Reply.refusing("not yet")),
                new Case(() -> new Admission.Later("no other node yet"), Reply.refusing("no other node yet")));
        for (Case each : cases) {
            refusal = each.refusal();
            assertThatAnswer(each.answer(), stranger().write(hello(REFUSED_AT)));
        }
        assertThat(errors).isEmpty();
    }

    /** For good, and of that connection alone: a node asks no more for it. */
    @Test
    void shouldAnswerWhichConnectionHasEnded() throws Exception {
        listen(256, TIMEOUT_MS);
        Hello named = hello(config, REFUSED_AT, 5);
        record Case(Refusal refusal, Hello hello, boolean isEnd) {}
        List<Case> cases = List.of(
                new Case(refusing(RefusedException.stale()), named, true),
                new Case(refusing(RefusedException.stale()), hello(config, REFUSED_AT, 0), false),
                new Case(refusing(RefusedException.connectedAlready(REFUSED_AT)), named, false),
                new Case(() -> new Admission.Later("not ended yet", () -> false), named, false),
                new Case(refusing(RefusedException.ordinary("closing")), named, false));
        for (Case each : cases) {
            refusal = each.refusal();
            Reply reply = stranger().write(each.hello().encode()).answer(from -> Reply.read(from::readFully));
            assertThat(reply.isEndOf(each.hello())).as("%s", reply).isEqualTo(each.isEnd());
            assertThat(reply.isEndOf(hello(config, REFUSED_AT, 6))).isFalse();
            assertThat(reply.connectionId()).as("%s", reply).isEqualTo(each.isEnd() ? 5 : 0);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldAnswerStaleWhereItMakesRoomForAnother() throws Exception {
        listen(1, 30_000);
        try (RawPeer first = stranger();
                RawPeer second = stranger()) {
            assertThatAnswer(Reply.stale("too many handshakes at once"), first);
            second.hangUp();
        }
    }

    private static void assertThatAnswer(Reply expected, RawPeer from) throws IOException {
        try (from) {
            Reply reply = from.answer(peer -> Reply.read(peer::readFully));
            assertThat(reply).usingRecursiveComparison().isEqualTo(expected);
        }
    }

    @Test
    void shouldForgetAllWhenItIsClosed() throws Exception {
        listen(256, 30_000);
        try (RawPeer silent = stranger();
                RawPeer half = stranger()) {
            half.write(Arrays.copyOf(hello(HONEST), 20));
            assertThatAnHonestNodeGetsIn();
            acceptor.close();
            assertThat(silent.isHungUp()).isTrue();
            assertThat(half.isHungUp()).isTrue();
        }
        Cluster.await(
                "the end of the thread",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("dxnet-" + OWN + "-accept")));
    }
}
