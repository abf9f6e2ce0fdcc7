package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.NodeThreads;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that does its handshake well and then writes what no node writes into the shared memory:
 * it alone loses its connection, with the reason. Node 1 streams to node 0 all the time; node 2 is
 * the bad one.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostilePeerTest {
    private static final int BAD = 2;
    private static final int CAPACITY = 64 << 10;
    private static final int HELLO_FIXED_BYTES = 56;
    private static final int HELLO_LENGTHS_OFFSET = 48;
    private static final int CLUSTER_LENGTH_OFFSET = 52;

    @TempDir
    private Path parent;

    private List<String> addresses;
    private Cluster cluster;
    private DXNet victim;
    private Receiver receiver;
    private NodeThreads threads;
    private RingFolder folder;

    @BeforeEach
    void start() {
        addresses = Ports.addresses(3);
        cluster = new Cluster(
                List.of(Ports.map(0, addresses), Ports.map(1, addresses)),
                builder -> configure(builder).sendTimeoutMs(20_000));
        victim = cluster.node(0);
        receiver = Receiver.on(victim);
        threads = NodeThreads.of(victim, cluster.node(1));
        folder = RingFolder.open(parent);
    }

    private DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("shm")
                .transportOption("shm.directory", parent.toString())
                .transportOption("shm.ringBytes", "" + CAPACITY);
    }

    @AfterEach
    void stop() {
        threads.assertAlive();
        cluster.close();
        assertThat(folder.path()).as("files that stay").isEmptyDirectory();
        assertThat(cluster.failures).isEmpty();
    }

    private Reply greet(RawPeer bad, byte[] payload) throws IOException {
        Hello hello = Hello.of(
                configure(DXNetConfig.builder()).build(),
                ShmOptions.NAME,
                BAD,
                0,
                System.nanoTime() | 1,
                1,
                0,
                payload);
        return bad.write(hello.encode()).answer(from -> Reply.read(from::readFully));
    }

    private RawPeer connect() throws IOException {
        return new RawPeer(Ports.resolved(addresses.get(0)));
    }

    private Disconnect awaitEnd() {
        Cluster.await("the end of the bad connection", () -> cluster.end(0, BAD) != null);
        return cluster.end(0, BAD);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, CAPACITY + 1, Long.MAX_VALUE})
    void shouldEndThatConnectionAloneWhenTheSenderWritesAWrongTail(long tail) throws Exception {
        RingOffer offer = folder.offer(CAPACITY);
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500);
                RingFile file = folder.create(offer);
                RawPeer bad = connect()) {
            assertThat(greet(bad, offer.encode()).accepted()).isTrue();
            folder.remove(offer);
            file.memory().set(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET, tail);
            bad.write(new byte[1]);
            assertThat(awaitEnd().detail()).contains("other node's tail of the shared ring is " + tail);
            assertThat(bad.isCutOff()).isTrue();
            good.awaitProgress();
        }
        cluster.awaitQuiet();
    }

    /** All bytes of the ring are garbage: the engine's parser reports it, as over every wire. */
    @Test
    void shouldEndThatConnectionAloneWhenTheStreamIsGarbage() throws Exception {
        RingOffer offer = folder.offer(CAPACITY);
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500);
                RingFile file = folder.create(offer);
                RawPeer bad = connect()) {
            assertThat(greet(bad, offer.encode()).accepted()).isTrue();
            folder.remove(offer);
            MemorySegment ring = file.memory().asSlice(RingLayout.RING_OFFSET);
            ring.fill((byte) 0xFF);
            file.memory().set(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET, CAPACITY);
            bad.write(new byte[1]);
            assertThat(awaitEnd().reason()).isEqualTo(Disconnect.Reason.PROTOCOL_ERROR);
            good.awaitProgress();
        }
        cluster.awaitQuiet();
    }

    /**
     * The kernel reports an access beyond the file's end by a signal, the JVM by an error: in a
     * node that works, and in one that sleeps. Often, because what the JVM has compiled decides
     * where it throws that.
     */
    @RepeatedTest(30)
    void shouldEndThatConnectionAloneWhenTheFileIsCutOff(RepetitionInfo repetition) throws Exception {
        boolean isBusy = repetition.getCurrentRepetition() % 2 == 0;
        RingOffer offer = folder.offer(CAPACITY);
        try (GoodStream good = isBusy ? new GoodStream(cluster.node(1), 0, receiver, 500) : null;
                RingFile _ = folder.create(offer);
                FileChannel again = FileChannel.open(folder.path(offer), StandardOpenOption.WRITE);
                RawPeer bad = connect()) {
            assertThat(greet(bad, offer.encode()).accepted()).isTrue();
            folder.remove(offer);
            again.truncate(0);
            bad.write(new byte[1]);
            assertThat(awaitEnd().detail()).contains("made the file of the shared memory shorter");
            if (good != null) {
                good.awaitProgress();
            }
        }
        cluster.awaitQuiet();
    }

    /** The fault is in a copy: what was not copied is not parsed, and no buffer leaks. */
    @RepeatedTest(20)
    void shouldEndThatConnectionAloneWhenTheFileIsCutOffBehindItsHead() throws Exception {
        RingOffer offer = folder.offer(CAPACITY);
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500);
                RingFile file = folder.create(offer);
                FileChannel again = FileChannel.open(folder.path(offer), StandardOpenOption.WRITE);
                RawPeer bad = connect()) {
            assertThat(greet(bad, offer.encode()).accepted()).isTrue();
            folder.remove(offer);
            again.truncate(RingLayout.RING_OFFSET);
            file.memory().set(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET, CAPACITY);
            bad.write(new byte[1]);
            assertThat(awaitEnd().detail()).contains("made the file of the shared memory shorter");
            good.awaitProgress();
        }
        cluster.awaitQuiet();
    }

    @Test
    void shouldRefuseAHelloWithoutMemory() throws Exception {
        try (RawPeer bad = connect()) {
            assertThat(greet(bad, new byte[0]).reason()).contains("names no shared memory");
        }
        try (RawPeer bad = connect()) {
            assertThat(greet(
                                    bad,
                                    new RingOffer(
                                                    CAPACITY,
                                                    "../"
                                                            + folder.offer(CAPACITY)
                                                                    .name())
                                            .encode())
                            .reason())
                    .contains("names no shared memory of this version");
        }
        try (RawPeer bad = connect()) {
            assertThat(greet(bad, folder.offer(CAPACITY).encode()).reason()).contains("is not in", "one host");
        }
        assertThat(victim.statistics().connections())
                .as("connections of hellos that came to nothing")
                .noneMatch(each -> each.nodeId() == BAD);
        cluster.awaitQuiet();
    }

    /** A node that is sent to, and what it does to the memory. */
    private interface BadReceiver {
        void act(RingFile file, FileChannel again) throws IOException;
    }

    private void receive(BadReceiver receiverOf, String... reason) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; ; i++) {
                    victim.sendMessage(new Data(BAD, 0, i, 10_000));
                }
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500);
                Socket bad = connectionOf(sender)) {
            RingOffer offer = offered(bad);
            try (RingFile file = folder.map(offer);
                    FileChannel again = FileChannel.open(folder.path(offer), StandardOpenOption.WRITE)) {
                accept(bad);
                receiverOf.act(file, again);
                bad.getOutputStream().write(1);
                assertThat(awaitEnd().detail()).contains(reason);
                sender.join(Duration.ofSeconds(30));
                assertThat(thrown.get()).isInstanceOf(DXNetException.class); // the connection ended
                good.awaitProgress();
            }
        }
        cluster.awaitQuiet();
    }

    /** The first connection that a thread opens, and the last one. */
    private Socket connectionOf(Thread sender) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(Ports.resolved(addresses.get(BAD)));
            sender.setDaemon(true);
            sender.start();
            return listener.accept();
        }
    }

    @ParameterizedTest
    @CsvSource({"256, -1, head", "640, -1, steps", "648, 256, signals"})
    void shouldEndThatConnectionAloneWhenTheReceiverWritesAWrongWord(long offset, long value, String word)
            throws Exception {
        receive((file, _) -> file.memory().set(ValueLayout.JAVA_LONG, offset, value), "other node's", word);
    }

    /** The sending thread, which may be the one that faults, learns it as of each other end. */
    @RepeatedTest(10)
    void shouldEndThatConnectionAloneWhenTheReceiverCutsTheFileOff() throws Exception {
        receive(
                (file, again) -> {
                    MemorySegment tail = file.memory().asSlice(RingLayout.TAIL_OFFSET, Long.BYTES);
                    Cluster.await("bytes in the ring", () -> tail.get(ValueLayout.JAVA_LONG, 0) != 0);
                    again.truncate(0);
                },
                "made the file of the shared memory shorter");
    }

    /** Reads the hello, and returns the memory that it offers. */
    private static RingOffer offered(Socket bad) throws IOException {
        DataInputStream in = new DataInputStream(bad.getInputStream());
        byte[] head = new byte[HELLO_FIXED_BYTES];
        in.readFully(head);
        ByteBuffer lengths = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        int names = lengths.getShort(CLUSTER_LENGTH_OFFSET) + lengths.getShort(HELLO_LENGTHS_OFFSET);
        byte[] rest = new byte[names + lengths.getShort(HELLO_LENGTHS_OFFSET + 2)];
        in.readFully(rest);
        return RingOffer.decode(Arrays.copyOfRange(rest, names, rest.length));
    }

    private static void accept(Socket bad) throws IOException {
        bad.getOutputStream()
                .write(Reply.accepting(System.nanoTime() | 1, 1, new byte[0])
                        .encode()
                        .array());
    }

    @Test
    void shouldExplainWhenTheOtherNodeHasAnotherFolder(@TempDir Path elsewhere) {
        try (Cluster other = new Cluster(
                List.of(Ports.map(BAD, addresses)),
                builder -> configure(builder).transportOption("shm.directory", elsewhere.toString()))) {
            assertThatThrownBy(() -> other.node(0).connectNode(0))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContainingAll("node 0", "is not in " + folder.path(), "one host", "containers");
        }
        cluster.awaitQuiet();
    }
}
