package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.Codec;
import io.dxnet.ConnectionListener;
import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetBuilder;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageTooLargeException;
import io.dxnet.MessageType;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.Rejection;
import io.dxnet.RequestFailedException;
import io.dxnet.RequestType;
import io.dxnet.ThreadingLayout;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records instead of message classes, on every transport. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class ValueContract extends TransportContract {
    private static final int MESSAGES = 200_000;
    private static final Duration SECONDS_10 = Cluster.seconds(10);

    record Note(int number, String text, List<String> tags) {}

    record Ping(long number) {}

    record Pong(long number) {}

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MessageType<Note> NOTE = MessageType.of(1, Note.class, LOOKUP);
    private static final MessageType<Note> ORDERED =
            MessageType.of(2, Note.class, LOOKUP).ordered();
    private static final RequestType<Ping, Pong> PING = RequestType.of(3, Ping.class, Pong.class, LOOKUP);
    private static final RequestType<Ping, Pong> TRIANGLE = RequestType.of(4, Ping.class, Pong.class, LOOKUP);
    private static final MessageType<byte[]> BYTES = MessageType.of(5, byte[].class, LOOKUP);

    private final List<DXNet> nodes = new ArrayList<>();
    private final Queue<Cluster.Failure> failures = new ConcurrentLinkedQueue<>();
    private List<NodeMap> maps;

    /** For the transports' test classes. */
    protected ValueContract() {}

    private void nodes(int count) {
        maps = maps(count);
    }

    private DXNet start(int node, UnaryOperator<DXNetBuilder> types) {
        return start(node, config -> config, types);
    }

    private DXNet start(int node, UnaryOperator<DXNetConfig.Builder> settings, UnaryOperator<DXNetBuilder> types) {
        DXNetConfig.Builder config = DXNetConfig.builder()
                .errorHandler((what, error) -> failures.add(new Cluster.Failure(node, what, error)));
        DXNet net = types.apply(DXNet.builder(maps.get(node))
                        .config(settings.apply(configure(config)).build()))
                .start();
        nodes.add(net);
        return net;
    }

    @AfterEach
    final void closeNodes() throws Exception {
        List<Thread> closers = new ArrayList<>();
        for (DXNet net : nodes) {
            closers.add(Thread.ofPlatform().start(net::close));
        }
        for (Thread closer : closers) {
            closer.join(Cluster.PATIENCE);
        }
    }

    private static Note note(int number) {
        return new Note(number, "note " + number, List.of("a", "b"));
    }

    // ---------------------------------------------------------------- records travel

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldDeliverRecordsInOrder(ThreadingLayout layout) throws Exception {
        nodes(2);
        List<Note> received = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(1);
        int count = 100_000;
        DXNet sender = start(0, types -> types);
        start(
                1,
                config -> config.threadingLayout(layout),
                types -> types.on(ORDERED, (note, from) -> {
                    assertThat(from).isZero();
                    received.add(note);
                    if (received.size() == count) {
                        all.countDown();
                    }
                }));
        for (int i = 0; i < count; i++) {
            sender.send(1, ORDERED, note(i));
        }
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < count; i++) {
            assertThat(received.get(i)).isEqualTo(note(i));
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldDeliverLargeValues() throws Exception {
        nodes(2);
        Queue<byte[]> received = new ConcurrentLinkedQueue<>();
        DXNet sender = start(0, types -> types);
        start(1, types -> types.on(BYTES, (bytes, from) -> received.add(bytes)));
        byte[] large = new byte[5_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        sender.send(1, BYTES, large);
        Cluster.await("the large value", () -> !received.isEmpty());
        assertThat(received.poll()).isEqualTo(large);
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldAnswerRequests(ThreadingLayout layout) throws Exception {
        nodes(3);
        // The caller names no type: what it only sends, and the responses, need none.
        DXNet caller = start(0, config -> config.threadingLayout(layout), types -> types);
        DXNet[] middle = new DXNet[1];
        middle[0] = start(
                1,
                config -> config.threadingLayout(layout),
                types -> types.answer(PING, (ping, from) -> new Pong(ping.number() + 1))
                        .answer(TRIANGLE, (ping, from) -> middle[0].call(2, PING, ping, SECONDS_10)));
        start(2, types -> types.answer(PING, (ping, from) -> new Pong(ping.number() * 2)));
        for (int i = 0; i < 1000; i++) {
            assertThat(caller.call(1, PING, new Ping(i), SECONDS_10)).isEqualTo(new Pong(i + 1));
        }
        assertThat(caller.call(1, TRIANGLE, new Ping(21), SECONDS_10)).isEqualTo(new Pong(42));
        List<CompletableFuture<Pong>> later = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            later.add(caller.callAsync(1 + i % 2, PING, new Ping(i)));
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(later.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(new Pong(i % 2 == 0 ? i + 1 : 2 * i));
        }
        assertThat(failures).isEmpty();
    }

    /**
     * Messages of both layers have the same types; a program can be moved to values class by class.
     */
    @Test
    void shouldMixWithMessagesOfTheOriginalLayer() throws Exception {
        nodes(2);
        DXNet values = start(0, types -> types.answer(PING, (ping, from) -> new Pong(ping.number() + 1)));
        DXNet both = start(1, types -> types);
        both.registerMessageType(TestMessages.TYPE, TestMessages.PING, TestMessages.Ping::new);
        both.registerMessageType(TestMessages.TYPE, TestMessages.PONG, TestMessages.Pong::new);
        values.registerMessageType(TestMessages.TYPE, TestMessages.PING, TestMessages.Ping::new);
        values.registerMessageType(TestMessages.TYPE, TestMessages.PONG, TestMessages.Pong::new);
        both.register(
                TestMessages.TYPE,
                TestMessages.PING,
                (TestMessages.Ping ping) -> both.sendMessage(new TestMessages.Pong(ping)));
        assertThat(both.call(0, PING, new Ping(1), SECONDS_10)).isEqualTo(new Pong(2));
        assertThat(values.sendSync(new TestMessages.Ping(1, "x", 1), SECONDS_10).text)
                .isNotNull();
    }

    @Test
    void shouldAllocateNothingWhenAValueIsSent() throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                Allocation.isOptimized(), "needs a JVM with C2: what escape analysis removes, C1 alone allocates");
        nodes(2);
        DXNet sender = start(0, types -> types);
        AtomicInteger received = new AtomicInteger();
        start(1, types -> types.on(NOTE, (note, from) -> received.incrementAndGet()));
        Note note = note(1);
        int sent = 0;
        long bytes = Long.MAX_VALUE;
        // Compiled code is what counts; when the compilers are done depends on the machine.
        for (int round = 0; round < 20 && bytes > MESSAGES / 100; round++) {
            Allocation own = Allocation.ofThisThread();
            for (int i = 0; i < MESSAGES; i++, sent++) {
                sender.send(1, NOTE, note);
            }
            bytes = own.bytes();
        }
        assertThat(bytes).isLessThanOrEqualTo(MESSAGES / 100); // a hundredth of a byte each
        int all = sent;
        Cluster.await("all", () -> received.get() == all);
    }

    // ---------------------------------------------------------------- failures

    @Test
    void shouldReportAFailureOfAHandlerToTheRequester() {
        nodes(2);
        DXNet caller = start(0, types -> types);
        start(
                1,
                types -> types.answer(PING, (ping, from) -> {
                    if (ping.number() == 0) {
                        return null;
                    }
                    throw new IllegalStateException("no pong today");
                }));
        assertThatThrownBy(() -> caller.call(1, PING, new Ping(1), SECONDS_10))
                .isInstanceOfSatisfying(RequestFailedException.class, failure -> {
                    assertThat(failure.nodeId()).isEqualTo(1);
                    assertThat(failure.errorClass()).isEqualTo(IllegalStateException.class.getName());
                })
                .hasMessageContaining("request type 3 (Ping)")
                .hasMessageContaining("no pong today");
        assertThatThrownBy(() -> caller.call(1, PING, new Ping(0), SECONDS_10))
                .isInstanceOf(RequestFailedException.class)
                .hasMessageContaining("returned null");
        assertThatThrownBy(() -> caller.callAsync(1, PING, new Ping(1)).get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RequestFailedException.class);
        assertThatThrownBy(() -> caller.call(1, TRIANGLE, new Ping(1), SECONDS_10))
                .isInstanceOf(RequestFailedException.class)
                .hasMessageContaining("not registered");
    }

    record PingOfTomorrow(long number, String reason) {}

    record PongOfTomorrow(long number, String reason) {}

    sealed interface Shape {
        record Circle(int radius) implements Shape {}

        record Square(int side) implements Shape {}
    }

    sealed interface ShapeOfTomorrow {
        record Circle(int radius) implements ShapeOfTomorrow {}

        record Square(int side) implements ShapeOfTomorrow {}

        record Triangle(int a, int b, int c) implements ShapeOfTomorrow {}
    }

    @Test
    void shouldNoticeAFamilyThatHasAnotherCase() throws Exception {
        MessageType<Shape> shapes = MessageType.of(6, Shape.class, LOOKUP);
        MessageType<ShapeOfTomorrow> newer = MessageType.of(6, ShapeOfTomorrow.class, LOOKUP);
        nodes(2);
        Queue<Rejection> rejections = new ConcurrentLinkedQueue<>();
        Queue<Shape> handled = new ConcurrentLinkedQueue<>();
        DXNet sender = start(
                0,
                types -> types.listener(new ConnectionListener() {
                    @Override
                    public void rejected(Rejection rejection) {
                        rejections.add(rejection);
                    }
                }));
        start(1, types -> types.on(shapes, (shape, from) -> handled.add(shape)));
        sender.send(1, newer, new ShapeOfTomorrow.Triangle(3, 4, 5));
        sender.send(1, newer, new ShapeOfTomorrow.Circle(2));
        sender.send(1, shapes, new Shape.Circle(1));
        Cluster.await("the rejections", () -> rejected(rejections, shapes.id()) == 2);
        Cluster.await("what both know", () -> handled.size() == 1);
        assertThat(handled).containsExactly(new Shape.Circle(1));
        assertThat(reason(rejections, shapes)).contains("another schema").contains("Square");
        assertThat(failures)
                .anyMatch(failure ->
                        failure.node() == 1 && failure.error().getMessage().contains("another schema"));
        assertThat(sender.statistics().connectionsOpened()).isEqualTo(1);
    }

    @Test
    void shouldNoticeAnotherVersionOfARecord() throws Exception {
        RequestType<PingOfTomorrow, Pong> newRequest = RequestType.of(3, PingOfTomorrow.class, Pong.class, LOOKUP);
        RequestType<Ping, PongOfTomorrow> newResponse = RequestType.of(3, Ping.class, PongOfTomorrow.class, LOOKUP);
        nodes(2);
        DXNet caller = start(0, types -> types);
        start(1, types -> types.answer(PING, (ping, from) -> new Pong(ping.number())));
        assertThatThrownBy(() -> caller.call(1, newRequest, new PingOfTomorrow(1, "why"), SECONDS_10))
                .isInstanceOf(RequestFailedException.class)
                .hasMessageContaining("another schema");
        assertThatThrownBy(() -> caller.call(1, newResponse, new Ping(1), SECONDS_10))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("another schema");
        assertThat(caller.call(1, PING, new Ping(1), SECONDS_10)).isEqualTo(new Pong(1));
        assertThat(caller.statistics().connectionsOpened()).isEqualTo(1);
        assertThat(failures)
                .anyMatch(failure ->
                        failure.node() == 1 && failure.error().getMessage().contains("another schema"));
    }

    @Test
    void shouldRefuseACodecThatWritesAnotherSize() {
        Codec<Integer> wrong = new Codec<>() {
            @Override
            public void write(Integer value, Exporter to) {
                to.writeInt(value);
            }

            @Override
            public Integer read(Importer from) {
                return from.readInt();
            }

            @Override
            public int size(Integer value) {
                return value;
            }
        };
        MessageType<Integer> type = MessageType.of(9, "Wrong", wrong);
        nodes(2);
        DXNet sender = start(0, types -> types);
        start(1, types -> types);
        assertThatThrownBy(() -> sender.send(1, type, 5)).isInstanceOf(MessagingUsageException.class);
        assertThatThrownBy(() -> sender.send(1, type, 3)).isInstanceOf(MessagingUsageException.class);
        assertThatThrownBy(() -> sender.send(1, type, 2_000_000_000)).isInstanceOf(MessageTooLargeException.class);
        assertThatThrownBy(() -> sender.send(1, NOTE, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> sender.send(70_000, NOTE, note(1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseTwoTypesWithOneId() {
        nodes(1);
        DXNetBuilder builder = DXNet.builder(maps.get(0)).on(NOTE, (note, from) -> {});
        RequestType<Ping, Pong> same = RequestType.of(NOTE.id(), Ping.class, Pong.class, LOOKUP);
        assertThatThrownBy(() -> builder.answer(same, (ping, from) -> new Pong(1)))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("id");
    }

    // ---------------------------------------------------------------- executors

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldLetHandlersBlockOnVirtualThreads(ThreadingLayout layout) throws Exception {
        nodes(2);
        DXNet caller = start(0, types -> types);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        start(
                1,
                config -> config.threadingLayout(layout).handlers(1),
                types -> types.answer(
                                TRIANGLE,
                                (ping, from) -> {
                                    assertThat(Thread.currentThread().isVirtual())
                                            .isTrue();
                                    inside.incrementAndGet();
                                    release.await();
                                    return new Pong(-ping.number());
                                },
                                Thread::startVirtualThread)
                        .answer(PING, (ping, from) -> new Pong(ping.number())));
        List<CompletableFuture<Pong>> blocked = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            blocked.add(caller.callAsync(1, TRIANGLE, new Ping(i)));
        }
        Cluster.await("all are inside", () -> inside.get() == 200);
        assertThat(caller.call(1, PING, new Ping(7), SECONDS_10)).isEqualTo(new Pong(7));
        release.countDown();
        for (int i = 0; i < 200; i++) {
            assertThat(blocked.get(i).get(10, TimeUnit.SECONDS)).isEqualTo(new Pong(-i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldKeepTheOrderOnAnExecutor(int handlers) throws Exception {
        nodes(2);
        int count = 20_000;
        List<Integer> received = new ArrayList<>(); // by one call at a time
        CountDownLatch all = new CountDownLatch(count);
        DXNet sender = start(0, types -> types);
        start(
                1,
                config -> config.handlers(handlers),
                types -> types.on(
                        ORDERED,
                        (note, from) -> {
                            received.add(note.number());
                            all.countDown();
                            if (note.number() % 100 == 0) {
                                throw new IllegalStateException("a failure does not stop the others");
                            }
                        },
                        Thread::startVirtualThread));
        for (int i = 0; i < count; i++) {
            sender.send(1, ORDERED, note(i));
        }
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < count; i++) {
            assertThat(received.get(i)).isEqualTo(i);
        }
        Cluster.await("failures", () -> failures.size() == count / 100);
    }

    /** The order of ordered messages outlasts their connection. */
    @Test
    void shouldKeepTheOrderOnAnExecutorAcrossConnections() throws Exception {
        nodes(2);
        int count = 3000;
        List<Integer> received = new ArrayList<>(); // by one call at a time
        CountDownLatch all = new CountDownLatch(count);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        DXNet sender = start(0, types -> types);
        start(
                1,
                types -> types.on(
                        ORDERED,
                        (note, from) -> {
                            together.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            received.add(note.number());
                            Thread.yield();
                            inside.decrementAndGet();
                            all.countDown();
                        },
                        Thread::startVirtualThread));
        for (int i = 0; i < count; i++) {
            sender.send(1, ORDERED, note(i));
            if (i % 100 == 99) {
                sender.disconnectNode(1);
            }
        }
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(together.get()).isEqualTo(1);
        for (int i = 0; i < count; i++) {
            assertThat(received.get(i)).isEqualTo(i);
        }
    }

    record Blob(byte[] bytes) {}

    private static final RequestType<Blob, Blob> ECHO = RequestType.of(6, Blob.class, Blob.class, LOOKUP);

    /** Requests in executors' hands hold the window; their responses must not wait for it. */
    @Test
    void shouldAnswerFromExecutorsWhileBothWindowsAreUsedUp() throws Exception {
        nodes(2);
        List<DXNet> both = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            both.add(start(
                    node,
                    config -> config.ringBytes(64 << 10).flowControlWindowBytes(16 << 10),
                    types -> types.answer(ECHO, (blob, from) -> blob, Thread::startVirtualThread)));
        }
        List<CompletableFuture<Blob>> futures = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            futures.add(both.get(i % 2).callAsync(1 - i % 2, ECHO, new Blob(new byte[1000]), Cluster.PATIENCE));
        }
        for (CompletableFuture<Blob> future : futures) {
            assertThat(future.get(60, TimeUnit.SECONDS).bytes()).hasSize(1000);
        }
        assertThat(failures).isEmpty();
    }

    /** What an executor has is not handled: an orderly end waits for it, or reports it. */
    @Test
    void shouldNotCountAMessageInAnExecutorsHandsAsHandled() throws Exception {
        nodes(2);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        Queue<Disconnect> ends = new ConcurrentLinkedQueue<>();
        DXNet sender = start(
                0,
                config -> config.closeTimeoutMs(30_000),
                types -> types.listener(new ConnectionListener() {
                    @Override
                    public void disconnected(int nodeId, Disconnect cause) {
                        ends.add(cause);
                    }
                }));
        start(
                1,
                config -> config.closeTimeoutMs(30_000),
                types -> types.on(
                        NOTE,
                        (note, from) -> {
                            inside.incrementAndGet();
                            release.await();
                            handled.incrementAndGet();
                        },
                        Thread::startVirtualThread));
        for (int i = 0; i < 50; i++) {
            sender.send(1, NOTE, note(i));
        }
        Cluster.await("all are inside", () -> inside.get() == 50);
        sender.disconnectNode(1);
        // The end is not reported before all handlers have returned.
        assertThat(ends).isEmpty();
        release.countDown();
        Cluster.await("the end", () -> !ends.isEmpty());
        assertThat(handled.get()).isEqualTo(50);
        assertThat(ends.peek().unconfirmedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportWhatAnExecutorRefuses(boolean ordered) throws Exception {
        RequestType<Ping, Pong> type = ordered ? TRIANGLE.ordered() : TRIANGLE;
        nodes(2);
        Executor closed = task -> {
            throw new RejectedExecutionException("closed");
        };
        DXNet caller = start(0, types -> types);
        start(
                1,
                types -> types.answer(type, (ping, from) -> new Pong(1), closed)
                        .answer(PING, (ping, from) -> new Pong(ping.number())));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> caller.call(1, type, new Ping(1), SECONDS_10))
                    .isInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(caller.call(1, PING, new Ping(7), SECONDS_10)).isEqualTo(new Pong(7));
    }

    record NoteOfTomorrow(int number, String text, List<String> tags, long due) {}

    /**
     * Each kind of message that reaches no handler is reported to its sender,
     * with its number; the others continue.
     */
    @Test
    void shouldRejectMessagesThatReachNoHandler() throws Exception {
        MessageType<NoteOfTomorrow> newer = MessageType.of(1, NoteOfTomorrow.class, LOOKUP);
        nodes(2);
        Queue<Rejection> rejections = new ConcurrentLinkedQueue<>();
        AtomicInteger handled = new AtomicInteger();
        DXNet sender = start(
                0,
                types -> types.listener(new ConnectionListener() {
                    @Override
                    public void rejected(Rejection rejection) {
                        rejections.add(rejection);
                    }
                }));
        start(
                1,
                types -> types.on(NOTE, (note, from) -> handled.incrementAndGet())
                        .on(ORDERED, (note, from) -> {}, task -> {
                            throw new RejectedExecutionException("the pool is closed");
                        }));
        for (int i = 0; i < 10; i++) {
            sender.send(1, newer, new NoteOfTomorrow(i, "a", List.of(), 1));
            sender.send(1, NOTE, note(i));
            sender.send(1, ORDERED, note(i));
            sender.send(1, BYTES, new byte[i]);
        }
        for (int type : new int[] {NOTE.id(), ORDERED.id(), BYTES.id()}) {
            Cluster.await("rejections of type " + type, () -> rejected(rejections, type) == 10);
        }
        assertThat(reason(rejections, NOTE)).contains("another schema").contains("Note{number: int");
        assertThat(reason(rejections, ORDERED)).contains("the pool is closed");
        assertThat(reason(rejections, BYTES)).contains("not registered");
        Cluster.await("the others", () -> handled.get() == 10);
        assertThat(sender.statistics().connectionsOpened()).isEqualTo(1);
        assertThat(sender.statistics().messagesRejected()).isEqualTo(30);
    }

    private static long rejected(Queue<Rejection> rejections, int type) {
        return rejections.stream()
                .filter(each -> each.typeId() == type)
                .mapToLong(Rejection::count)
                .sum();
    }

    private static String reason(Queue<Rejection> rejections, MessageType<?> type) {
        return rejections.stream()
                .filter(each -> each.typeId() == type.id())
                .findFirst()
                .orElseThrow()
                .reason();
    }

    // ---------------------------------------------------------------- without waiting

    @Test
    void shouldSendWithoutWaitingUntilThereIsNoRoom() throws Exception {
        nodes(2);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        DXNet sender = start(0, config -> config.ringBytes(64 << 10).flowControlWindowBytes(64 << 10), types -> types);
        start(
                1,
                config -> config.ringBytes(64 << 10).flowControlWindowBytes(64 << 10),
                types -> types.on(NOTE, (note, from) -> {
                    release.await();
                    handled.incrementAndGet();
                }));
        assertThat(sender.trySend(1, NOTE, note(0))).isFalse(); // it is not connected
        sender.whenWritable(1).get(10, TimeUnit.SECONDS);
        int sent = 0;
        while (sender.trySend(1, NOTE, note(sent))) {
            sent++;
            assertThat(sent).isLessThan(1_000_000);
        }
        CompletableFuture<Void> writable = sender.whenWritable(1);
        assertThat(writable).isNotDone();
        release.countDown();
        writable.get(10, TimeUnit.SECONDS);
        assertThat(sender.trySend(1, NOTE, note(sent))).isTrue();
        int all = sent + 1;
        Cluster.await("all are handled", () -> handled.get() == all);
        assertThatThrownBy(() -> sender.trySend(1, BYTES, new byte[40_000]))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("use send");
    }

    // ---------------------------------------------------------------- whenHandled

    @Test
    void shouldReportWhenAllWasHandled() throws Exception {
        nodes(3);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger own = new AtomicInteger();
        DXNet sender = start(0, types -> types.on(NOTE, (note, from) -> own.incrementAndGet()));
        start(
                1,
                types -> types.on(NOTE, (note, from) -> handled.incrementAndGet())
                        .on(
                                BYTES,
                                (bytes, from) -> {
                                    begun.countDown();
                                    release.await();
                                    handled.incrementAndGet();
                                },
                                Thread::startVirtualThread));
        assertThat(sender.whenHandled(2)).isCompleted(); // nothing was sent to it
        sender.send(1, NOTE, note(0));
        sender.whenHandled(1).get(10, TimeUnit.SECONDS);
        assertThat(handled).hasValue(1);
        sender.send(0, NOTE, note(0));
        sender.whenHandled(0).get(10, TimeUnit.SECONDS);
        assertThat(own).hasValue(1);

        sender.send(1, BYTES, new byte[3_000_000]); // larger than the receiver's buffers
        begun.await();
        CompletableFuture<Void> first = sender.whenHandled(1);
        sender.send(1, NOTE, note(1));
        CompletableFuture<Void> second = sender.whenHandled(1);
        Cluster.await("the other message is handled", () -> handled.get() == 2);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        release.countDown();
        first.get(10, TimeUnit.SECONDS);
        assertThat(handled).hasValue(3);
        second.get(10, TimeUnit.SECONDS);
        assertThat(failures).isEmpty();
    }

    /** The threads of a callback and of a listener, which wait, are those that receive and poll. */
    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldWaitInACallback(ThreadingLayout layout) throws Exception {
        nodes(3);
        AtomicInteger handled = new AtomicInteger();
        CountDownLatch waited = new CountDownLatch(2);
        start(2, types -> types.on(NOTE, (note, from) -> handled.incrementAndGet()));
        DXNet[] middle = new DXNet[1];
        DXNet sender = start(0, types -> types);
        middle[0] = start(
                1,
                config -> config.threadingLayout(layout),
                types -> types.on(NOTE, (note, from) -> {
                    middle[0].send(2, NOTE, note);
                    middle[0].whenHandled(2).get(20, TimeUnit.SECONDS);
                    assertThat(handled.get()).isPositive();
                    waited.countDown();
                }));
        middle[0].addConnectionListener(new ConnectionListener() {
            @Override
            public void connected(int nodeId) {
                if (nodeId == 0) {
                    middle[0].whenHandled(2).join();
                    waited.countDown();
                }
            }

            @Override
            public void disconnected(int nodeId, Disconnect cause) {}
        });
        middle[0].send(2, NOTE, note(0));
        sender.send(1, NOTE, note(1));
        assertThat(waited.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
    }

    /** A message before one for an executor waits for a response, which is of the other epoch. */
    @Test
    void shouldKnowTheEpochOfAMessageBehindACallbackThatWaits() throws Exception {
        nodes(3);
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        DXNet helper = start(2, types -> types.answer(PING, (ping, from) -> new Pong(ping.number())));
        DXNet[] receiver = new DXNet[1];
        receiver[0] = start(
                1,
                config -> config.handlers(1),
                types -> types.on(NOTE, (note, from) -> {
                            if (note.number() == 1) {
                                gate.await(); // so that the messages behind it come in one batch
                            } else if (note.number() == 2) {
                                receiver[0].call(2, PING, new Ping(1), SECONDS_10);
                            }
                        })
                        .on(
                                ORDERED,
                                (note, from) -> {
                                    begun.countDown();
                                    release.await();
                                },
                                Thread::startVirtualThread));
        helper.send(1, NOTE, note(0));
        helper.whenHandled(1).get(10, TimeUnit.SECONDS); // its connection's epoch is odd from now on
        DXNet[] sender = new DXNet[1];
        CompletableFuture<CompletableFuture<Void>> sent = new CompletableFuture<>();
        sender[0] = start(
                0,
                types -> types.on(NOTE, (note, from) -> {
                    sender[0].send(1, NOTE, note(1)); // leaves at once
                    sender[0].send(1, NOTE, note(2)); // these two leave together, when this returns
                    sender[0].send(1, ORDERED, note(3));
                    sent.complete(sender[0].whenHandled(1));
                }));
        helper.send(0, NOTE, note(5));
        CompletableFuture<Void> handled = sent.get(10, TimeUnit.SECONDS);
        helper.whenHandled(0).get(10, TimeUnit.SECONDS);
        gate.countDown();
        begun.await();
        for (int i = 0; i < 5; i++) { // time enough for an answer that comes too early
            helper.send(1, NOTE, note(4));
            helper.whenHandled(1).get(10, TimeUnit.SECONDS);
        }
        assertThat(handled).isNotDone();
        release.countDown();
        handled.get(10, TimeUnit.SECONDS);
        assertThat(failures).isEmpty();
    }

    /** The barrier must come between the messages of a thread that streams without a pause. */
    @Test
    void shouldNotWaitForAThreadThatStreams() throws Exception {
        nodes(2);
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        AtomicBoolean stopped = new AtomicBoolean();
        DXNet sender = start(0, types -> types);
        start(1, types -> types.on(BYTES, (bytes, from) -> handled.incrementAndGet()));
        Thread streaming = Thread.ofPlatform().start(() -> {
            byte[] large = new byte[4_000_000];
            try {
                while (!stopped.get()) {
                    sender.send(1, BYTES, large);
                    sent.incrementAndGet();
                }
            } catch (DXNetException e) {
                failures.add(new Cluster.Failure(0, "streaming", e));
            }
        });
        Cluster.await("it streams", () -> sent.get() > 0);
        for (int i = 0; i < 5; i++) {
            int before = sent.get();
            sender.whenHandled(1).get(30, TimeUnit.SECONDS);
            assertThat(handled.get()).isGreaterThanOrEqualTo(before);
        }
        stopped.set(true);
        streaming.join();
        assertThat(failures).isEmpty();
    }

    /**
     * Several threads, handlers on several threads and an executor,
     * messages of one buffer and of many.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldReportNothingAsHandledThatIsNot(int handlers) throws Exception {
        nodes(2);
        int senders = 4;
        int rounds = 60;
        AtomicInteger[] handled = new AtomicInteger[senders];
        for (int i = 0; i < senders; i++) {
            handled[i] = new AtomicInteger();
        }
        DXNet sender = start(0, config -> config.flowControlWindowBytes(256 << 10), types -> types);
        start(
                1,
                config -> config.handlers(handlers).flowControlWindowBytes(256 << 10),
                types -> types.on(NOTE, (note, from) -> handled[note.number()].incrementAndGet())
                        .on(
                                ORDERED,
                                (note, from) -> handled[note.number()].incrementAndGet(),
                                Thread::startVirtualThread)
                        .on(BYTES, (bytes, from) -> handled[bytes[0]].incrementAndGet()));
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            int own = i;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        try {
                            int sent = 0;
                            for (int round = 0; round < rounds; round++) {
                                for (int k = 0; k < 50; k++) {
                                    sender.send(1, k % 3 == 0 ? ORDERED : NOTE, note(own));
                                }
                                byte[] large = new byte[round % 4 == 0 ? 300_000 : 20];
                                large[0] = (byte) own;
                                sender.send(1, BYTES, large);
                                sent += 51;
                                sender.whenHandled(1).get(30, TimeUnit.SECONDS);
                                assertThat(handled[own].get()).isEqualTo(sent);
                            }
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    },
                    Thread::startVirtualThread));
        }
        for (CompletableFuture<Void> each : all) {
            each.get(100, TimeUnit.SECONDS);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldFailAWaitWhoseMessagesAreLost() throws Exception {
        nodes(2);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        DXNet sender = start(0, config -> config.closeTimeoutMs(200), types -> types);
        start(
                1,
                config -> config.closeTimeoutMs(200),
                types -> types.on(NOTE, (note, from) -> {
                    begun.countDown();
                    release.await();
                }));
        sender.send(1, NOTE, note(0));
        begun.await();
        CompletableFuture<Void> handled = sender.whenHandled(1);
        sender.disconnectNode(1); // its handler lasts longer than closeTimeoutMs
        assertThatThrownBy(() -> handled.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("node 1");
        release.countDown();

        Cluster.await("it is connected again", () -> isSent(sender));
        CompletableFuture<Void> orderly = sender.whenHandled(1);
        sender.disconnectNode(1);
        orderly.get(30, TimeUnit.SECONDS);
        sender.close();
        assertThatThrownBy(() -> sender.whenHandled(1)).isInstanceOf(NetClosedException.class);
    }

    private static boolean isSent(DXNet sender) {
        try {
            sender.send(1, NOTE, note(1));
            return true;
        } catch (DXNetException e) {
            return false; // the connection's end is not over
        }
    }

    /** Sends until no room comes: a full ring alone may be one whose data is on its way. */
    private static void fill(DXNet sender) throws Exception {
        while (true) {
            if (!sender.trySend(1, NOTE, note(1))) {
                sender.whenWritable(1).get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void shouldFailAWaitForRoomThatCannotCome() throws Exception {
        nodes(3);
        CountDownLatch release = new CountDownLatch(1);
        DXNet sender = start(
                0,
                config -> config.ringBytes(64 << 10)
                        .flowControlWindowBytes(64 << 10)
                        .sendTimeoutMs(200),
                types -> types);
        start(
                1,
                config -> config.ringBytes(64 << 10).flowControlWindowBytes(64 << 10),
                types -> types.on(NOTE, (note, from) -> release.await()));
        assertThatThrownBy(() -> sender.whenWritable(2).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NodeUnreachableException.class);
        sender.whenWritable(1).get(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> fill(sender))
                .hasCauseInstanceOf(DXNetException.class)
                .hasMessageContaining("sendTimeoutMs");
        CompletableFuture<Void> writable = sender.whenWritable(1);
        release.countDown();
        sender.close();
        assertThatThrownBy(() -> {
                    writable.get(30, TimeUnit.SECONDS);
                    sender.whenWritable(1).get(30, TimeUnit.SECONDS);
                })
                .hasCauseInstanceOf(NetClosedException.class);
    }
}
