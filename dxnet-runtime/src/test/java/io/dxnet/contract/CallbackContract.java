package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConnectionListener;
import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.RequestTimeoutException;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * On which threads the application's code runs, what it may do there, and when what
 * it sends leaves: on every transport.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class CallbackContract extends TransportContract {
    private static final Duration SECONDS_10 = Cluster.seconds(10);

    private static final long CALLBACK_NS = 150_000_000;
    /** Longer than an end waits for a batch in which nothing is handled. */
    private static final int SLOW_CALLBACKS = 45;

    /** The layouts, with one handler and with several. */
    enum Threads {
        FUSED(ThreadingLayout.FUSED, 1),
        FUSED_AND_TWO(ThreadingLayout.FUSED, 3),
        DEDICATED(ThreadingLayout.DEDICATED, 1),
        DEDICATED_THREE(ThreadingLayout.DEDICATED, 3);

        final ThreadingLayout layout;
        final int handlers;

        Threads(ThreadingLayout layout, int handlers) {
            this.layout = layout;
            this.handlers = handlers;
        }

        DXNetConfig.Builder apply(DXNetConfig.Builder builder) {
            return builder.threadingLayout(layout).handlers(handlers);
        }
    }

    /** For the transports' test classes. */
    protected CallbackContract() {}

    private static AtomicInteger countData(DXNet net) {
        AtomicInteger count = new AtomicInteger();
        net.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> count.incrementAndGet());
        return count;
    }

    private static void onData(DXNet net, io.dxnet.MessageReceiver<Data> receiver) {
        net.register(TestMessages.TYPE, TestMessages.DATA, receiver);
    }

    private static void send(DXNet net, int to, int sequence) {
        try {
            net.sendMessage(new Data(to, 0, sequence, 10));
        } catch (DXNetException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(Cluster.seconds(60).toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    // ---------------------------------------------------------------- what is sent leaves

    @ParameterizedTest
    @EnumSource
    void shouldSendWhatAListenerSends(Threads threads) throws Exception {
        Cluster cluster = cluster(3, threads::apply);
        AtomicInteger received = countData(cluster.node(1));
        cluster.node(0).addConnectionListener(new ConnectionListener() {
            @Override
            public void connected(int nodeId) {
                if (nodeId == 1) {
                    send(cluster.node(0), 1, 0);
                }
            }

            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                send(cluster.node(0), 1, 1);
            }
        });
        cluster.node(0).connectNode(1);
        Cluster.await("what connected sent", () -> received.get() == 1);
        cluster.node(0).connectNode(2);
        cluster.node(0).disconnectNode(2);
        Cluster.await("what disconnected sent", () -> received.get() == 2);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendWhatACallbackOfAnotherNetSends(Threads threads) {
        Cluster cluster = cluster(3, threads::apply);
        AtomicInteger received = countData(cluster.node(2));
        onData(cluster.node(1), data -> send(cluster.node(0), 2, data.sequence));
        send(cluster.node(0), 1, 0);
        Cluster.await("what the other one's callback sent", () -> received.get() == 1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendWhatDependentsAndErrorHandlersSend(Threads threads) {
        AtomicReference<Cluster> made = new AtomicReference<>();
        Cluster cluster = cluster(
                2,
                b -> threads.apply(b)
                        .errorHandler((what, error) -> send(made.get().node(1), 0, 1)));
        made.set(cluster);
        AtomicInteger received = countData(cluster.node(0));
        AtomicInteger answered = countData(cluster.node(1));
        cluster.node(0).sendAsync(new Ping(1, "a", 1), SECONDS_10).thenAccept(pong -> send(cluster.node(0), 1, 0));
        Cluster.await("what the dependent sent", () -> answered.get() == 1);
        onData(cluster.node(1), data -> {
            throw new IllegalStateException("to be handled");
        });
        send(cluster.node(0), 1, 0);
        Cluster.await("what the error handler sent", () -> received.get() >= 1);
    }

    /**
     * Whatever the callback of a batch's message sends leaves while this or a later
     * callback of the batch lasts.
     */
    @ParameterizedTest
    @EnumSource
    void shouldSendWhileACallbackLasts(Threads threads) {
        Cluster cluster = cluster(2, threads::apply);
        int count = 200;
        AtomicInteger echoed = countData(cluster.node(0));
        AtomicInteger handled = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        onData(cluster.node(1), data -> {
            if (data.sequence == 0) {
                await(begin); // the others gather: they come in batches
            }
            if (data.sequence % 50 == 7) {
                int before = handled.get();
                Cluster.await("the echoes of " + before, () -> echoed.get() >= before);
            }
            send(cluster.node(1), 0, data.sequence);
            if (data.sequence % 50 == 23) {
                int before = handled.get() + 1;
                Cluster.await("the echoes of " + before, () -> echoed.get() >= before);
            }
            handled.incrementAndGet();
        });
        for (int i = 0; i < count; i++) {
            send(cluster.node(0), 1, i);
        }
        begin.countDown();
        Cluster.await("all echoes", () -> echoed.get() == count);
        assertThat(cluster.failures).isEmpty();
    }

    /**
     * In the fused layout the thread that sends for the application's threads is
     * the one that is in the callback.
     */
    @ParameterizedTest
    @EnumSource
    void shouldSendForOtherThreadsWhileACallbackLasts(Threads threads) {
        Cluster cluster = cluster(2, threads::apply);
        int count = 1000;
        AtomicInteger received = countData(cluster.node(0));
        CountDownLatch inCallback = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        onData(cluster.node(1), data -> {
            inCallback.countDown();
            Cluster.await("all of the other thread's", () -> received.get() == count);
            done.set(true);
        });
        send(cluster.node(0), 1, 0);
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                await(inCallback);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            for (int i = 0; i < count; i++) {
                send(cluster.node(1), 0, i);
            }
        });
        Cluster.await("the end of the callback", done::get);
        Cluster.await("the end of the sender", () -> !sender.isAlive());
    }

    // ---------------------------------------------------------------- futures

    @ParameterizedTest
    @EnumSource
    void shouldAnswerWhenACallbackWaitsForAFuture(Threads threads) {
        Cluster cluster = cluster(2, threads::apply);
        DXNet net = cluster.node(1);
        AtomicReference<String> answer = new AtomicReference<>();
        onData(net, data -> {
            Ping ping = new Ping(0, "p" + data.sequence, 3);
            answer.set(
                    switch (data.sequence) {
                        case 0 -> net.sendAsync(ping, SECONDS_10).get().text;
                        case 1 -> net.sendAsync(ping, SECONDS_10).get(60, TimeUnit.SECONDS).text;
                        case 2 -> net.sendAsync(ping, SECONDS_10).join().text;
                        case 3 ->
                            net.sendAsync(ping, SECONDS_10)
                                    .thenApply(pong -> pong.text)
                                    .get();
                        case 4 ->
                            net.sendAsync(ping, SECONDS_10)
                                    .thenCompose(pong -> net.sendAsync(new Ping(0, pong.text, 1), SECONDS_10))
                                    .thenApply(pong -> pong.text)
                                    .join();
                        default -> {
                            List<CompletableFuture<Pong>> all = new ArrayList<>();
                            for (int i = 0; i < 100; i++) {
                                all.add(net.sendAsync(new Ping(0, "p" + data.sequence, i), SECONDS_10));
                            }
                            for (CompletableFuture<Pong> each : all) {
                                each.get();
                            }
                            yield all.get(99).get().text;
                        }
                    });
        });
        for (int i = 0; i < 6; i++) {
            send(cluster.node(0), 1, i);
            String expected = "p" + i;
            Cluster.await("answer " + i, () -> expected.equals(answer.get()));
        }
        assertThat(cluster.failures).isEmpty();
        cluster.awaitQuiet();
    }

    /** Other handlers receive meanwhile: then a callback may wait however it likes. */
    @Test
    void shouldAnswerWhenACallbackWaitsForAFutureOfTheJdk() {
        Cluster cluster = cluster(2, Threads.DEDICATED_THREE::apply);
        DXNet net = cluster.node(1);
        AtomicReference<String> answer = new AtomicReference<>();
        onData(net, data -> {
            CompletableFuture<Pong> pong = net.sendAsync(new Ping(0, "x", 3), SECONDS_10);
            CompletableFuture.allOf(pong).get();
            answer.set(pong.get().text);
        });
        send(cluster.node(0), 1, 0);
        Cluster.await("the answer", () -> "x".equals(answer.get()));
        assertThat(cluster.failures).isEmpty();
    }

    /** Notes threads that must not run dependents. */
    private static final class Dependents {
        final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        final AtomicInteger ran = new AtomicInteger();
        final ThreadLocal<Boolean> inCallback = ThreadLocal.withInitial(() -> false);

        CompletableFuture<Object> on(CompletableFuture<Pong> future) {
            Thread adding = Thread.currentThread();
            AtomicBoolean added = new AtomicBoolean();
            CompletableFuture<Object> result = future.handle((pong, error) -> {
                String name = Thread.currentThread().getName();
                boolean atOnce = Thread.currentThread() == adding && !added.get();
                if (!atOnce && (!name.matches("dxnet-\\d+-(fused|handler-\\d+|completer)") || inCallback.get())) {
                    wrong.add(name + (inCallback.get() ? " in a callback" : "") + " after " + error);
                }
                ran.incrementAndGet();
                return pong == null ? error : pong;
            });
            added.set(true);
            return result;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRunDependentsOnThreadsThatMayBlock(Threads threads) throws Exception {
        Cluster cluster = cluster(3, b -> threads.apply(b).closeTimeoutMs(300));
        DXNet net = cluster.node(0);
        Dependents dependents = new Dependents();
        List<CompletableFuture<Object>> all = new ArrayList<>();
        // Answered, while other threads wait for responses and may drive.
        AtomicBoolean stop = new AtomicBoolean();
        Thread asking = Thread.ofPlatform().start(() -> {
            try {
                while (!stop.get()) {
                    net.sendSync(new Ping(1, "s", 1), SECONDS_10);
                }
            } catch (DXNetException e) {
                throw new AssertionError(e);
            }
        });
        for (int i = 0; i < 2000; i++) {
            all.add(dependents.on(net.sendAsync(new Ping(1, "a", 1), SECONDS_10)));
            LockSupport.parkNanos(50_000);
        }
        // Answered inside a callback that waits.
        AtomicInteger called = new AtomicInteger();
        onData(net, data -> {
            dependents.inCallback.set(true);
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Pong> future = net.sendAsync(new Ping(1, "c", 1), SECONDS_10);
                dependents.on(future);
                future.get();
                net.sendSync(new Ping(1, "c", 1), SECONDS_10);
            }
            dependents.inCallback.set(false);
            called.incrementAndGet();
        });
        for (int i = 0; i < 20; i++) {
            send(cluster.node(1), 0, i);
        }
        Cluster.await("the callbacks'", () -> dependents.ran.get() == 2400 && called.get() == 20);
        stop.set(true);
        asking.join();
        // Not answered: timed out, lost, closed.
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {});
        CountDownLatch asked = new CountDownLatch(20);
        cluster.node(2).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> asked.countDown());
        List<CompletableFuture<Object>> unanswered = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(dependents.on(net.sendAsync(new Ping(1, "t", 1), Duration.ofMillis(20))));
            unanswered.add(dependents.on(net.sendAsync(new Ping(2, "l", 1), Cluster.PATIENCE)));
        }
        await(asked);
        cluster.node(2).close();
        unanswered.forEach(each -> assertThat(each.join()).isInstanceOf(ConnectionLostException.class));
        all.subList(2000, 2020).forEach(each -> assertThat(each.join()).isInstanceOf(RequestTimeoutException.class));
        List<CompletableFuture<Object>> last = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            last.add(dependents.on(net.sendAsync(new Ping(1, "z", 1), Cluster.PATIENCE)));
        }
        net.close();
        last.forEach(each -> assertThat(each).isDone());
        last.forEach(each ->
                assertThat(each.join()).isInstanceOfAny(ConnectionLostException.class, NetClosedException.class));
        assertThat(dependents.wrong).isEmpty();
        assertThat(cluster.failures).isEmpty();
    }

    /**
     * Dependents that last, of answered, timed out and lost requests, keep no
     * other request waiting.
     */
    @Test
    void shouldAnswerOthersWhileDependentsLast() throws Exception {
        Cluster cluster = cluster(3, b -> Threads.DEDICATED_THREE.apply(b).closeTimeoutMs(300));
        DXNet net = cluster.node(0);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch lasting = new CountDownLatch(3);
        // A dependent of a future that is complete would run on this thread.
        CountDownLatch added = new CountDownLatch(1);
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            await(added);
            cluster.node(1).sendMessage(new Pong(ping));
        });
        cluster.node(2).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {});
        List<CompletableFuture<Boolean>> blocked = new ArrayList<>();
        for (CompletableFuture<Pong> each : List.of(
                net.sendAsync(new Ping(1, "answered", 1), SECONDS_10),
                net.sendAsync(new Ping(2, "timed out", 1), Duration.ofSeconds(3)),
                net.sendAsync(new Ping(2, "lost", 1), Cluster.PATIENCE))) {
            blocked.add(each.handle((pong, error) -> {
                lasting.countDown();
                try {
                    return release.await(Cluster.seconds(100).toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    return false;
                }
            }));
        }
        added.countDown();
        Cluster.await("one request left", () -> net.statistics().requestsOutstanding() <= 1);
        cluster.node(2).close();
        List<CompletableFuture<String>> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(net.sendAsync(new Ping(1, "o", 1), Cluster.PATIENCE).thenApply(pong -> pong.text));
            assertThat(net.sendSync(new Ping(1, "s", 1), Cluster.PATIENCE).text).isEqualTo("s");
        }
        others.forEach(each -> assertThat(each.join()).isEqualTo("o"));
        await(lasting); // all three at once: none waits behind another
        release.countDown();
        blocked.forEach(each -> assertThat(each.join()).isTrue());
    }

    /** One handler, and batches that last longer than several close timeouts. */
    private static DXNetConfig.Builder slow(DXNetConfig.Builder builder) {
        return Threads.DEDICATED.apply(builder).headerBatch(64).closeTimeoutMs((int)
                Cluster.seconds(1).toMillis());
    }

    /** They arrive together, and each lasts a good part of the close timeout. */
    @Test
    void shouldHandleAllOfABatchWhenItsConnectionEnds() throws Exception {
        Cluster cluster = cluster(2, CallbackContract::slow);
        DXNet slow = cluster.node(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        onData(slow, data -> {
            begun.countDown();
            await(sent);
            LockSupport.parkNanos(CALLBACK_NS);
            handled.incrementAndGet();
        });
        CompletableFuture<Disconnect> end = new CompletableFuture<>();
        cluster.node(0).addConnectionListener(new ConnectionListener() {
            @Override
            public void disconnected(int nodeId, Disconnect cause) {
                end.complete(cause);
            }
        });
        send(cluster.node(0), 1, 0);
        await(begun);
        for (int i = 1; i < SLOW_CALLBACKS; i++) {
            send(cluster.node(0), 1, i);
        }
        slow.disconnectNode(0);
        sent.countDown();
        Disconnect cause = end.get(Cluster.seconds(60).toSeconds(), TimeUnit.SECONDS);
        assertThat(cause.reason()).as("%s", cause).isEqualTo(Disconnect.Reason.CLOSED_BY_PEER);
        assertThat(cause.detail()).isEqualTo("closed in order");
        assertThat(handled).hasValue(SLOW_CALLBACKS);
    }

    /**
     * A connection ends while the one handler is busy with messages of others, which came before
     * the request: its turn comes after several close timeouts.
     */
    @Test
    void shouldAnswerARequestBehindOthersMessagesWhenItsConnectionEnds() throws Exception {
        Cluster cluster = cluster(3, CallbackContract::slow);
        DXNet busy = cluster.node(1);
        CountDownLatch begun = new CountDownLatch(1);
        busy.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
            begun.countDown();
            LockSupport.parkNanos(CALLBACK_NS);
        });
        busy.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> busy.sendMessage(new Pong(ping)));
        cluster.node(0).connectNode(1);
        for (int i = 0; i < 10; i++) {
            send(cluster.node(2), 1, i);
        }
        await(begun);
        CompletableFuture<Pong> answer = cluster.node(0).sendAsync(new Ping(1, "behind", 1), SECONDS_10);
        busy.disconnectNode(0);
        assertThat(answer.get(Cluster.seconds(60).toSeconds(), TimeUnit.SECONDS).text)
                .isEqualTo("behind");
    }

    // ---------------------------------------------------------------- interrupts

    @ParameterizedTest
    @EnumSource
    void shouldClearTheInterruptFlagThatACallbackLeaves(Threads threads) throws Exception {
        Cluster cluster = cluster(2, threads::apply);
        DXNet net = cluster.node(1);
        AtomicInteger seen = new AtomicInteger();
        AtomicInteger handled = new AtomicInteger();
        onData(net, data -> {
            if (Thread.currentThread().isInterrupted()) {
                seen.incrementAndGet();
            }
            Thread.currentThread().interrupt();
            handled.incrementAndGet();
        });
        net.addConnectionListener(new ConnectionListener() {
            @Override
            public void connected(int nodeId) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < 100; i++) {
            send(cluster.node(0), 1, i);
        }
        Cluster.await("100 messages", () -> handled.get() == 100);
        assertThat(seen.get()).isZero();
        Cluster.await("101 reports", () -> cluster.failures.size() == 101);
        assertThat(cluster.failures)
                .filteredOn(failure -> failure.what().contains("callback"))
                .hasSize(100)
                .allMatch(failure -> failure.what().contains("type 7 subtype 1")
                        && failure.what().contains(Data.class.getName()));
        assertThat(cluster.failures)
                .filteredOn(failure -> failure.what().contains("listener"))
                .hasSize(1);
        // Without the flag its threads sleep; with it each of them would use all
        // the time of a core.
        assertThat(CpuTime.percent(net, Duration.ofMillis(500))).isLessThan(40);
        assertThat(cluster.node(0).sendSync(new Ping(1, "x", 1), SECONDS_10).text)
                .isEqualTo("x");
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheInterruptFlagAsideWhileASenderIsBlocked(Threads threads) throws Exception {
        Cluster cluster = cluster(
                2, b -> threads.apply(b).flowControlWindowBytes(64 << 10).ringBytes(32 << 10));
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        onData(cluster.node(1), data -> {
            await(release);
            received.incrementAndGet();
        });
        cluster.node(0).connectNode(1);
        int count = 300;
        AtomicBoolean interrupted = new AtomicBoolean();
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < 3; t++) { // one checks for room, the others wait behind it
            senders.add(Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                for (int i = 0; i < count; i++) {
                    try {
                        cluster.node(0).sendMessage(new Data(1, 0, i, 1000));
                    } catch (DXNetException e) {
                        throw new AssertionError(e);
                    }
                }
                interrupted.set(Thread.currentThread().isInterrupted());
            }));
        }
        Cluster.await("blocked senders", () -> cluster.node(0).statistics().sendsBlocked() >= 3);
        senders.forEach(Thread::interrupt);
        long before = cpuNs(senders);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 500_000_000) {
            LockSupport.parkNanos(10_000_000); // what is measured is this time
        }
        long used = cpuNs(senders) - before;
        assertThat(used / (double) (System.nanoTime() - begin))
                .as("processors that the blocked senders use")
                .isLessThan(0.6); // one that spins uses all the time of one
        release.countDown();
        Cluster.await("all messages", () -> received.get() == 3 * count);
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(interrupted.get()).as("the flag afterwards").isTrue();
    }

    private static long cpuNs(List<Thread> threads) {
        return threads.stream()
                .mapToLong(thread -> ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId()))
                .sum();
    }

    // ---------------------------------------------------------------- virtual threads

    /**
     * More at once than there are places for requests; none registers anything,
     * pins its carrier or is woken up for nothing.
     */
    @Test
    void shouldAnswerAHundredThousandVirtualThreads() throws Exception {
        int count = 100_000;
        Cluster cluster = cluster(2, b -> b.requestMapEntries(1024));
        DXNet net = cluster.node(0);
        net.connectNode(1);
        AtomicInteger answered = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Queue<String> pinned = new ConcurrentLinkedQueue<>();
        try (RecordingStream recording = new RecordingStream()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.onEvent("jdk.VirtualThreadPinned", event -> {
                if (String.valueOf(event.getStackTrace()).contains("io.dxnet.runtime")) {
                    pinned.add(event.toString());
                }
            });
            recording.startAsync();
            CountDownLatch done = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                Thread.ofVirtual().start(() -> {
                    try {
                        net.sendSync(new Ping(1, "v", 1), Cluster.PATIENCE);
                        answered.incrementAndGet();
                    } catch (Throwable e) {
                        failures.add(e);
                    } finally {
                        done.countDown();
                    }
                });
            }
            assertThat(done.await(Cluster.seconds(90).toSeconds(), TimeUnit.SECONDS))
                    .as("all threads ended; answered so far: %s", answered)
                    .isTrue();
            recording.stop();
        }
        assertThat(failures).isEmpty();
        assertThat(answered.get()).isEqualTo(count);
        assertThat(net.statistics().messagesSent()).isEqualTo(count);
        assertThat(pinned).isEmpty();
        cluster.awaitQuiet();
    }

    // ---------------------------------------------------------------- errors of the right kind

    /** Declares another response than it gets. */
    private static final class Misled extends io.dxnet.Request<Misled.Other> {
        static final class Other extends io.dxnet.Response {}

        Misled(int destination) {
            super(destination, TestMessages.TYPE, TestMessages.PING);
        }

        @Override
        public void exportObject(io.dxnet.Exporter exporter) {
            exporter.writeString("m");
            exporter.writeInt(1);
        }

        @Override
        public int sizeOfObject() {
            return io.dxnet.ObjectSize.ofString("m") + Integer.BYTES;
        }
    }

    @Test
    void shouldSayWhichResponseCameWhenItIsOfAnotherClass() {
        Cluster cluster = cluster(2, Threads.FUSED::apply);
        assertThatThrownBy(() -> cluster.node(0).sendSync(new Misled(1), SECONDS_10))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("Misled")
                .hasMessageContaining("Other")
                .hasMessageContaining("Pong");
        assertThatThrownBy(() ->
                        cluster.node(0).sendAsync(new Misled(1), SECONDS_10).get())
                .hasCauseInstanceOf(MessagingUsageException.class);
    }

    @Test
    void shouldTakeAnyDuration() throws Exception {
        Cluster cluster = cluster(2, Threads.FUSED::apply);
        DXNet net = cluster.node(0);
        for (Duration longest : List.of(
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(300 * 365), Duration.ofNanos(Long.MAX_VALUE))) {
            assertThat(net.sendSync(new Ping(1, "d", 1), longest).text).isEqualTo("d");
            assertThat(net.sendAsync(new Ping(1, "d", 1), longest).get(60, TimeUnit.SECONDS).text)
                    .isEqualTo("d");
        }
        cluster.node(1).register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {});
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> net.sendSync(new Ping(1, "n", 1), none))
                    .isInstanceOf(RequestTimeoutException.class);
            assertThatThrownBy(() -> net.sendAsync(new Ping(1, "n", 1), none).get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RequestTimeoutException.class);
        }
    }

    @Test
    void shouldNameTheRangeOfNodeIds() {
        Cluster cluster = cluster(1, Threads.FUSED::apply);
        DXNet net = cluster.node(0);
        for (int wrong : new int[] {-1, 65_536, 70_000, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> net.connectNode(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong + " is not in 0..65535");
            assertThatThrownBy(() -> net.disconnectNode(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong + " is not in 0..65535");
        }
    }

    @Test
    void shouldGiveReceivedMessagesTheirDestination() {
        Cluster cluster = cluster(2, Threads.FUSED::apply);
        AtomicInteger destination = new AtomicInteger(-2);
        onData(cluster.node(1), data -> destination.set(data.destination()));
        send(cluster.node(0), 1, 0);
        Cluster.await("the message", () -> destination.get() != -2);
        assertThat(destination.get()).isEqualTo(1);
    }
}
