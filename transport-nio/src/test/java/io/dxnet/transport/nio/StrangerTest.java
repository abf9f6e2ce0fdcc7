package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.NodeThreads;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Strangers at the door of a node that is busy: the log has a line a second about
 * them, and no other node is affected.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StrangerTest {
    private static final int HANDSHAKES_MAX = 64;
    private static final int HANDSHAKE_TIMEOUT_MS = 1000;
    /** Fewer than any test has strangers: the JVM opens a file now and then. */
    private static final int DESCRIPTORS_OF_OTHERS = 4;

    /** What a stranger sends. */
    private enum Garbage {
        RANDOM(random()),
        HTTP("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
        // The beginning of a TLS 1.3 client hello, as far as it is the same for all clients.
        TLS(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 1, 2, 3, 4, 5, 6, 7, 8}),
        SEVEN_BYTES_OF_THE_MAGIC("DXNetTC".getBytes(StandardCharsets.US_ASCII)),
        NOT_UTF_8(notUtf8());

        private final byte[] bytes;

        Garbage(byte[] bytes) {
            this.bytes = bytes;
        }

        /**
         * A hello whose transport's name would be three times as long if it was decoded leniently.
         */
        private static byte[] notUtf8() {
            byte[] bytes = Hello.of(
                            configure(DXNetConfig.builder()).build(), "x".repeat(16), 1, 0, 1, 1, 0, new byte[0])
                    .encode()
                    .array();
            Arrays.fill(bytes, bytes.length - 16, bytes.length, (byte) 0xff);
            return bytes;
        }

        private static byte[] random() {
            byte[] bytes = new byte[5000];
            new Random(1).nextBytes(bytes);
            return bytes;
        }
    }

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger = Logger.getLogger(Acceptor.class.getName()); // kept: the log manager holds it weakly
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.INFO.intValue()) {
                lines.add(record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private List<String> addresses;
    private Cluster cluster;
    private Receiver receiver;
    private NodeThreads threads;

    @BeforeEach
    void start() throws Exception {
        addresses = Ports.addresses(3);
        cluster = new Cluster(List.of(Ports.map(0, addresses), Ports.map(1, addresses)), StrangerTest::configure);
        receiver = Receiver.on(cluster.node(0));
        threads = NodeThreads.of(cluster.node(0), cluster.node(1));
        for (int i = 0; i < 2; i++) { // both directions are open before descriptors are counted
            cluster.node(i).sendSync(new Ping(1 - i, "warm", 1), Duration.ofSeconds(30));
        }
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio")
                .transportOption("nio.handshakesMax", "" + HANDSHAKES_MAX)
                .transportOption("nio.handshakeTimeoutMs", "" + HANDSHAKE_TIMEOUT_MS);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        cluster.close();
    }

    /** The number of refused connections that the lines report. */
    private long refused() {
        return lines.stream()
                .map(
                        Pattern.compile("node 0 refused (a connection from /127.0.0.1:|(\\d+) more connections, ).*")
                                ::matcher)
                .mapToLong(line -> {
                    assertThat(line.matches()).as(line.toString()).isTrue();
                    return line.group(2) == null ? 1 : Long.parseLong(line.group(2));
                })
                .sum();
    }

    /** All are reported, in a line a second for each of the causes. */
    private void assertLines(int refused, int causes, long beginNs) {
        Cluster.await("lines about " + refused + " strangers", () -> refused() >= refused);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
        assertThat(refused()).isEqualTo(refused);
        assertThat(lines).hasSizeLessThanOrEqualTo(causes * ((int) seconds + 2));
    }

    private RawPeer stranger() throws IOException {
        return new RawPeer(Ports.resolved(addresses.get(0)));
    }

    private static long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (IOException e) {
            return 0; // not Linux
        }
    }

    @ParameterizedTest
    @EnumSource(Garbage.class)
    void shouldRefuseGarbageWithOneLineASecond(Garbage garbage) throws Exception {
        long beginNs = System.nanoTime();
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            long before = descriptors();
            int count = 40;
            List<RawPeer> strangers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                RawPeer stranger = stranger();
                strangers.add(stranger);
                try {
                    stranger.write(garbage.bytes);
                } catch (IOException e) {
                    // it hung up while we wrote
                }
            }
            for (RawPeer stranger : strangers) {
                assertThat(stranger.isHungUp()).isTrue();
                stranger.close();
            }
            assertLines(count, 1, beginNs);
            good.awaitProgress();
            Cluster.await("no descriptor left", () -> descriptors() <= before + DESCRIPTORS_OF_OTHERS);
        }
        assertGood();
    }

    /** A direction of a connection that has ended meanwhile is a part of every orderly shutdown. */
    @Test
    void shouldSayNothingOfWhatEndedInOrder() throws Exception {
        DXNetConfig config = configure(DXNetConfig.builder()).build();
        try (RawPeer late = stranger()) {
            Reply reply = late.write(NioHello.of(config, 2, 0, 77, 1, 999).encode())
                    .answer(from -> Reply.read(from::readFully));
            assertThat(reply.reason()).isEqualTo("that connection has ended");
        }
        cluster.node(1).close();
        Cluster.await("its orderly end", () -> cluster.end(0, 1) != null);
        assertThat(lines).isEmpty();
        assertThat(cluster.failures).isEmpty();
    }

    @Test
    void shouldForgetThoseThatSayNothingAndGo() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            long before = descriptors();
            for (int i = 0; i < 50; i++) {
                if (i % 2 == 0) {
                    stranger().hangUp();
                } else {
                    stranger().reset();
                }
            }
            good.awaitProgress();
            Cluster.await("no descriptor left", () -> descriptors() <= before + DESCRIPTORS_OF_OTHERS);
        }
        assertGood();
    }

    @Test
    void shouldStandTwoHundredSilentOnesAtOnce() throws Exception {
        List<RawPeer> strangers = new ArrayList<>();
        long beginNs = System.nanoTime();
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            long before = descriptors();
            for (int i = 0; i < 200; i++) {
                strangers.add(stranger());
            }
            good.awaitProgress();
            // An honest one gets in among them.
            try (Cluster other = new Cluster(List.of(Ports.map(2, addresses)), StrangerTest::configure)) {
                DXNet net = other.node(0);
                assertThat(net.sendSync(new Ping(0, "honest", 1), Duration.ofSeconds(30)).text)
                        .isEqualTo("honest");
            }
            for (RawPeer stranger : strangers) {
                assertThat(stranger.isCutOff()).isTrue(); // bounded by the handshake's time, or by their number
            }
            assertLines(200, 2, beginNs);
            assertThat(lines).anyMatch(line -> line.contains("too many handshakes at once"));
            good.awaitProgress();
            for (RawPeer stranger : strangers) {
                stranger.close();
            }
            Cluster.await("no descriptor left", () -> descriptors() <= before + DESCRIPTORS_OF_OTHERS);
        } finally {
            for (RawPeer stranger : strangers) {
                stranger.close();
            }
        }
        assertGood();
    }

    private void assertGood() {
        cluster.awaitQuiet();
        threads.assertAlive();
        assertThat(cluster.failures).isEmpty();
        assertThat(cluster.end(0, 1)).isNull();
        assertThat(cluster.end(1, 0)).isNull();
    }
}
