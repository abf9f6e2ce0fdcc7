package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.Importer;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.NodeMap;
import io.dxnet.Request;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for each other by way of the engine, on two nodes of one process. */
@Timeout(240)
class LivenessTest {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    private final String cluster = "liveness-" + CLUSTERS.incrementAndGet();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private volatile Runnable onError = () -> {};
    private Supplier<Pong> pongs = Pong::new;

    private MessagingEngine start(int node, UnaryOperator<DXNetConfig.Builder> settings) {
        DXNetConfig config = settings.apply(DXNetConfig.builder()
                        .transport("loopback")
                        .clusterName(cluster)
                        .handlers(1)
                        .threadingLayout(ThreadingLayout.FUSED)
                        .errorHandler((what, error) -> {
                            errors.add(what);
                            onError.run();
                        }))
                .build();
        MessagingEngine engine =
                new MessagingEngine(config, new NodeMap(node), new LoopbackTransportProvider(), "loopback");
        engine.start(false);
        EnumSet<MessageTypeOption> none = EnumSet.noneOf(MessageTypeOption.class);
        engine.registerMessageType(TestMessages.TYPE, TestMessages.DATA, Data::new, none);
        engine.registerMessageType(TestMessages.TYPE, TestMessages.PING, Ping::new, none);
        engine.registerMessageType(TestMessages.TYPE, TestMessages.PONG, pongs::get, none);
        engine.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> engine.sendMessage(new Pong(ping)));
        return engine;
    }

    /**
     * The thread that waits for a response drives the stages, and reports an error
     * to a handler that closes the node.
     */
    @Test
    void shouldCloseFromTheErrorHandlerOnAThreadThatDrives() throws Exception {
        Thread tester = Thread.currentThread();
        AtomicReference<MessagingEngine> client = new AtomicReference<>();
        AtomicInteger failed = new AtomicInteger();
        pongs = () -> new Pong() {
            @Override
            public void importObject(Importer importer) {
                super.importObject(importer);
                if (Thread.currentThread() == tester) {
                    failed.incrementAndGet();
                    throw new IllegalStateException("on the driving thread");
                }
            }
        };
        client.set(start(7, settings -> settings.closeTimeoutMs(2000)));
        pongs = Pong::new;
        MessagingEngine server = start(1, settings -> settings);
        onError = () -> client.get().close();
        try {
            while (failed.get() == 0) {
                client.get().sendSync(new Ping(1, "driven", 1), Duration.ofSeconds(5));
            }
        } catch (MessagingUsageException e) {
            assertThat(failed).as("%s", e).hasValue(1);
        }
        Cluster.await(
                "the end of the node's threads",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("dxnet-7-")));
        assertThat(errors).noneMatch(what -> what.contains("did not return"));
        server.close();
    }

    /** Dependents that block as long as the application wants, one of them still to run. */
    @Test
    void shouldCloseWhileDependentsBlock() throws Exception {
        MessagingEngine engine = start(0, settings -> settings.closeTimeoutMs(500));
        engine.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {}); // answers nothing
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < 40; i++) {
            engine.sendAsync(new Ping(0, "silent", 1), Duration.ofHours(1)).whenComplete((pong, error) -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        Thread closer = Thread.ofPlatform().daemon().start(engine::close);
        boolean closed = closer.join(Duration.ofSeconds(30));
        release.countDown();
        assertThat(closed).isTrue();
    }

    /** In the fused layout only the control thread sends while a callback lasts. */
    @Test
    void shouldSendWhatAnEndingConnectionHoldsWhileACallbackLasts() throws Exception {
        UnaryOperator<DXNetConfig.Builder> settings =
                builder -> builder.sendByCaller(false).closeTimeoutMs(120_000);
        MessagingEngine busy = start(0, settings);
        MessagingEngine other = start(1, settings);
        AtomicInteger received = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        other.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> received.incrementAndGet());
        busy.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            inside.countDown();
            release.await();
        });
        busy.sendSync(new Ping(1, "connects", 1), Cluster.PATIENCE);
        other.sendMessage(new Data(0, 0, 0, 10));
        inside.await();
        busy.sendMessage(new Data(1, 0, 0, 10));
        busy.disconnectNode(1);
        try {
            Cluster.await("the message", () -> received.get() == 1);
        } finally {
            release.countDown();
            busy.close();
            other.close();
        }
    }

    /**
     * A node that reads nothing sends requests that cannot be answered: it holds a handler
     * for one timeout, and not for one of each request.
     */
    @Test
    void shouldEndAConnectionThatAcceptsNoReports() throws Exception {
        UnaryOperator<DXNetConfig.Builder> settings = builder -> builder.ringBytes(16 << 10)
                .requestMapEntries(1 << 16)
                .sendTimeoutMs(300)
                .closeTimeoutMs(500);
        MessagingEngine node = start(0, settings);
        MessagingEngine stuck = start(1, settings);
        Queue<Disconnect> ends = new ConcurrentLinkedQueue<>();
        node.addConnectionListener(new ConnectionListener() {
            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                ends.add(cause);
            }
        });
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        stuck.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            inside.countDown();
            release.await();
        });
        node.sendMessage(new Data(1, 0, 0, 10));
        inside.await();
        class Unanswerable extends Request<Pong> {
            Unanswerable() {
                super(0, TestMessages.TYPE, TestMessages.UNREGISTERED);
            }
        }
        AtomicBoolean stop = new AtomicBoolean();
        Thread asking = Thread.ofPlatform().daemon().start(() -> {
            while (!stop.get()) {
                stuck.sendAsync(new Unanswerable(), Duration.ofSeconds(60));
            }
        });
        try {
            Cluster.await("the end", () -> !ends.isEmpty());
            assertThat(ends.peek().reason()).isEqualTo(Disconnect.Reason.STALLED);
        } finally {
            stop.set(true);
            release.countDown();
            node.close();
            stuck.close();
            asking.join();
        }
    }
}
