package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConnectionListener;
import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Importer;
import io.dxnet.MessageTooLargeException;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.ParkingStrategy;
import io.dxnet.Request;
import io.dxnet.RequestFailedException;
import io.dxnet.RequestTimeoutException;
import io.dxnet.Response;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Number;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import io.dxnet.contract.TestMessages.Rude;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every transport has to do under the engine: a transport's test class extends
 * this one and configures the transport.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class MessagingContract extends TransportContract {
    private static final Duration SECONDS_10 = Cluster.seconds(10);

    /** For the transports' test classes. */
    protected MessagingContract() {}

    /** Whether the wire allocates on the heap for what it sends, as the JDK's TLS does. */
    protected boolean allocatesOnTheWire() {
        return false;
    }

    private Cluster cluster(int nodes) {
        return cluster(nodes, builder -> builder);
    }

    private static UnaryOperator<DXNetConfig.Builder> layout(ThreadingLayout layout) {
        return builder -> builder.threadingLayout(layout).handlers(layout == ThreadingLayout.FUSED ? 1 : 3);
    }

    /** Checks content and order of what it gets; counts. */
    private static final class Checker {
        final AtomicInteger received = new AtomicInteger();
        final AtomicReference<String> wrong = new AtomicReference<>();
        private final int[][] next;

        Checker(int nodes, int threads) {
            next = new int[nodes][threads];
        }

        void check(Data data) {
            if (!data.isIntact()) {
                wrong.compareAndSet(null, "corrupted: " + data.thread + "/" + data.sequence);
            }
            int expected = next[data.source()][data.thread]++;
            if (expected != data.sequence) {
                wrong.compareAndSet(
                        null, "thread " + data.thread + ": expected " + expected + ", got " + data.sequence);
            }
            received.incrementAndGet();
        }

        void awaitAll(int count) {
            Cluster.await("all " + count + " messages", () -> received.get() >= count || wrong.get() != null);
            assertThat(wrong.get()).isNull();
            assertThat(received.get()).isEqualTo(count);
        }

        static Checker on(DXNet net, int nodes, int threads) {
            Checker checker = new Checker(nodes, threads);
            net.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> checker.check(data));
            return checker;
        }
    }

    private static void send(DXNet from, int to, int thread, int count, int bytes) {
        try {
            for (int i = 0; i < count; i++) {
                from.sendMessage(new Data(to, thread, i, bytes));
            }
        } catch (DXNetException e) {
            throw new AssertionError(e);
        }
    }

    private static void inThreads(int threads, java.util.function.IntConsumer body) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            CompletableFuture<Void> done = new CompletableFuture<>();
            all.add(done);
            Thread.ofPlatform().start(() -> {
                try {
                    body.accept(number);
                    done.complete(null);
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            });
        }
        CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).join();
    }

    // ---------------------------------------------------------------- delivery

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldDeliverSmallMessagesInOrderWhenOneThreadSends(ThreadingLayout layout) {
        Cluster cluster = cluster(2, layout(layout));
        Checker checker = Checker.on(cluster.node(1), 2, 1);
        send(cluster.node(0), 1, 0, 200_000, 16);
        checker.awaitAll(200_000);
        cluster.awaitQuiet();
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldDeliverBothWaysInOrderWhenManyThreadsSend(ThreadingLayout layout) {
        int threads = 12;
        int count = 4000;
        Cluster cluster =
                cluster(2, layout(layout).andThen(b -> b.ringBytes(64 << 10).commitSlots(16))::apply);
        Checker at0 = Checker.on(cluster.node(0), 2, threads);
        Checker at1 = Checker.on(cluster.node(1), 2, threads);
        inThreads(2 * threads, t -> {
            int from = t % 2;
            send(cluster.node(from), 1 - from, t / 2, count, 1 + (t * 37) % 300);
        });
        at0.awaitAll(threads * count);
        at1.awaitAll(threads * count);
        cluster.awaitQuiet();
    }

    @ParameterizedTest
    @EnumSource(ParkingStrategy.class)
    void shouldDeliverWhateverIdleThreadsDo(ParkingStrategy strategy) {
        Cluster cluster = cluster(2, b -> b.parkingStrategy(strategy).idleParkAfterMs(5));
        Checker checker = Checker.on(cluster.node(1), 2, 4);
        inThreads(4, t -> send(cluster.node(0), 1, t, 5000, 50));
        checker.awaitAll(20_000);
        inThreads(2, t -> {
            try {
                assertThat(cluster.node(t).sendSync(new Ping(1 - t, "p", 3), SECONDS_10).text)
                        .isEqualTo("p");
            } catch (DXNetException e) {
                throw new AssertionError(e);
            }
        });
        cluster.awaitQuiet();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 2_000, 16_383, 32_000, 70_000, 300_000, 8 << 20})
    void shouldDeliverAnySizeWhenTheRingIsSmall(int bytes) {
        Cluster cluster = cluster(2, b -> b.ringBytes(64 << 10).flowControlWindowBytes(256 << 10));
        Checker checker = Checker.on(cluster.node(1), 2, 3);
        int count = bytes > 1 << 20 ? 4 : bytes > 10_000 ? 60 : 3000;
        inThreads(3, t -> send(cluster.node(0), 1, t, count, bytes));
        checker.awaitAll(3 * count);
        cluster.awaitQuiet();
    }

    @Test
    void shouldDeliverLargeMessagesBothWaysWhenSmallOnesGoAlong() {
        Cluster cluster = cluster(2, b -> b.ringBytes(64 << 10));
        Checker at0 = Checker.on(cluster.node(0), 2, 4);
        Checker at1 = Checker.on(cluster.node(1), 2, 4);
        inThreads(8, t -> {
            int from = t % 2;
            boolean large = t / 2 == 0;
            send(cluster.node(from), 1 - from, t / 2, large ? 20 : 2000, large ? 1 << 20 : 50);
        });
        at0.awaitAll(20 + 3 * 2000);
        at1.awaitAll(20 + 3 * 2000);
        cluster.awaitQuiet();
    }

    @Test
    void shouldDeliverToEachDestinationWhenThereAreSeveral() throws Exception {
        Cluster cluster = cluster(4);
        List<Checker> checkers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            checkers.add(Checker.on(cluster.node(i), 4, 1));
        }
        for (int i = 0; i < 100; i++) {
            cluster.node(0).sendMessage(new Data(new int[] {1, 2, 3}, 0, i, 100));
        }
        checkers.subList(1, 4).forEach(checker -> checker.awaitAll(100));
        assertThat(checkers.get(0).received.get()).isZero();
    }

    @Test
    void shouldDeliverAllToAllWhenEveryNodeSendsToEveryNodeAndToItself() {
        int nodes = 4;
        int count = 5000;
        Cluster cluster = cluster(nodes);
        List<Checker> checkers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            checkers.add(Checker.on(cluster.node(i), nodes, nodes));
        }
        inThreads(nodes * nodes, t -> send(cluster.node(t / nodes), t % nodes, 0, count, 40));
        checkers.forEach(checker -> checker.awaitAll(nodes * count));
        cluster.awaitQuiet();
    }

    @Test
    void shouldMakeOneConnectionWhenManyThreadsAskAtOnceOnBothSides() {
        Cluster cluster = cluster(2);
        Checker at0 = Checker.on(cluster.node(0), 2, 100);
        Checker at1 = Checker.on(cluster.node(1), 2, 100);
        CountDownLatch ready = new CountDownLatch(200);
        inThreads(200, t -> {
            ready.countDown();
            try {
                ready.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            send(cluster.node(t % 2), 1 - t % 2, t / 2, 10, 10);
        });
        at0.awaitAll(1000);
        at1.awaitAll(1000);
        assertThat(cluster.node(0).statistics().connectionsOpened()).isEqualTo(1);
        assertThat(cluster.node(1).statistics().connectionsOpened()).isEqualTo(1);
    }

    @Test
    void shouldGiveOneInstanceAgainAndAgainWhenTheTypeIsReusable() throws Exception {
        Cluster cluster = cluster(2, b -> b.handlers(1));
        DXNet receiver = cluster.node(1);
        int subtype = 50;
        AtomicReference<Object> instance = new AtomicReference<>();
        AtomicInteger others = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            cluster.node(i)
                    .registerMessageType(
                            TestMessages.TYPE,
                            subtype,
                            Data::new,
                            MessageTypeOption.REUSABLE,
                            MessageTypeOption.EXCLUSIVE);
        }
        receiver.register(TestMessages.TYPE, subtype, (Data data) -> {
            if (!instance.compareAndSet(null, data) && instance.get() != data) {
                others.incrementAndGet();
            }
            received.incrementAndGet();
        });
        class Reused extends io.dxnet.Message {
            Reused() {
                super(1, TestMessages.TYPE, subtype);
            }

            @Override
            public void exportObject(io.dxnet.Exporter exporter) {
                exporter.writeInt(0);
                exporter.writeCompactInt(0);
                exporter.writeByteArray(new byte[0]);
            }

            @Override
            public int sizeOfObject() {
                return 6;
            }
        }
        Reused message = new Reused();
        for (int i = 0; i < 1000; i++) {
            cluster.node(0).sendMessage(message);
        }
        Cluster.await("1000 messages", () -> received.get() == 1000);
        assertThat(others.get()).isZero();
    }

    /** Fails when it is exported, after it was released. */
    private static final class Failing extends io.dxnet.Message {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);

        Failing() {
            super(1, TestMessages.TYPE, TestMessages.DATA);
        }

        @Override
        public void exportObject(io.dxnet.Exporter exporter) {
            exporter.writeInt(1);
            entered.countDown();
            Cluster.await("the release", () -> released.getCount() == 0);
            throw new IllegalStateException("a message that fails");
        }

        @Override
        public int sizeOfObject() {
            return 100;
        }
    }

    /**
     * A message that fails leaves a region without a signal. What another thread has sent behind it
     * was signalled earlier, when the transport could not send it yet.
     */
    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldSendWhatIsBehindAMessageThatFails(ThreadingLayout layout) throws Exception {
        Cluster cluster = cluster(2, layout(layout));
        DXNet sender = cluster.node(0);
        Checker there = Checker.on(cluster.node(1), 2, 1);
        Checker here = Checker.on(sender, 2, 1);
        int rounds = 20;
        int turns = 3; // of the sender's transport, at the least
        for (int i = 0; i < rounds; i++) {
            Failing failing = new Failing();
            CompletableFuture<Void> failed = CompletableFuture.runAsync(() ->
                    assertThatThrownBy(() -> sender.sendMessage(failing)).isInstanceOf(IllegalStateException.class));
            failing.entered.await();
            sender.sendMessage(new Data(1, 0, i, 10));
            for (int turn = 0; turn < turns; turn++) {
                cluster.node(1).sendMessage(new Data(0, 0, i * turns + turn, 10));
                here.awaitAll(i * turns + turn + 1);
            }
            failing.released.countDown();
            failed.get();
            there.awaitAll(i + 1);
        }
    }

    /**
     * The gate behind "steady state allocates nothing" (less than 0.01 bytes a message,
     * on any thread that takes part).
     */
    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldAllocateNothingWhenTheTypeIsReusable(ThreadingLayout layout) throws Exception {
        assertAllocated(layout, true, 0, 0.01);
    }

    @Test
    void shouldAllocateTheMessageAloneWhenTheTypeIsNotReusable() throws Exception {
        // Header 12 bytes, 5 ints and a reference of Message, an int of its own,
        // padding: 48 at the most.
        assertAllocated(ThreadingLayout.FUSED, false, 16, 48.01);
    }

    private void assertAllocated(ThreadingLayout layout, boolean reusable, double min, double max) throws Exception {
        Assumptions.assumeTrue(
                Allocation.isOptimized(), "needs a JVM with C2: what escape analysis removes, C1 alone allocates");
        Assumptions.assumeFalse(allocatesOnTheWire(), "the wire allocates");
        int warmUp = 400_000;
        int count = 1_500_000;
        // The pool is as large as it may be from the start: 8 x 256 KiB,
        // 64 x 128 KiB, 256 x 16 KiB.
        Cluster cluster = cluster(2, layout(layout).andThen(b -> b.incomingBytesMax(14 << 20))::apply);
        AtomicInteger received = new AtomicInteger();
        Number message = new Number(1);
        for (int i = 0; i < 2; i++) {
            DXNet net = cluster.node(i);
            if (reusable) {
                net.registerMessageType(TestMessages.TYPE, Number.SUBTYPE, Number::new, MessageTypeOption.REUSABLE);
            } else {
                net.registerMessageType(TestMessages.TYPE, Number.SUBTYPE, Number::new);
            }
            net.register(TestMessages.TYPE, Number.SUBTYPE, (Number number) -> received.incrementAndGet());
        }
        for (int i = 0; i < warmUp; i++) {
            cluster.node(0).sendMessage(message);
        }
        Cluster.await("the warm-up", () -> received.get() == warmUp);
        Allocation engine = Allocation.ofThreads(name -> name.startsWith("dxnet-"));
        Allocation sender = Allocation.ofThisThread();
        for (int i = 0; i < count; i++) {
            cluster.node(0).sendMessage(message);
        }
        long sent = sender.bytes();
        Cluster.await("all messages", () -> received.get() == warmUp + count);
        assertThat((sent + engine.bytes()) / (double) count)
                .as("bytes per message; sender %d, %s", sent, engine)
                .isBetween(min, max);
    }

    // ---------------------------------------------------------------- requests

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldAnswerRequestsWhenManyThreadsAskBothWays(ThreadingLayout layout) {
        Cluster cluster = cluster(2, layout(layout));
        inThreads(16, t -> {
            DXNet net = cluster.node(t % 2);
            for (int i = 0; i < 300; i++) {
                String text = t + "-" + i;
                try {
                    Pong pong = net.sendSync(new Ping(1 - t % 2, text, i), SECONDS_10);
                    assertThat(pong.text).isEqualTo(text);
                    assertThat(pong.payload).isEqualTo(Data.payload(0, i, i));
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            }
        });
        cluster.awaitQuiet();
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldAnswerWithLargeResponsesBothWaysAtOnce(ThreadingLayout layout) {
        Cluster cluster = cluster(2, layout(layout).andThen(b -> b.ringBytes(64 << 10))::apply);
        inThreads(8, t -> {
            for (int i = 0; i < 6; i++) {
                try {
                    Pong pong = cluster.node(t % 2).sendSync(new Ping(1 - t % 2, "x", 500_000), Cluster.PATIENCE);
                    assertThat(pong.payload).hasSize(500_000);
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            }
        });
        cluster.awaitQuiet();
    }

    @Test
    void shouldCompleteFuturesWhenRequestsAreAsynchronous() {
        Cluster cluster = cluster(2);
        List<CompletableFuture<Pong>> futures = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            futures.add(cluster.node(0).sendAsync(new Ping(1, "a" + i, 10), Cluster.seconds(30)));
        }
        for (int i = 0; i < futures.size(); i++) {
            assertThat(futures.get(i).join().text).isEqualTo("a" + i);
        }
        cluster.awaitQuiet();
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldAnswerWhenACallbackAsksInTurn(ThreadingLayout layout) throws Exception {
        Cluster cluster = cluster(3, layout(layout));
        DXNet middle = cluster.node(1);
        middle.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            Pong inner = middle.sendSync(new Ping(2, ping.text + "!", 5), SECONDS_10);
            ping.text = inner.text;
            middle.sendMessage(new Pong(ping));
        });
        inThreads(4, t -> {
            for (int i = 0; i < 50; i++) {
                try {
                    assertThat(cluster.node(0).sendSync(new Ping(1, "n" + i, 1), SECONDS_10).text)
                            .isEqualTo("n" + i + "!");
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            }
        });
    }

    @Test
    void shouldTimeOutWhenNobodyAnswers() {
        Cluster cluster = cluster(2);
        CountDownLatch asked = new CountDownLatch(2);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> asked.countDown());
        cluster.node(0).whenWritable(1).join(); // one whose time is over before that is not sent
        assertThatThrownBy(() -> cluster.node(0).sendSync(new Ping(1, "?", 0), Duration.ofMillis(100)))
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessageContaining("node 1")
                .hasMessageContaining("Ping");
        assertThatThrownBy(() -> cluster.node(0)
                        .sendAsync(new Ping(1, "?", 0), Duration.ofMillis(100))
                        .get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RequestTimeoutException.class);
        assertThat(cluster.node(0).statistics().requestsTimedOut()).isEqualTo(2);
        cluster.awaitQuiet();
    }

    @Test
    void shouldDropAndCountResponsesThatComeLate() throws Exception {
        Cluster cluster = cluster(2);
        Semaphore mayAnswer = new Semaphore(0);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            mayAnswer.tryAcquire(Cluster.seconds(30).toSeconds(), TimeUnit.SECONDS);
            cluster.node(1).sendMessage(new Pong(ping));
        });
        cluster.node(0).whenWritable(1).join();
        assertThatThrownBy(() -> cluster.node(0).sendSync(new Ping(1, "?", 0), Duration.ofMillis(50)))
                .isInstanceOf(RequestTimeoutException.class);
        mayAnswer.release();
        Cluster.await("late response", () -> cluster.node(0).statistics().responsesDropped() == 1);
    }

    @Test
    void shouldFailRequestsAtOnceWhenTheNodeGoes() throws Exception {
        Cluster cluster = cluster(2, b -> b.closeTimeoutMs(200));
        CountDownLatch asked = new CountDownLatch(1);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> asked.countDown());
        CompletableFuture<Pong> future = cluster.node(0).sendAsync(new Ping(1, "?", 0), Cluster.PATIENCE);
        assertThat(asked.await(Cluster.seconds(30).toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        cluster.node(1).close();
        assertThatThrownBy(future::get).hasCauseInstanceOf(ConnectionLostException.class);
    }

    // ---------------------------------------------------------------- wrong use and bad luck

    @Test
    void shouldSayWhatIsWrongWhenTheUseIsWrong() {
        Cluster cluster = cluster(2, b -> b.maxMessageBytes(10_000));
        DXNet net = cluster.node(0);
        assertThatThrownBy(() -> net.sendMessage(new Data(1, 0, 0, 20_000)))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("10000");
        assertThatThrownBy(() -> net.sendMessage(new Data()))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("destination");
        assertThatThrownBy(() -> net.sendMessage(new Ping(1, "", 0)))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("sendSync");
        assertThatThrownBy(() -> net.sendMessage(new Data(77, 0, 0, 1)))
                .isInstanceOf(NodeUnreachableException.class)
                .hasMessageContaining("77");
        assertThatThrownBy(() -> net.registerMessageType(TestMessages.TYPE, TestMessages.DATA, Data::new))
                .isInstanceOf(MessagingUsageException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 500_000})
    void shouldGoOnWhenMessagesMisbehave(int bytes) {
        Cluster cluster = cluster(2, b -> b.ringBytes(64 << 10));
        Checker checker = Checker.on(cluster.node(1), 2, 1);
        AtomicInteger rude = new AtomicInteger();
        cluster.node(1).register(TestMessages.TYPE, TestMessages.RUDE, (Rude message) -> rude.incrementAndGet());
        DXNet net = cluster.node(0);
        int sequence = 0;
        for (Rude.How how : Rude.How.values()) {
            switch (how) {
                case THROWS_IN_EXPORT ->
                    assertThatThrownBy(() -> net.sendMessage(new Rude(1, how, bytes)))
                            .hasMessage("rude export");
                case WRITES_LESS, WRITES_MORE ->
                    assertThatThrownBy(() -> net.sendMessage(new Rude(1, how, bytes)))
                            .isInstanceOf(MessagingUsageException.class)
                            .hasMessageContaining("sizeOfObject");
                default -> sendOne(net, new Rude(1, how, bytes));
            }
            sendOne(net, new Data(1, 0, sequence++, 10));
        }
        checker.awaitAll(sequence);
        Cluster.await("three reports", () -> cluster.failures(1).size() == 3);
        Cluster.await("the sender's", () -> cluster.rejected(0) == 3);
        assertThat(cluster.failures(0)).hasSize(1); // one for each type
        assertThat(cluster.node(0).statistics().messagesRejected()).isEqualTo(3);
        assertThat(rude.get()).isZero();
        assertThat(cluster.node(1).statistics().messagesDropped()).isEqualTo(3);
        assertThat(cluster.node(1).statistics().callbackErrors()).isEqualTo(3);
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
        cluster.awaitQuiet();
    }

    private static void sendOne(DXNet net, io.dxnet.Message message) {
        try {
            net.sendMessage(message);
        } catch (DXNetException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldReportAndGoOnWhenCallbacksThrow() {
        Cluster cluster = cluster(2);
        AtomicInteger received = new AtomicInteger();
        cluster.node(1).register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            received.incrementAndGet();
            throw new AssertionError("callback " + data.sequence);
        });
        send(cluster.node(0), 1, 0, 100, 10);
        Cluster.await("100 callbacks and reports", () -> received.get() == 100 && cluster.failures.size() == 100);
        assertThat(cluster.failures.peek().what()).contains("node 0").contains("type 7");
        cluster.awaitQuiet();
    }

    private static final class UnknownRequest extends Request<Pong> {
        UnknownRequest() {
            super(1, TestMessages.TYPE, TestMessages.UNREGISTERED);
        }
    }

    private static final class Unknown extends io.dxnet.Message {
        Unknown(int to) {
            super(to, TestMessages.TYPE, TestMessages.UNREGISTERED);
        }
    }

    @Test
    void shouldRejectMessagesOfAnUnknownTypeAndGoOn() {
        Cluster cluster = cluster(2);
        Checker checker = Checker.on(cluster.node(1), 2, 1);
        for (int i = 0; i < 100; i++) {
            sendOne(cluster.node(0), new Data(1, 0, i, 10));
            sendOne(cluster.node(0), new Unknown(1));
        }
        checker.awaitAll(100);
        Cluster.await("rejections", () -> cluster.rejected(0) == 100);
        assertThat(cluster.rejections.get(0)).allSatisfy(rejection -> {
            assertThat(rejection.nodeId()).isEqualTo(1);
            assertThat(rejection.typeId()).isEqualTo(256 * TestMessages.UNREGISTERED + TestMessages.TYPE);
            assertThat(rejection.reason()).contains("subtype 99 is not registered there");
        });
        assertThat(cluster.failures(0)).hasSize(1);
        assertThat(cluster.failures(1)).hasSize(1);
        assertThat(cluster.failures(1).get(0).what()).contains("subtype 99").contains("node 0");
        assertThat(cluster.node(1).statistics().messagesDropped()).isEqualTo(100);
        assertThat(cluster.node(0).statistics().messagesRejected()).isEqualTo(100);
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
        cluster.awaitQuiet();
    }

    @Test
    void shouldRejectWhatComesAfterItsReceiverWasUnregistered() {
        Cluster cluster = cluster(2);
        Checker checker = Checker.on(cluster.node(1), 2, 1);
        send(cluster.node(0), 1, 0, 10, 10);
        checker.awaitAll(10);
        cluster.node(1).unregister(TestMessages.TYPE, TestMessages.DATA);
        send(cluster.node(0), 1, 0, 3, 10);
        Cluster.await("rejections", () -> cluster.rejected(0) == 3);
        assertThat(cluster.rejections.get(0).peek().reason()).contains("no receiver");
        assertThatThrownBy(() -> cluster.node(0).unregister(256, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(checker.received.get()).isEqualTo(10);
    }

    @Test
    void shouldCancelTheRequestsToANode() throws Exception {
        Cluster cluster = cluster(3);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            inside.countDown();
            release.await();
        });
        DXNet net = cluster.node(0);
        List<CompletableFuture<Pong>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            futures.add(net.sendAsync(new Ping(1, "?", 1)));
        }
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(net.cancelRequests(2)).isZero();
        assertThat(net.cancelRequests(1)).isEqualTo(5);
        for (CompletableFuture<Pong> future : futures) {
            assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        }
        assertThat(net.sendSync(new Ping(2, "!", 1), SECONDS_10).text).isNotNull();
        release.countDown();
        cluster.awaitQuiet();
    }

    /** Each reports to the other while its own ring is full of what the other will report. */
    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldRejectAMultitudeInBothDirections(ThreadingLayout layout) {
        Cluster cluster = cluster(
                2, builder -> layout(layout).apply(builder).ringBytes(16 << 10).flowControlWindowBytes(16 << 10));
        int each = 20_000;
        inThreads(4, t -> {
            int node = t % 2;
            for (int i = 0; i < each; i++) {
                sendOne(cluster.node(node), new Unknown(1 - node));
            }
        });
        Cluster.await("rejections", () -> cluster.rejected(0) == 2 * each && cluster.rejected(1) == 2 * each);
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
        cluster.awaitQuiet();
    }

    /** An orderly end is reported after the rejections of all that was sent before it. */
    @Test
    void shouldReportRejectionsBeforeTheEnd() {
        Cluster cluster = cluster(2);
        int count = 1000;
        for (int i = 0; i < count; i++) {
            sendOne(cluster.node(0), new Unknown(1));
        }
        AtomicLong atEnd = new AtomicLong(-1);
        cluster.node(0).addConnectionListener(new ConnectionListener() {
            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                atEnd.set(cluster.rejected(0));
            }
        });
        cluster.node(0).disconnectNode(1);
        Cluster.await("the end", () -> atEnd.get() >= 0);
        assertThat(atEnd.get()).isEqualTo(count);
        assertThat(cluster.end(0, 1).unconfirmedBytes()).isZero();
    }

    @Test
    void shouldFailARequestAtOnceWhenItsCallbackThrows() throws Exception {
        Cluster cluster = cluster(2);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            throw new IllegalStateException(ping.text);
        });
        DXNet net = cluster.node(0);
        assertThatThrownBy(() -> net.sendSync(new Ping(1, "boom", 1), Cluster.PATIENCE))
                .isInstanceOfSatisfying(RequestFailedException.class, failure -> {
                    assertThat(failure.nodeId()).isEqualTo(1);
                    assertThat(failure.errorClass()).isEqualTo(IllegalStateException.class.getName());
                })
                .hasMessageContaining("node 1")
                .hasMessageContaining("boom");
        String large = "x".repeat(100_000);
        assertThatThrownBy(() ->
                        net.sendAsync(new Ping(1, large, 1), Cluster.PATIENCE).get())
                .hasCauseInstanceOf(RequestFailedException.class);
        assertThat(cluster.node(1).statistics().callbackErrors()).isEqualTo(2);
        assertThat(net.statistics().requestsOutstanding()).isZero();
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
        cluster.awaitQuiet();
    }

    /**
     * The report of a failure is made of what the application wrote: its length
     * and its exceptions must not matter.
     */
    @Test
    void shouldReportAFailureWhoseMessageIsLongOrThrows() {
        Cluster cluster = cluster(2, builder -> builder.maxMessageBytes(1024));
        class Unspeakable extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private final boolean isLong;

            Unspeakable(boolean isLong) {
                this.isLong = isLong;
            }

            @Override
            public String getMessage() {
                if (isLong) {
                    return "\u20ac".repeat(5000);
                }
                throw new IllegalStateException("there is no message");
            }
        }
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            throw new Unspeakable(ping.text.equals("long"));
        });
        for (String how : List.of("long", "throws")) {
            assertThatThrownBy(() -> cluster.node(0).sendSync(new Ping(1, how, 1), SECONDS_10))
                    .isInstanceOfSatisfying(
                            RequestFailedException.class,
                            failure -> assertThat(failure.errorClass()).endsWith("Unspeakable"));
        }
        class Unreadable extends Response {
            Unreadable() {}

            Unreadable(Request<?> request) {
                super(request, TestMessages.TYPE, TestMessages.UNREGISTERED);
            }

            @Override
            public void importObject(Importer importer) {
                throw new Unspeakable(false);
            }
        }
        cluster.node(0).registerMessageType(TestMessages.TYPE, TestMessages.UNREGISTERED, Unreadable::new);
        cluster.node(1)
                .register(
                        TestMessages.TYPE,
                        TestMessages.PING,
                        (Ping ping) -> cluster.node(1).sendMessage(new Unreadable(ping)));
        assertThatThrownBy(() -> cluster.node(0).sendSync(new Ping(1, "?", 1), SECONDS_10))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("could not be read");
        cluster.awaitQuiet();
    }

    @Test
    void shouldFailARequestAtOnceWhenNothingCanAnswerIt() throws Exception {
        Cluster cluster = cluster(2);
        DXNet net = cluster.node(0);
        assertThatThrownBy(() -> net.sendSync(new UnknownRequest(), Cluster.PATIENCE))
                .isInstanceOf(RequestFailedException.class)
                .hasMessageContaining("node 1")
                .hasMessageContaining("subtype 99 is not registered there");
        cluster.node(1).registerMessageType(TestMessages.TYPE, TestMessages.UNREGISTERED, UnknownRequest::new);
        assertThatThrownBy(() -> net.sendSync(new UnknownRequest(), Cluster.PATIENCE))
                .isInstanceOf(RequestFailedException.class)
                .hasMessageContaining("no receiver");
        class UnknownResponse extends Response {
            UnknownResponse(Request<?> request) {
                super(request, TestMessages.TYPE, TestMessages.UNREGISTERED);
            }
        }
        DXNet other = cluster.node(1);
        other.register(
                TestMessages.TYPE,
                TestMessages.UNREGISTERED,
                (UnknownRequest request) -> other.sendMessage(new UnknownResponse(request)));
        assertThatThrownBy(() -> net.sendSync(new UnknownRequest(), Cluster.PATIENCE))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("subtype 99 is not registered here");
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
        cluster.awaitQuiet();
    }

    // ---------------------------------------------------------------- back-pressure

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldSlowTheSenderDownWhenTheReceiverIsSlow(ThreadingLayout layout) {
        int window = 64 << 10;
        int bytes = 1000;
        Cluster cluster = cluster(
                2, layout(layout).andThen(b -> b.flowControlWindowBytes(window).ringBytes(32 << 10))::apply);
        Semaphore permits = new Semaphore(0);
        Checker checker = new Checker(2, 1);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            if (!permits.tryAcquire(Cluster.seconds(60).toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("no permit");
            }
            checker.check(data);
        });
        int count = 1000;
        AtomicLong sent = new AtomicLong();
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    cluster.node(0).sendMessage(new Data(1, 0, i, bytes));
                    sent.incrementAndGet();
                }
            } catch (DXNetException e) {
                throw new AssertionError(e);
            }
        });
        Cluster.await("a blocked sender", () -> cluster.node(0).statistics().sendsBlocked() > 0);
        for (int i = 0; i < count; i++) {
            permits.release();
            int released = i + 1;
            Cluster.await("message " + i, () -> checker.received.get() >= released);
            // What is sent and not handled is bounded by the window, one message,
            // and one step that is not confirmed yet.
            assertThat(sent.get() - released).isLessThanOrEqualTo(window / bytes + 2);
        }
        checker.awaitAll(count);
        Cluster.await("the end of the sender", () -> !sender.isAlive());
        cluster.awaitQuiet();
    }

    @Test
    void shouldTimeOutTheSenderWhenTheReceiverIsStuck() {
        Cluster cluster = cluster(
                2,
                b -> b.flowControlWindowBytes(64 << 10)
                        .ringBytes(32 << 10)
                        .sendTimeoutMs(300)
                        .closeTimeoutMs(300));
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        cluster.node(1).register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            release.await(Cluster.seconds(60).toSeconds(), TimeUnit.SECONDS);
            received.incrementAndGet();
        });
        AtomicInteger sent = new AtomicInteger();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        cluster.node(0).sendMessage(new Data(1, 0, i, 1000));
                        sent.incrementAndGet();
                    }
                })
                .isInstanceOf(io.dxnet.SendTimeoutException.class)
                .hasMessageContaining("node 1")
                .hasMessageContaining("sendTimeoutMs");
        release.countDown();
        Cluster.await("what was sent", () -> received.get() == sent.get());
        cluster.awaitQuiet();
    }

    // ---------------------------------------------------------------- nodes that start and end

    @Test
    void shouldKeepOthersWaitingWhenTypesAreStillBeingRegistered() throws Exception {
        Cluster cluster = cluster(2);
        DXNet late = cluster.node(1);
        late.close();
        int subtype = 60;
        AtomicInteger received = new AtomicInteger();
        CountDownLatch sending = new CountDownLatch(1);
        Thread sender = Thread.ofPlatform().unstarted(() -> {
            sending.countDown();
            class Early extends io.dxnet.Message {
                Early() {
                    super(1, TestMessages.TYPE, subtype);
                }
            }
            sendOne(cluster.node(0), new Early());
        });
        DXNet restarted = cluster.start(1);
        sender.start();
        sending.await();
        class Known extends io.dxnet.Message {}
        restarted.registerMessageType(TestMessages.TYPE, subtype, Known::new);
        restarted.register(TestMessages.TYPE, subtype, message -> received.incrementAndGet());
        Cluster.await("the early message", () -> received.get() == 1);
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
    }

    /** What a node has not handled when the time of an end is over is reported to its sender. */
    @Test
    void shouldReportWhatIsNotHandledWhenTheTimeOfAnEndIsOver() throws Exception {
        Cluster cluster =
                cluster(2, b -> b.threadingLayout(ThreadingLayout.DEDICATED).closeTimeoutMs(300));
        CountDownLatch inCallback = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        DXNet busy = cluster.node(1);
        busy.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            inCallback.countDown();
            release.await();
        });
        int count = 50;
        int bytes = 1000;
        send(cluster.node(0), 1, 0, count, bytes);
        inCallback.await();
        Cluster.await("all bytes", () -> busy.statistics().bytesReceived() >= (long) count * bytes);
        busy.disconnectNode(0);
        Cluster.await("the end", () -> cluster.end(0, 1) != null);
        assertThat(cluster.end(0, 1).unconfirmedBytes()).isGreaterThanOrEqualTo((long) count * bytes);
        release.countDown();
        cluster.awaitQuiet();
    }

    @Test
    void shouldDeliverEverythingFirstWhenDisconnectedAndConnectAgainLater() throws Exception {
        Cluster cluster = cluster(2);
        Checker checker = Checker.on(cluster.node(1), 2, 1);
        int sequence = 0;
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 1000; i++) {
                cluster.node(0).sendMessage(new Data(1, 0, sequence++, 100));
            }
            cluster.node(0).disconnectNode(1);
        }
        checker.awaitAll(sequence);
        Cluster.await("the ends", () -> cluster.node(0).statistics().connectionsClosed() == 10);
        assertThat(cluster.events.stream().filter(event -> event.cause() != null && event.node() == 0))
                .extracting(event -> event.cause().reason())
                .containsOnly(Disconnect.Reason.CLOSED);
        Cluster.await(
                "the ends on the other side", () -> cluster.node(1).statistics().connectionsClosed() == 10);
        assertThat(cluster.events.stream().filter(event -> event.cause() != null && event.node() == 1))
                .extracting(event -> event.cause().reason())
                .containsOnly(Disconnect.Reason.CLOSED_BY_PEER);
        cluster.awaitQuiet();
    }

    /**
     * Each node waits for its answer before it sends its goodbye, and each answer is
     * behind a callback that needs the other's end.
     */
    @Test
    void shouldNotWaitForEachOtherWhenBothDisconnectAndBothCallbacksSend() throws Exception {
        Cluster cluster = cluster(
                2,
                layout(ThreadingLayout.FUSED)
                        .andThen(b -> b.closeTimeoutMs(600_000).connectTimeoutMs(600_000))::apply);
        CountDownLatch inCallback = new CountDownLatch(2);
        CountDownLatch disconnected = new CountDownLatch(1);
        List<Checker> checkers = new ArrayList<>();
        List<CompletableFuture<Pong>> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            DXNet net = cluster.node(i);
            int other = 1 - i;
            checkers.add(Checker.on(net, 2, 1));
            net.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
                inCallback.countDown();
                disconnected.await();
                net.sendMessage(new Data(other, 0, 0, 10));
                net.sendMessage(new Pong(ping));
            });
        }
        for (int i = 0; i < 2; i++) {
            answers.add(cluster.node(i).sendAsync(new Ping(1 - i, "?", 1), Duration.ofMinutes(10)));
        }
        assertThat(inCallback.await(Cluster.seconds(30).toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        cluster.node(0).disconnectNode(1);
        cluster.node(1).disconnectNode(0);
        disconnected.countDown();
        checkers.forEach(checker -> checker.awaitAll(1));
        for (CompletableFuture<Pong> answer : answers) {
            try {
                answer.get(Cluster.seconds(30).toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // The end came before the answer.
                assertThat(e).hasCauseInstanceOf(ConnectionLostException.class);
            }
        }
        cluster.awaitQuiet();
    }

    /**
     * Closing ends while this node's threads and the other nodes' send on: what they
     * send must not make new connections.
     */
    @Test
    void shouldCloseWhenBothSidesGoOnSending() throws Exception {
        Cluster cluster = cluster(2, b -> b.closeTimeoutMs(600_000));
        Checker checker = Checker.on(cluster.node(0), 2, 1);
        Checker.on(cluster.node(1), 2, 1);
        AtomicInteger sent = new AtomicInteger();
        AtomicReference<DXNetException> unexpected = new AtomicReference<>();
        Thread closing = Thread.ofPlatform().start(() -> {
            try {
                for (; ; ) {
                    cluster.node(1).sendMessage(new Data(0, 0, sent.get(), 100));
                    sent.incrementAndGet();
                }
            } catch (NetClosedException e) {
                // as it should be
            } catch (DXNetException e) {
                unexpected.set(e);
            }
        });
        AtomicReference<Boolean> stop = new AtomicReference<>(false);
        Thread other = Thread.ofPlatform().start(() -> {
            for (int i = 0; !stop.get(); ) {
                try {
                    cluster.node(0).sendMessage(new Data(1, 0, i++, 100));
                } catch (DXNetException e) {
                    // it is closing or closed: the next one tries to connect again
                }
            }
        });
        Cluster.await("traffic", () -> checker.received.get() > 1000);
        Thread close = Thread.ofPlatform().start(() -> cluster.node(1).close());
        close.join(Cluster.PATIENCE);
        stop.set(true);
        assertThat(close.isAlive()).isFalse();
        closing.join(Cluster.PATIENCE);
        other.join(Cluster.PATIENCE);
        assertThat(unexpected.get()).isNull();
        assertThat(closing.isAlive() || other.isAlive()).isFalse();
        checker.awaitAll(sent.get());
    }

    @Test
    void shouldDismissTheLeastRecentlyUsedWhenThereAreTooMany() throws Exception {
        int nodes = 8;
        Cluster cluster = cluster(nodes, b -> b.maxConnections(3));
        List<Checker> checkers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            checkers.add(Checker.on(cluster.node(i), nodes, 1));
        }
        for (int round = 0; round < 20; round++) {
            for (int to = 1; to < nodes; to++) {
                for (int i = 0; i < 10; i++) {
                    cluster.node(0).sendMessage(new Data(to, 0, round * 10 + i, 200));
                }
            }
        }
        checkers.subList(1, nodes).forEach(checker -> checker.awaitAll(200));
        Cluster.await(
                "no more than the limit",
                () -> cluster.node(0).statistics().connections().size() <= 3);
        // The listener is called after the connection has left the statistics.
        Cluster.await("an end", () -> cluster.events.stream().anyMatch(MessagingContract::isEndAtFirstNode));
        assertThat(cluster.events.stream().filter(MessagingContract::isEndAtFirstNode))
                .allMatch(event -> event.cause().reason() == Disconnect.Reason.DISMISSED);
        cluster.awaitQuiet();
    }

    private static boolean isEndAtFirstNode(Cluster.Event event) {
        return event.node() == 0 && event.cause() != null;
    }

    /** All three nodes send to both others, and each may have one connection. */
    @Test
    void shouldSettleAtTheLimitWhenAllNodesAreBusy() {
        int nodes = 3;
        int rounds = 10;
        int burst = 20;
        Cluster cluster = cluster(nodes, b -> b.maxConnections(1));
        List<Checker> checkers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            checkers.add(Checker.on(cluster.node(i), nodes, 1));
        }
        inThreads(nodes, own -> {
            for (int i = 0; i < rounds * burst; i++) {
                int to = (own + 1 + i / burst % 2) % nodes;
                try {
                    cluster.node(own).sendMessage(new Data(to, 0, i / (2 * burst) * burst + i % burst, 100));
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            }
        });
        checkers.forEach(checker -> checker.awaitAll((nodes - 1) * rounds * burst / 2));
        for (int i = 0; i < nodes; i++) {
            DXNet net = cluster.node(i);
            Cluster.await(
                    "one connection of node " + i,
                    () -> net.statistics().connections().size() <= 1);
        }
        cluster.awaitQuiet();
    }

    /** When {@link DXNet#close} returns, the listeners know every end. */
    @Test
    void shouldReportEveryEndBeforeItIsClosed() throws Exception {
        int peers = 4;
        Cluster cluster = cluster(1 + peers);
        for (int round = 1; round <= 10; round++) {
            DXNet net = cluster.node(0);
            for (int peer = 1; peer <= peers; peer++) {
                net.sendSync(new Ping(peer, "x", 1), SECONDS_10);
            }
            net.close();
            List<Cluster.Event> ends = cluster.events.stream()
                    .filter(event -> event.node() == 0 && event.cause() != null)
                    .toList();
            assertThat(ends).hasSize(round * peers).allMatch(end -> end.cause().reason() == Disconnect.Reason.CLOSED);
            assertThat(ends.subList((round - 1) * peers, round * peers))
                    .extracting(Cluster.Event::peer)
                    .containsExactlyInAnyOrder(1, 2, 3, 4);
            cluster.start(0);
        }
    }

    @Test
    void shouldFailTheFutureWhenTheNodeIsUnknownOrRefuses() throws Exception {
        Cluster cluster = cluster(3, b -> b.closeTimeoutMs(60_000));
        DXNet net = cluster.node(0);
        DXNet refusing = cluster.node(1);
        assertThatThrownBy(() ->
                        net.sendAsync(new Ping(77, "x", 1), Cluster.PATIENCE).get())
                .hasCauseInstanceOf(NodeUnreachableException.class)
                .hasMessageContaining("77");
        CountDownLatch inCallback = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        refusing.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            inCallback.countDown();
            release.await();
        });
        cluster.node(2).sendMessage(new Data(1, 0, 0, 10));
        inCallback.await();
        Thread closer = Thread.ofPlatform().start(refusing::close);
        Cluster.await(
                "the begin of the end",
                () -> refusing.statistics().connections().isEmpty());
        assertThatThrownBy(() ->
                        net.sendAsync(new Ping(1, "x", 1), Cluster.PATIENCE).get())
                .hasCauseInstanceOf(NodeUnreachableException.class)
                .hasMessageContaining("refused")
                .hasMessageContaining("shutting down");
        release.countDown();
        closer.join();
    }

    /** Ways to end a connection in order. */
    enum OrderlyEnd {
        DISCONNECT,
        DISCONNECT_BY_PEER,
        CLOSE,
        CLOSE_BY_PEER;

        void begin(DXNet own, DXNet peer) {
            switch (this) {
                case DISCONNECT -> own.disconnectNode(peer.nodeId());
                case DISCONNECT_BY_PEER -> peer.disconnectNode(own.nodeId());
                case CLOSE -> own.close();
                case CLOSE_BY_PEER -> peer.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerWhatIsOutstandingWhenAConnectionEndsInOrder(OrderlyEnd end) throws Exception {
        Cluster cluster = cluster(2, b -> b.closeTimeoutMs(120_000));
        DXNet own = cluster.node(0);
        DXNet peer = cluster.node(1);
        CountDownLatch release = new CountDownLatch(1);
        peer.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            release.await();
            peer.sendMessage(new Pong(ping));
        });
        List<CompletableFuture<Pong>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(own.sendAsync(new Ping(1, "x", i), Cluster.PATIENCE));
        }
        Cluster.await("the requests", () -> peer.statistics().bytesReceived() > 0);
        Thread ending = Thread.ofPlatform().start(() -> end.begin(own, peer));
        Cluster.await(
                "the begin of the end",
                () -> own.statistics().connections().isEmpty()
                        || peer.statistics().connections().isEmpty());
        release.countDown();
        for (CompletableFuture<Pong> answer : answers) {
            assertThat(answer.get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS).text)
                    .isEqualTo("x");
        }
        ending.join();
    }

    @Test
    void shouldFailWhatIsOutstandingWhenItIsClosed() throws Exception {
        Cluster cluster = cluster(2, b -> b.closeTimeoutMs(200));
        DXNet net = cluster.node(0);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {});
        List<CompletableFuture<Pong>> unanswered = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            unanswered.add(net.sendAsync(new Ping(1, "x", 1), Cluster.PATIENCE));
        }
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                net.sendSync(new Ping(1, "x", 1), Cluster.PATIENCE);
                thrown.complete(null);
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        Cluster.await("the requests", () -> net.statistics().requestsOutstanding() == 21);
        net.close();
        unanswered.forEach(each -> assertThat(each).isCompletedExceptionally());
        for (CompletableFuture<Pong> each : unanswered) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(NetClosedException.class);
        }
        assertThat(thrown.get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(NetClosedException.class);
    }

    @Test
    void shouldConnectAgainWhenANodeWasRestarted() throws Exception {
        Cluster cluster = cluster(2);
        Checker.on(cluster.node(1), 2, 1);
        send(cluster.node(0), 1, 0, 100, 10);
        Cluster.await("100", () -> cluster.node(1).statistics().messagesReceived() == 100);
        cluster.node(1).close();
        Cluster.await("the end", () -> cluster.end(0, 1) != null);
        assertThatThrownBy(() -> cluster.node(0).sendMessage(new Data(1, 0, 0, 1)))
                .isInstanceOf(NodeUnreachableException.class);
        Checker checker = Checker.on(cluster.start(1), 2, 1);
        send(cluster.node(0), 1, 0, 100, 10);
        checker.awaitAll(100);
        cluster.awaitQuiet();
    }

    @Test
    void shouldRefuseUseWhenClosed() throws Exception {
        Cluster cluster = cluster(2);
        DXNet net = cluster.node(0);
        net.sendSync(new Ping(1, "x", 1), SECONDS_10);
        net.close();
        net.close();
        assertThatThrownBy(() -> net.sendMessage(new Data(1, 0, 0, 1))).isInstanceOf(NetClosedException.class);
        assertThatThrownBy(() -> net.sendSync(new Ping(1, "x", 1), SECONDS_10)).isInstanceOf(NetClosedException.class);
        assertThatThrownBy(() -> net.sendAsync(new Ping(1, "x", 1)).get()).hasCauseInstanceOf(NetClosedException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("dxnet-0-")
                        && !thread.getName().contains("connect"));
    }

    /**
     * A thread of the engine that runs on after the close must find the memory that
     * it reads; nothing may stay behind it.
     */
    @Test
    void shouldFreeAllWhenACallbackReturnsAfterTheClose() throws Exception {
        Cluster cluster = cluster(2, builder -> builder.closeTimeoutMs(300));
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        DXNet net = cluster.node(1);
        net.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            if (data.sequence == 0) {
                sent.await(); // so that the next ones are received together
            } else if (data.sequence == 20) {
                inside.countDown();
                release.await();
            }
        });
        send(cluster.node(0), 1, 0, 200, 500);
        sent.countDown();
        inside.await();
        net.close();
        assertThat(cluster.failures).anyMatch(failure -> failure.what().contains("a callback did not return"));
        assertThat(net.statistics().buffersInUse()).isPositive();
        release.countDown();
        Cluster.await("the memory to be freed", () -> net.statistics().buffersInUse() == 0);
        Cluster.await(
                "the threads to end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .noneMatch(name -> name.startsWith("dxnet-1-") && !name.contains("connect")));
        assertThat(cluster.failures)
                .allMatch(failure ->
                        failure.error() instanceof NetClosedException || failure.error() instanceof DXNetException);
    }

    @Test
    void shouldCloseWhenACallbackClosesItsOwnNode() throws Exception {
        Cluster cluster = cluster(2);
        DXNet net = cluster.node(1);
        net.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> net.close());
        try {
            cluster.node(0).sendMessage(new Data(1, 0, 0, 1));
        } catch (ConnectionLostException e) {
            // delivered, and the connection was gone before this thread checked it: it may not know
        }
        Cluster.await("the end", () -> cluster.end(0, 1) != null);
    }
}
