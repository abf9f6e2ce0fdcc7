package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How connections end, and that nothing of them is left. */
@Timeout(120)
class NioLifecycleTest {
    @Test
    void shouldDeliverEverythingInAnOrderlyCloseEvenWhatIsStillInTheRing() throws Exception {
        DXNetConfig config = FakeNode.builder()
                .ringBytes(1 << 20)
                .flowControlWindowBytes(64 << 20)
                .transportOption("nio.lingerMs", "5000")
                .build();
        for (int round = 0; round < 20; round++) {
            try (FakeNode a = FakeNode.start(1, config);
                    FakeNode b = FakeNode.start(2, config)) {
                AtomicInteger calls = new AtomicInteger();
                b.queueFull = connection -> calls.incrementAndGet() % 2 == 0;
                FakeConnection ab = a.connect(b);
                if (round % 2 == 0) {
                    b.connect(a);
                }
                Streams.send(a, ab, 2 << 20, 10_000, round);
                FakeConnection ba = b.connection(1);
                a.dispose(ab, Transport.Close.IN_ORDER);
                assertThat(FakeConnection.await(ba.lost)).isTrue();
                Streams.awaitReceived(ba, 2 << 20);
                assertThat(FakeConnection.await(ab.released)).isTrue();
                assertThat(FakeConnection.await(ba.released)).isTrue();
                assertThat(ab.lostCount).hasValue(0);
                assertThat(ba.lostDetail).isEqualTo("the other node closed the connection");
            }
        }
    }

    @Test
    void shouldDeliverEverythingWhenTheTransportIsClosedRightAfterAnOrderlyClose() throws Exception {
        for (int round = 0; round < 10; round++) {
            try (FakeNode b = FakeNode.start(2)) {
                FakeConnection ab;
                try (FakeNode a = FakeNode.start(1)) {
                    ab = a.connect(b);
                    Streams.send(a, ab, 1 << 20, 10_000, round);
                    a.dispose(ab, Transport.Close.IN_ORDER);
                }
                assertThat(ab.releasedCount).hasValue(1);
                FakeConnection ba = b.connection(1);
                if (ba != null) {
                    assertThat(FakeConnection.await(ba.lost)).isTrue();
                    Streams.awaitReceived(ba, 1 << 20);
                }
            }
        }
    }

    @Test
    void shouldBoundAnOrderlyCloseByItsLingerTime() throws Exception {
        DXNetConfig config =
                FakeNode.builder().transportOption("nio.lingerMs", "200").build();
        try (FakeNode a = FakeNode.start(1, config);
                FakeNode b = FakeNode.start(2)) {
            b.queueFull = connection -> true;
            b.closeLost = false;
            FakeConnection ab = a.connect(b);
            Streams.send(a, ab, 10_000, 1000, 1);
            long startNs = System.nanoTime();
            a.dispose(ab, Transport.Close.IN_ORDER);
            assertThat(FakeConnection.await(ab.released)).isTrue();
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            assertThat(tookMs).isBetween(150L, 9000L);
        }
    }

    @Test
    void shouldReportTheLossWhenTheOtherSideIsKilledInTheMiddle() throws Exception {
        for (int round = 0; round < 10; round++) {
            try (FakeNode a = FakeNode.start(1);
                    FakeNode b = FakeNode.start(2)) {
                FakeConnection ab = a.connect(b);
                FakeConnection ba = b.connect(a);
                AtomicBoolean stop = new AtomicBoolean();
                Thread sending = sendingUntil(a, ab, stop);
                Streams.until("data flows", () -> ba.received() > 1 << 20);
                b.kill();
                assertThat(FakeConnection.await(ab.lost)).isTrue();
                stop.set(true);
                sending.join();
                assertThat(FakeConnection.await(ab.released)).isTrue();
                assertThat(ab.lostCount).hasValue(1);
                assertThat(ab.releasedCount).hasValue(1);
                assertThat(ba.releasedCount).hasValue(1);
                assertThat(ba.corruptAt()).isEqualTo(-1);
            }
        }
    }

    /** Like an application thread, which learns late that the connection is over. */
    private static Thread sendingUntil(FakeNode node, FakeConnection connection, AtomicBoolean stop) {
        Thread thread = new Thread(() -> {
            int i = 0;
            while (!stop.get()) {
                boolean sent;
                try {
                    sent = connection.trySend(1 + i++ % 3000);
                } catch (IllegalStateException e) {
                    return; // the ring's memory is gone: the producer's own access
                }
                if (!sent) {
                    Thread.onSpinWait();
                }
                if (i % 2 == 0) {
                    node.transport().sendNow(connection);
                } else {
                    node.transport().dataPosted(connection);
                }
            }
        });
        thread.setUncaughtExceptionHandler((t, e) -> node.errors.add(e.toString()));
        thread.start();
        return thread;
    }

    @Test
    void shouldReleaseOnceWhenClosedWhileOthersSend() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            for (int round = 0; round < 150; round++) {
                FakeConnection ab = a.connect(b);
                AtomicBoolean stop = new AtomicBoolean();
                Thread one = sendingUntil(a, ab, stop);
                FakeConnection ba = b.connection(1);
                Streams.until("data flows", () -> ba.received() > 1000);
                Transport.Close close = round % 3 == 0 ? Transport.Close.IN_ORDER : Transport.Close.AT_ONCE;
                a.dispose(ab, close);
                a.transport().close(ab, Transport.Close.AT_ONCE);
                assertThat(FakeConnection.await(ab.released)).isTrue();
                assertThat(FakeConnection.await(ba.lost)).isTrue();
                assertThat(FakeConnection.await(ba.released)).isTrue();
                stop.set(true);
                one.join();
                assertThat(ab.releasedCount).hasValue(1);
                assertThat(ab.lostCount).hasValue(0);
                assertThat(ba.corruptAt()).isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldEndAConnectThatWaitsWhenTheConnectionIsClosed() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            FakeConnection c = FakeConnection.create(a, 2);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread connecting = new Thread(() -> {
                try {
                    a.transport()
                            .connect(
                                    c,
                                    (InetSocketAddress) silent.getLocalSocketAddress(),
                                    System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            connecting.start();
            silent.accept().getInputStream().readNBytes(10);
            a.transport().close(c, Transport.Close.AT_ONCE);
            connecting.join(5000);
            assertThat(connecting.isAlive()).isFalse();
            assertThat(thrown.get())
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("was closed");
            assertThat(FakeConnection.await(c.released)).isTrue();
            assertThatThrownBy(() -> a.transport().connect(c, a.address(), System.nanoTime() + 1_000_000_000))
                    .isInstanceOf(NodeUnreachableException.class);
            assertThat(c.releasedCount).hasValue(1);
        }
    }

    @Test
    void shouldReleaseAConnectionThatWasNeverConnected() throws Exception {
        FakeNode a = FakeNode.start(1);
        FakeConnection c = FakeConnection.create(a, 2);
        FakeConnection d = FakeConnection.create(a, 3);
        FakeConnection later = FakeConnection.create(a, 4);
        a.transport().close(c, Transport.Close.IN_ORDER);
        a.transport().close(d, Transport.Close.AT_ONCE);
        assertThat(FakeConnection.await(c.released)).isTrue();
        assertThat(FakeConnection.await(d.released)).isTrue();
        a.kill();
        a.transport().close(later, Transport.Close.AT_ONCE);
        assertThat(later.releasedCount).hasValue(1);
        assertThatThrownBy(() -> a.transport().connect(later, a.address(), System.nanoTime() + 1_000_000_000))
                .isInstanceOf(NodeUnreachableException.class);
    }

    @Test
    void shouldReconnectToANodeThatWasRestarted() throws Exception {
        try (FakeNode a = FakeNode.start(1)) {
            InetSocketAddress address;
            FakeConnection first;
            try (FakeNode b = FakeNode.start(2)) {
                address = b.address();
                first = a.connect(b);
                Streams.send(a, first, 1000, 100, 1);
                Streams.awaitReceived(b.connection(1), 1000);
            }
            assertThat(FakeConnection.await(first.lost)).isTrue();
            io.dxnet.NodeMap nodes = new io.dxnet.NodeMap(2).put(2, address);
            try (FakeNode b = FakeNode.start(FakeNode.builder().build(), nodes)) {
                FakeConnection second = a.connect(b);
                Streams.send(a, second, 1000, 100, 1);
                Streams.awaitReceived(b.connection(1), 1000);
            }
        }
    }

    @Test
    void shouldLeaveNoFileDescriptorAndNoThreadBehind() throws Exception {
        churn(20); // what the JDK opens once
        long files = files();
        churn(200);
        Streams.until("file descriptors are closed: " + files(), () -> files() <= files);
        Streams.until(
                "no thread is left",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().endsWith("-accept")));
    }

    private static void churn(int connections) throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            for (int i = 0; i < connections; i++) {
                FakeConnection ab = a.connect(b);
                FakeConnection ba = b.connect(a);
                Streams.send(a, ab, 100, 100, i);
                a.dispose(ab, i % 2 == 0 ? Transport.Close.IN_ORDER : Transport.Close.AT_ONCE);
                assertThat(FakeConnection.await(ab.released)).isTrue();
                assertThat(FakeConnection.await(ba.released)).isTrue();
            }
        }
    }

    private static long files() {
        try (var list = Files.list(Path.of("/proc/self/fd"))) {
            return list.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
