package io.dxnet.tools.example.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.tools.example.Await;
import io.dxnet.tools.example.LocalNodes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Books every entry: each committed one is at each live follower once, in order, whole. */
@Timeout(90)
@ParameterizedClass
@ValueSource(strings = {"nio", "ib"})
class ReplicatedLogTest {
    private static final int TERM = 3;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final LogShape SHAPE = new LogShape(8, 200);

    private final List<NodeMap> maps = LocalNodes.maps(4);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Map<Long, String> committed = new ConcurrentHashMap<>();

    private final DXNetConfig config;
    private DXNet writerNode;

    ReplicatedLogTest(String transport) throws IOException {
        DXNetConfig.Builder builder = DXNetConfig.builder().transport(transport);
        if (transport.equals("ib")) {
            builder.transportOption("ib.device", "soft0");
        }
        config = builder.build();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : List.copyOf(open).reversed()) {
            each.close();
        }
    }

    private DXNet node(int id) {
        return DXNet.builder(maps.get(id)).config(config).start();
    }

    private LogWriter writer(int keptMax, Integer... followers) {
        DXNet net = node(0);
        open.add(net);
        writerNode = net;
        LogWriter writer = new LogWriter(net, List.of(followers), TERM, SHAPE, keptMax, new LogListener() {
            @Override
            public void attached(int node, long next) {
                events.add("attached " + node + " at " + next);
            }

            @Override
            public void lost(int node, Exception cause) {
                events.add("lost " + node + ": " + cause.getMessage());
            }
        });
        open.add(writer);
        return writer;
    }

    /** A node with a follower, and all that it has consumed. */
    private final class Replica implements AutoCloseable {
        final List<String> consumed;
        final DXNet net;
        final LogFollower follower;

        Replica(int id, List<String> consumed) throws DXNetException {
            this(id, TERM, consumed, text -> {});
        }

        Replica(int id, long term, List<String> consumed, Consumer<String> before) throws DXNetException {
            this.consumed = Collections.synchronizedList(new ArrayList<>(consumed));
            net = node(id);
            follower = new LogFollower(net, 0, term, SHAPE, consumed.size(), entry -> {
                String text = new String(entry.content(), StandardCharsets.UTF_8);
                before.accept(text);
                this.consumed.add(text);
            });
            open.add(this);
        }

        List<String> consumed() {
            synchronized (consumed) {
                return List.copyOf(consumed);
            }
        }

        @Override
        public void close() {
            open.remove(this);
            follower.close();
            net.close();
        }
    }

    /** Waits for an event, which begins so; drops those before it. */
    private String awaitEvent(String begin) throws InterruptedException {
        String event = "";
        while (!event.startsWith(begin)) {
            event = events.poll(60, TimeUnit.SECONDS);
            assertThat(event).as(begin).isNotNull();
        }
        return event;
    }

    private void append(LogWriter writer, String text) {
        try {
            committed.put(writer.append(text.getBytes(StandardCharsets.UTF_8), LONG), text);
        } catch (LogException | InterruptedException e) {
            throw new AssertionError(text, e);
        }
    }

    /** Appends so many entries of different lengths. */
    private void append(LogWriter writer, String name, int count) {
        Random random = new Random(name.hashCode());
        for (int i = 0; i < count; i++) {
            append(writer, name + i + "x".repeat(random.nextInt(180)));
        }
    }

    private void assertLedger(Replica... replicas) {
        List<String> all = new ArrayList<>();
        for (long sequence = 0; sequence < committed.size(); sequence++) {
            all.add(committed.get(sequence));
        }
        assertThat(all).doesNotContainNull();
        for (Replica each : replicas) {
            Await.until("the entries", () -> each.consumed.size() >= all.size());
            assertThat(each.consumed()).isEqualTo(all);
            assertThat(each.follower.failure()).isNull();
        }
    }

    @Test
    void shouldBringEachEntryToEachFollowerOnceAndInOrder() throws Exception {
        Replica first = new Replica(1, List.of());
        Replica second = new Replica(2, List.of());
        Replica third = new Replica(3, List.of());
        LogWriter writer = writer(1000, 1, 2, 3);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            threads.add(CompletableFuture.runAsync(() -> append(writer, name, 300)));
        }
        for (CompletableFuture<Void> each : threads) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertThat(writerNode.remoteMemory().attach(1, LogShape.RING).isOneSided())
                .isEqualTo(config.transport().equals("ib"));
        assertThat(writer.committed()).isEqualTo(900);
        assertThat(committed).hasSize(900);
        assertLedger(first, second, third);
    }

    @Test
    void shouldDropALostFollowerAndLetItCatchUp() throws Exception {
        Replica first = new Replica(1, List.of());
        Replica second = new Replica(2, List.of());
        Replica third = new Replica(3, List.of());
        LogWriter writer = writer(10_000, 1, 2, 3);
        append(writer, "all", 50);
        third.close();
        append(writer, "two", 100);
        awaitEvent("lost 3");
        assertLedger(first, second);

        Replica restarted = new Replica(3, third.consumed());
        awaitEvent("attached 3 at " + third.consumed().size());
        append(writer, "again", 50);
        assertLedger(first, second, restarted);

        second.close();
        awaitEvent("lost 2");
        append(writer, "other", 50);
        Replica fromTheStart = new Replica(2, List.of());
        awaitEvent("attached 2 at 0");
        append(writer, "end", 50);
        assertLedger(first, fromTheStart, restarted);
    }

    @Test
    void shouldSurviveAFollowerThatRestartsAllTheTime() throws Exception {
        Replica first = new Replica(1, List.of());
        Replica second = new Replica(2, List.of());
        LogWriter writer = writer(10_000, 1, 2, 3);
        CompletableFuture<Void> appended = CompletableFuture.runAsync(() -> append(writer, "entry", 1500));
        List<String> state = List.of();
        for (int i = 0; i < 4; i++) {
            Replica third = new Replica(3, state);
            awaitEvent("attached 3 at " + state.size());
            int from = state.size();
            Await.until("some entries", () -> third.consumed.size() > from + 20 || appended.isDone());
            third.close();
            state = third.consumed();
        }
        appended.get(60, TimeUnit.SECONDS);
        Replica third = new Replica(3, state);
        assertLedger(first, second, third);
    }

    @Test
    void shouldContinueWhereConnectionsEnd() throws Exception {
        Replica first = new Replica(1, List.of());
        Replica second = new Replica(2, List.of());
        Replica third = new Replica(3, List.of());
        LogWriter writer = writer(10_000, 1, 2, 3);
        for (int i = 0; i < 20; i++) {
            append(writer, "round" + i + "-", 20);
            for (Replica each : List.of(first, second, third).subList(i % 3, 3)) {
                each.net.disconnectNode(0);
            }
        }
        append(writer, "end", 20);
        assertLedger(first, second, third);
    }

    @Test
    void shouldRefuseAnEntryWithoutRoomForIt() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        Replica only = new Replica(1, TERM, List.of(), text -> {
            try {
                slow.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        LogWriter writer = writer(8, 1);
        append(writer, "fits", SHAPE.slots());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> writer.append(new byte[1], SHORT))
                    .isInstanceOfSatisfying(
                            LogException.class, e -> assertThat(e.reason()).isEqualTo(LogException.Reason.FULL));
        }
        assertThat(writer.committed()).isEqualTo(SHAPE.slots());
        assertThatThrownBy(() -> writer.append(new byte[SHAPE.contentMax() + 1], SHORT))
                .isInstanceOf(IllegalArgumentException.class);
        slow.countDown();
        append(writer, "next", 20);
        assertLedger(only);
    }

    @Test
    void shouldCommitWhenAMajorityIsBack() throws Exception {
        Replica first = new Replica(1, List.of());
        LogWriter writer = writer(100, 1, 2, 3);
        awaitEvent("attached 1");
        assertThatThrownBy(() -> writer.append("waits".getBytes(StandardCharsets.UTF_8), SHORT))
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.reason()).isEqualTo(LogException.Reason.NOT_COMMITTED));
        assertThat(writer.committed()).isZero();
        committed.put(0L, "waits");
        Replica second = new Replica(2, List.of());
        Await.until("the commit", () -> writer.committed() == 1);
        append(writer, "more", 5);
        assertLedger(first, second);
    }

    @Test
    void shouldReportWhatNeedsOlderEntriesThanAreKept() throws Exception {
        Replica first = new Replica(1, List.of());
        LogWriter writer = writer(10, 1);
        append(writer, "entry", 30);
        assertLedger(first);
        first.close();
        awaitEvent("lost 1");
        Replica empty = new Replica(1, List.of());
        awaitEvent("lost 1: it needs entries from 0 on");
        assertThat(empty.consumed()).isEmpty();
        empty.close();
        Replica complete = new Replica(1, first.consumed());
        awaitEvent("attached 1 at 30");
        append(writer, "more", 10);
        assertLedger(complete);
    }

    @Test
    void shouldWaitForAFollowerThatIsStarting() throws Exception {
        DXNet net = node(1);
        open.add(net);
        MemorySegment slots = Arena.ofAuto().allocate(SHAPE.bytes(), 8);
        MemorySegment positions = Arena.ofAuto().allocate(LogPosition.REGION_BYTES, 8);
        net.remoteMemory().share(LogShape.RING, slots, EnumSet.of(Right.WRITE), Peers.all());
        SharedRegion position =
                net.remoteMemory().share(LogShape.POSITION, positions, EnumSet.of(Right.READ), Peers.all());
        writer(10, 1);
        awaitEvent("lost 1: the follower has no position yet");
        new LogPosition(TERM, 0).write(position.versioned(LogPosition.BYTES));
        awaitEvent("attached 1 at 0");
    }

    @Test
    void shouldReportAFollowerOfAnotherTerm() throws Exception {
        Replica other = new Replica(1, TERM + 1, List.of(), text -> {});
        LogWriter writer = writer(10, 1);
        String event = awaitEvent("lost 1");
        assertThat(event).contains("term " + (TERM + 1));
        assertThat(other.consumed()).isEmpty();
        writer.close();
        assertThatThrownBy(() -> writer.append(new byte[1], LONG))
                .isInstanceOfSatisfying(
                        LogException.class, e -> assertThat(e.reason()).isEqualTo(LogException.Reason.CLOSED));
    }

    @Test
    void shouldReportAFollowerWhoseConsumerFails() throws Exception {
        Replica first = new Replica(1, TERM, List.of(), text -> {
            if (text.startsWith("bad")) {
                throw new IllegalArgumentException(text);
            }
        });
        Replica second = new Replica(2, List.of());
        Replica third = new Replica(3, List.of());
        LogWriter writer = writer(100, 1, 2, 3);
        append(writer, "good", 3);
        awaitEvent("attached 1");
        append(writer, "bad");
        awaitEvent("lost 1");
        Await.until("the failure", () -> first.follower.failure() != null);
        assertThat(first.consumed()).hasSize(3);
        assertLedger(second, third);
    }
}
