package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.TransportProvider;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of an engine that was closed, while the threads that used it live on. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EngineLifeTest {
    private static final int CYCLES = 300;

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    private MessagingEngine start(String cluster, int handlers) {
        return start(cluster, handlers, 500, new LoopbackTransportProvider());
    }

    private MessagingEngine start(String cluster, int handlers, int closeTimeoutMs, TransportProvider provider) {
        DXNetConfig config =
                config(cluster, handlers, closeTimeoutMs).ringBytes(32 << 10).build();
        MessagingEngine engine = start(config, provider);
        engine.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {});
        engine.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> engine.sendMessage(new Pong(ping)));
        return engine;
    }

    private DXNetConfig.Builder config(String cluster, int handlers, int closeTimeoutMs) {
        return DXNetConfig.builder()
                .transport("loopback")
                .clusterName(cluster)
                .handlers(handlers)
                .closeTimeoutMs(closeTimeoutMs)
                .errorHandler((what, error) -> errors.add(what));
    }

    private static MessagingEngine start(DXNetConfig config, TransportProvider provider) {
        return start(config, 0, provider, Pong::new);
    }

    private static MessagingEngine start(
            DXNetConfig config, int node, TransportProvider provider, Supplier<? extends Pong> pong) {
        MessagingEngine engine = new MessagingEngine(config, new NodeMap(node), provider, "loopback");
        engine.start(false);
        engine.registerMessageType(
                TestMessages.TYPE, TestMessages.DATA, Data::new, EnumSet.noneOf(MessageTypeOption.class));
        engine.registerMessageType(
                TestMessages.TYPE, TestMessages.PING, Ping::new, EnumSet.noneOf(MessageTypeOption.class));
        engine.registerMessageType(TestMessages.TYPE, TestMessages.PONG, pong, EnumSet.noneOf(MessageTypeOption.class));
        return engine;
    }

    /** All that a thread can do with an engine. */
    private void use(MessagingEngine engine) {
        try {
            engine.sendMessage(new Data(0, 0, 0, 10));
            engine.sendMessage(new Data(0, 0, 0, 100_000)); // streamed
            engine.sendSync(new Ping(0, "s", 1), Cluster.PATIENCE);
            engine.sendAsync(new Ping(0, "a", 1), Cluster.PATIENCE).join();
        } catch (DXNetException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldLeaveNoEngineBehindWhenLongLivedThreadsUsedIt() throws Exception {
        List<WeakReference<MessagingEngine>> engines = new ArrayList<>();
        try (ExecutorService longLived = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < CYCLES; i++) {
                MessagingEngine engine = start("life-" + i, 1);
                longLived.submit(() -> use(engine)).get();
                longLived.submit(() -> use(engine)).get();
                engine.close();
                engines.add(new WeakReference<>(engine));
            }
            Cluster.await("closed engines to be collected", () -> {
                System.gc();
                return engines.stream().allMatch(engine -> engine.refersTo(null));
            });
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldKeepNothingOfThreadsThatAreGone() throws Exception {
        MessagingEngine engine = start("gone", 1);
        int threads = 500;
        for (int i = 0; i < threads; i++) {
            Thread thread = i % 2 == 0
                    ? Thread.ofPlatform().start(() -> use(engine))
                    : Thread.ofVirtual().start(() -> use(engine));
            thread.join();
        }
        Cluster.await("the threads' counters to be added up", () -> {
            System.gc();
            return engine.senderThreads().registered() < 10;
        });
        assertThat(engine.statistics().messagesSent())
                .as("four of each thread and two responses")
                .isEqualTo(threads * 6L);
        engine.close();
    }

    /**
     * A thread that ends a connection, and does not run between the end and its removal from
     * the table. That happens where virtual threads that send hold all carriers.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendWhileTheThreadThatEndsTheConnectionDoesNotRun(boolean isVirtual) throws Exception {
        MessagingEngine engine = start("unfinished-" + isVirtual, 1);
        List<Consumer<ConnectionLife>> ends = List.of(
                life -> life.end(Disconnect.Reason.DISMISSED, System.nanoTime()),
                life -> life.broken("the link broke", System.nanoTime()));
        for (boolean isUsed : new boolean[] {false, true}) {
            for (Consumer<ConnectionLife> end : ends) {
                PeerConnection connection = engine.connections().connectionTo(0);
                if (isUsed) {
                    use(engine);
                }
                end.accept(connection.life());
                Thread sender = (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(() -> use(engine));
                assertThat(sender.join(Duration.ofSeconds(20)))
                        .as("%s sent", connection)
                        .isTrue();
            }
        }
        engine.close();
        assertThat(errors).isEmpty();
    }

    /** What arrived before the break is the answer, also where no handler was free to read it. */
    @Test
    void shouldAnswerARequestWhoseResponseWaitsForAHandlerWhenTheConnectionBreaks() throws Exception {
        DXNetConfig config = config("late-response", 2, 60_000)
                .threadingLayout(ThreadingLayout.DEDICATED)
                .build();
        MessagingEngine engine = start(config, new LoopbackTransportProvider());
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        engine.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            busy.countDown();
            awaitUninterruptibly(release);
        });
        engine.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            Thread.ofPlatform().start(() -> send(engine, new Pong(ping)));
            awaitUninterruptibly(release);
        });
        engine.sendMessage(new Data(0, 0, 0, 10));
        busy.await();
        CompletableFuture<Pong> answer = engine.sendAsync(new Ping(0, "late", 1), Duration.ofSeconds(100));
        PeerConnection connection = engine.connections().connectionTo(0);
        Cluster.await(
                "the response to wait for a handler",
                () -> connection.unhandledResponses().get() == 1
                        && connection.queuedBuffers().get() == 0);
        engine.connectionLost(connection, "the link broke");
        Cluster.await("the end of the connection", connection.life()::isEnded);
        CompletableFuture<Pong> unanswered = engine.sendAsync(new Ping(0, "next", 1), Duration.ofSeconds(100));
        assertThat(answer).isNotDone();
        assertThat(unanswered).isNotDone();
        release.countDown();
        assertThat(answer.get(60, TimeUnit.SECONDS)).isNotNull();
        engine.close();
        assertThat(errors).isEmpty();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(MessagingEngine engine, io.dxnet.Message message) {
        try {
            engine.sendMessage(message);
        } catch (DXNetException e) {
            throw new AssertionError(e);
        }
    }

    /** The thread that holds a region of a ring may not lose its memory. */
    @Test
    void shouldReportAndKeepTheMemoryWhenASenderIsStuckInItsExport() throws Exception {
        MessagingEngine engine = start("stuck", 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        class Stuck extends io.dxnet.Message {
            Stuck() {
                super(0, TestMessages.TYPE, TestMessages.DATA);
            }

            @Override
            public void exportObject(io.dxnet.Exporter exporter) {
                exporter.writeInt(0);
                inside.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                exporter.writeInt(0);
            }

            @Override
            public int sizeOfObject() {
                return 2 * Integer.BYTES;
            }
        }
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                engine.sendMessage(new Stuck());
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        inside.await();
        engine.close();
        assertThat(errors).anyMatch(what -> what.contains("exportObject") && what.contains("not freed"));
        release.countDown();
        sender.join();
        assertThat(thrown.get()).isInstanceOfAny(DXNetException.class, NetClosedException.class);
    }

    /**
     * The control thread may be ending a connection, with the report still to come,
     * when it has to stop.
     */
    @Test
    void shouldReportTheEndAtWhichTheControlThreadIsStopped() throws Exception {
        List<Integer> ends = new CopyOnWriteArrayList<>();
        Thread closer = Thread.currentThread();
        MessagingEngine engine = start("reported", 1, 10_000, HeldEnds.provider(() -> {
            if (Thread.currentThread().getName().equals("dxnet-0-control")) {
                Cluster.await("the stop of the control thread", () -> isLastToStop(closer));
            }
        }));
        engine.addConnectionListener(new ConnectionListener() {
            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                ends.add(nodeId);
            }
        });
        engine.sendSync(new Ping(0, "s", 1), Cluster.PATIENCE);
        engine.close();
        assertThat(ends).containsExactly(0);
        assertThat(errors).isEmpty();
    }

    /**
     * Whether a thread that closes the engine waits for its control thread,
     * which is stopped after all others.
     */
    private static boolean isLastToStop(Thread closer) {
        return Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .noneMatch(name -> name.startsWith("dxnet-0-") && !name.equals("dxnet-0-control"))
                && Stream.of(closer.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Stages.class.getName()))
                && closer.getState() == Thread.State.TIMED_WAITING;
    }

    /**
     * No speed test. The bound lies far above the one timeout and the second for the
     * threads' stop that closing needs. It lies below the two timeouts that closing needs
     * where each of its waits starts the timeout anew.
     */
    @Test
    void shouldWaitForItsTimeoutOnceWhenACallbackIsStuck() throws Exception {
        int timeoutMs = 6000;
        MessagingEngine engine = start("once", 1, timeoutMs, new LoopbackTransportProvider());
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        engine.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            inside.countDown();
            release.await();
        });
        engine.sendMessage(new Data(0, 0, 0, 10));
        inside.await();
        long beginNs = System.nanoTime();
        engine.close();
        Duration lasted = Duration.ofNanos(System.nanoTime() - beginNs);
        release.countDown();
        assertThat(errors).anyMatch(what -> what.contains("a callback did not return"));
        assertThat(lasted).isBetween(Duration.ofMillis(timeoutMs), Duration.ofMillis(timeoutMs + 5000));
    }

    /** What its import does when a response is read. */
    private static final AtomicReference<Runnable> IN_IMPORT = new AtomicReference<>();

    private static final class Closing extends Pong {
        @Override
        public void importObject(Importer importer) {
            super.importObject(importer);
            IN_IMPORT.get().run();
        }
    }

    /** An engine in which a thread that waits for a response drives the stages. */
    private MessagingEngine driven(String cluster, int node) {
        DXNetConfig config = config(cluster, 1, (int) Cluster.PATIENCE.toMillis())
                .threadingLayout(ThreadingLayout.FUSED)
                .build();
        MessagingEngine engine = start(config, node, new LoopbackTransportProvider(), Closing::new);
        engine.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> engine.sendMessage(new Pong(ping)));
        return engine;
    }

    /** Sends requests until the calling thread imports a response, and does something in there. */
    private static void askUntilDriving(MessagingEngine engine, Runnable inImport) {
        Thread asking = Thread.currentThread();
        AtomicBoolean isDriving = new AtomicBoolean();
        IN_IMPORT.set(() -> {
            if (Thread.currentThread() == asking) {
                isDriving.set(true);
                inImport.run();
            }
        });
        Cluster.await("this thread to drive", () -> {
            try {
                engine.sendSync(new Ping(1, "s", 1), Cluster.PATIENCE);
            } catch (DXNetException | NetClosedException e) {
                assertThat(isDriving).isTrue();
            }
            return isDriving.get();
        });
    }

    /** The engine's thread has lent its duty, and no thread asks any more. */
    @Test
    void shouldHandleMessagesAfterTheLastRequestOfAThreadThatDrove() throws Exception {
        MessagingEngine engine = driven("lent", 0);
        MessagingEngine other = driven("lent", 1);
        CountDownLatch handled = new CountDownLatch(1);
        engine.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> handled.countDown());
        askUntilDriving(engine, () -> {});
        other.sendMessage(new Data(0, 0, 0, 10));
        assertThat(handled.await(Cluster.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        engine.close();
        other.close();
        assertThat(errors).isEmpty();
    }

    /** The thread that waits for the response drives the stages, and would wait for itself. */
    @Test
    void shouldCloseInOrderFromAnImportOnTheThreadThatDrives() {
        MessagingEngine engine = driven("driving", 0);
        MessagingEngine other = driven("driving", 1);
        List<Disconnect> ends = new CopyOnWriteArrayList<>();
        engine.addConnectionListener(new ConnectionListener() {
            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                ends.add(cause);
            }
        });
        askUntilDriving(engine, engine::close);
        Cluster.await("the end", () -> !ends.isEmpty());
        assertThat(ends).singleElement().satisfies(end -> {
            assertThat(end.reason()).isEqualTo(Disconnect.Reason.CLOSED);
            assertThat(end.unconfirmedBytes()).isZero();
        });
        other.close();
        Cluster.await(
                "the end of its threads",
                () -> Thread.getAllStackTraces().keySet().stream().noneMatch(EngineLifeTest::isLeft));
        assertThat(errors).isEmpty();
    }

    private static final class Untyped extends Message {}

    /** Its id could be that of a request of the node that it is sent to. */
    @Test
    void shouldSendAResponseToTheSenderOfItsRequestAlone() throws Exception {
        MessagingEngine engine = start("elsewhere", 1);
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        engine.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            Pong elsewhere = new Pong(ping);
            elsewhere.setDestination(1);
            refusals.add(catchThrowable(() -> engine.sendMessage(elsewhere)));
            elsewhere.setDestinations(0, 1);
            refusals.add(catchThrowable(() -> engine.sendMessage(elsewhere)));
            Pong unasked = new Pong();
            unasked.setDestination(0);
            refusals.add(catchThrowable(() -> engine.sendMessage(unasked)));
            engine.sendMessage(new Pong(ping));
        });
        engine.sendSync(new Ping(0, "s", 1), Cluster.PATIENCE);
        assertThat(refusals)
                .hasSize(3)
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOf(MessagingUsageException.class)
                        .hasMessageContaining("is a response"));
        Untyped untyped = new Untyped();
        untyped.setDestination(0);
        assertThat(catchThrowable(() -> engine.sendMessage(untyped)))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("has no type");
        engine.close();
        assertThat(errors).isEmpty();
    }

    private static boolean isLeft(Thread thread) {
        return thread.getName().startsWith("dxnet-0-");
    }

    /** A second close does nothing, so what the first one leaves open stays open. */
    @Test
    void shouldCarryOutTheOtherStepsOfClosingWhereOneFails() {
        MessagingEngine engine = start("failing", 1, 500, HeldEnds.provider(() -> {}, () -> {
            throw new OutOfMemoryError("of closing");
        }));
        use(engine);
        assertThat(Thread.getAllStackTraces().keySet()).anyMatch(EngineLifeTest::isLeft);
        engine.close();
        Cluster.await(
                "the end of its threads",
                () -> Thread.getAllStackTraces().keySet().stream().noneMatch(EngineLifeTest::isLeft));
        assertThat(errors).singleElement().asString().contains("a step of closing failed");
    }
}
