package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Transport;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes arrive whole, once and in order. */
@Timeout(120)
class NioStreamTest {
    private static final long BYTES = 24L << 20;

    @Test
    void shouldCarryAStreamOneWayAndFlowControlBack() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            FakeConnection ab = a.connect(b);
            Streams.send(a, ab, BYTES, 3000, 1);
            Streams.awaitReceived(b.connection(1), BYTES);
            long steps = BYTES / ((4 << 20) / 4);
            Streams.until("all steps confirmed", () -> ab.fcReceived.get() == steps);
            assertThat(a.connection(2)).isSameAs(ab);
        }
    }

    @Test
    void shouldCarryStreamsBothWaysOverSmallSocketBuffersWithWrapsAndPartialWrites() throws Exception {
        DXNetConfig small = FakeNode.builder()
                .ringBytes(1 << 14)
                .transportOption("nio.socketBufferBytes", "4K")
                .build();
        try (FakeNode a = FakeNode.start(1, small);
                FakeNode b = FakeNode.start(2, small)) {
            FakeConnection ab = a.connect(b);
            FakeConnection ba = b.connect(a);
            assertThat(FakeConnection.await(ab.ready)).isTrue();
            assertThat(ba).isSameAs(b.connection(1));
            Thread one = Streams.sending(a, ab, BYTES / 4, 1 << 14, 3);
            Thread two = Streams.sending(b, ba, BYTES / 4, 5000, 4);
            one.join();
            two.join();
            Streams.awaitReceived(ba, BYTES / 4);
            Streams.awaitReceived(ab, BYTES / 4);
        }
    }

    @Test
    void shouldUseLargeRingsAndBuffers() throws Exception {
        DXNetConfig large = FakeNode.builder().ringBytes(4 << 20).build();
        try (FakeNode a = FakeNode.start(1, large);
                FakeNode b = FakeNode.start(2, large)) {
            FakeConnection ab = a.connect(b);
            Streams.send(a, ab, 2 * BYTES, 1 << 20, 5);
            Streams.awaitReceived(b.connection(1), 2 * BYTES);
        }
    }

    @Test
    void shouldSendEveryPieceEvenWhenTheAgentSleepsInBetween() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            FakeConnection ab = a.connect(b);
            FakeConnection ba = b.connect(a);
            for (int i = 1; i <= 2000; i++) { // the agents wait 20 s for what they miss
                Streams.send(a, ab, 64, 64, i);
                FakeConnection at = ba;
                long expected = 64L * i;
                spinUntil(() -> at.received() == expected);
                Streams.send(b, ba, 64, 64, i);
                spinUntil(() -> ab.received() == expected);
            }
            Streams.awaitReceived(ba, 64 * 2000);
            Streams.awaitReceived(ab, 64 * 2000);
        }
    }

    private static void spinUntil(java.util.function.BooleanSupplier condition) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("10 s are over").isNegative();
            Thread.yield();
        }
    }

    @Test
    void shouldKeepEverythingWhenTheQueueIsFullForAWhile() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            AtomicInteger calls = new AtomicInteger();
            b.queueFull = connection -> calls.incrementAndGet() % 3 != 0;
            FakeConnection ab = a.connect(b);
            Streams.send(a, ab, BYTES / 4, 3000, 6);
            Streams.awaitReceived(b.connection(1), BYTES / 4);
        }
    }

    @Test
    void shouldHoldUpOneConnectionOnlyAndStillCarryFlowControl() throws Exception {
        DXNetConfig config = FakeNode.builder().flowControlWindowBytes(64 << 20).build();
        try (FakeNode a = FakeNode.start(1, config);
                FakeNode b = FakeNode.start(2, config);
                FakeNode c = FakeNode.start(3, config)) {
            FakeConnection ab = a.connect(b);
            FakeConnection ba = b.connect(a);
            FakeConnection ca = c.connect(a);
            AtomicInteger fullFor = new AtomicInteger(2);
            a.queueFull = connection -> connection.nodeId() == fullFor.get();
            Thread sending = Streams.sending(b, ba, BYTES, 3000, 7);
            Streams.until("b can't send any more", () -> ba.ring().pending() > (1 << 15));
            long before = ab.received();
            Streams.send(a, ab, 1 << 20, 3000, 8);
            Streams.awaitReceived(ba, 1 << 20);
            ab.confirm(3);
            Streams.until("confirmed", () -> ba.fcReceived.get() == 3);
            assertThat(ab.received()).isEqualTo(before);
            fullFor.set(0);
            Streams.send(c, ca, 1 << 20, 3000, 9);
            Streams.awaitReceived(a.connection(3), 1 << 20);
            sending.join();
            Streams.awaitReceived(ab, BYTES);
        }
    }

    @Test
    void shouldWaitForThePoolWhenItIsEmpty() throws Exception {
        DXNetConfig tiny = FakeNode.builder().incomingBytesMax(1 << 20).build();
        try (FakeNode a = FakeNode.start(1, tiny);
                FakeNode b = FakeNode.start(2, tiny)) {
            var taken = new java.util.ArrayList<io.dxnet.transport.IncomingBuffer>();
            for (var buffer = b.pool().take(1);
                    buffer != null;
                    buffer = b.pool().take(1)) {
                taken.add(buffer);
            }
            FakeConnection ab = a.connect(b);
            Streams.send(a, ab, 1000, 100, 10);
            assertThat(b.connection(1).received()).isZero();
            taken.forEach(io.dxnet.transport.IncomingBuffer::giveBack);
            Streams.awaitReceived(b.connection(1), 1000);
            Streams.send(a, ab, BYTES / 8, 3000, 11);
            Streams.awaitReceived(b.connection(1), 1000 + BYTES / 8);
        }
    }

    @Test
    void shouldMakeOneConnectionWhenBothSidesConnectAtOnce() throws Exception {
        for (int round = 0; round < 30; round++) {
            try (FakeNode a = FakeNode.start(1);
                    FakeNode b = FakeNode.start(2)) {
                AtomicReference<Exception> failed = new AtomicReference<>();
                Thread other = new Thread(() -> {
                    try {
                        b.connect(a);
                    } catch (Exception e) {
                        failed.set(e);
                    }
                });
                other.start();
                FakeConnection ab = a.connect(b);
                other.join();
                assertThat(failed.get()).isNull();
                Streams.send(a, ab, 10_000, 100, round);
                Streams.send(b, b.connection(1), 10_000, 100, round);
                Streams.awaitReceived(ab, 10_000);
                Streams.awaitReceived(b.connection(1), 10_000);
            }
        }
    }

    @Test
    void shouldConnectToItself() throws Exception {
        DXNetConfig config =
                FakeNode.builder().transportOption("nio.lingerMs", "30000").build();
        try (FakeNode a = FakeNode.start(1, config)) {
            FakeConnection self = a.connect(a);
            Streams.send(a, self, BYTES / 4, 3000, 12);
            Streams.awaitReceived(self, BYTES / 4);
            long startNs = System.nanoTime();
            a.dispose(self, Transport.Close.IN_ORDER);
            assertThat(FakeConnection.await(self.released)).isTrue();
            assertThat(System.nanoTime() - startNs).as("no linger time-out").isLessThan(9_000_000_000L);
            assertThat(self.lostCount).hasValue(0);
        }
    }

    @Test
    void shouldUseIpv6AndNames() throws Exception {
        try (FakeNode a = FakeNode.start(1, FakeNode.builder().build(), "::1");
                FakeNode b = FakeNode.start(2)) {
            FakeConnection ba = b.connect(a);
            Streams.send(b, ba, 100_000, 1000, 13);
            Streams.awaitReceived(a.connection(2), 100_000);
            FakeConnection ab = a.connect(
                    2,
                    InetSocketAddress.createUnresolved("localhost", b.address().getPort()));
            Streams.send(a, ab, 100_000, 1000, 14);
            Streams.awaitReceived(ba, 100_000);
        }
    }

    @Test
    void shouldConfirmManyStepsAtOnce() throws Exception {
        try (FakeNode a = FakeNode.start(1);
                FakeNode b = FakeNode.start(2)) {
            FakeConnection ab = a.connect(b);
            assertThat(FakeConnection.await(b.connection(1).ready)).isTrue();
            b.connection(1).confirm(255 * 40 + 17);
            Streams.until("all confirmed", () -> ab.fcReceived.get() == 255 * 40 + 17);
        }
    }
}
