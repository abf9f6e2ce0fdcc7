package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UdpSocketTest {
    private static final int BUFFER_BYTES = 1 << 20;

    /** A network of this process alone, so that several builds can run on one machine. */
    private static final int NETWORK =
            127 << 24 | (int) (1 + ProcessHandle.current().pid() % 65_000) << 8;

    private static final int FROM = NETWORK | 6;
    private static final int TO = NETWORK | 7;

    private final ReceivedDatagrams received = new ReceivedDatagrams();

    @AfterEach
    void reset() {
        System.clearProperty(UdpSocket.BATCHES);
    }

    private static UdpSocket open(int address, boolean batches) {
        System.setProperty(UdpSocket.BATCHES, Boolean.toString(batches));
        return UdpSocket.open(address, WireAddress.PORT, BUFFER_BYTES);
    }

    /** Receives one message, waiting for it. */
    private void receive(UdpSocket socket) {
        while (!received.receive(socket)) {
            socket.await(1000);
        }
    }

    /** Datagrams that are sent as one arrive in order and whole, with and without batches there. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldReceiveEachDatagramOfABatch(boolean receivesBatches) {
        Random random = new Random(5);
        long memory = LibC.calloc(5000);
        SendBatch batch = new SendBatch();
        try (UdpSocket from = open(FROM, true);
                UdpSocket to = open(TO, receivesBatches)) {
            for (int round = 0; round < 200; round++) {
                batch.clear();
                int length = 8 + random.nextInt(4000);
                int last = 8 + random.nextInt(length - 7);
                int wanted = 1 + random.nextInt(64);
                while (batch.count() < wanted && batch.accepts(length)) {
                    Memory.putLong(memory, batch.count());
                    batch.add(memory, batch.count() + 1 == wanted ? last : length);
                }
                assertThat(from.send(batch.message(TO))).isTrue();
                int arrived = 0;
                while (arrived < batch.count()) {
                    receive(to);
                    assertThat(received.source()).isEqualTo(FROM);
                    assertThat(received.sourcePort()).isEqualTo(WireAddress.PORT);
                    for (int i = 0; i < received.count(); i++) {
                        assertThat(received.length(i))
                                .isEqualTo(batch.datagram(arrived).capacity());
                        assertThat(Memory.getLong(received.address(i))).isEqualTo(arrived);
                        arrived++;
                    }
                }
                assertThat(received.receive(to)).isFalse();
            }
        }
        LibC.free(memory);
    }

    @Test
    void shouldSendNoBatchesWhenTheyAreNotWanted() {
        try (UdpSocket socket = open(FROM, false)) {
            assertThat(socket.sendsBatches()).isFalse();
        }
        try (UdpSocket socket = open(FROM, true)) {
            assertThat(socket.sendsBatches()).isTrue();
        }
    }

    @Test
    void shouldFailWithTheKernelsErrorNumber() {
        UdpSocket first = open(FROM, true);
        assertThatThrownBy(() -> open(FROM, true))
                .isInstanceOfSatisfying(
                        VerbError.class, error -> assertThat(error.errno()).isEqualTo(98));
        first.close();
        assertThatThrownBy(() -> open(0xc000_0201, true))
                .isInstanceOfSatisfying(
                        VerbError.class, error -> assertThat(error.errno()).isEqualTo(99));
    }

    /** Threads that send, receive and wait: none uses a descriptor that is closed, or waits on. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldBeClosedWhileOtherThreadsUseIt() throws Exception {
        for (int round = 0; round < 100; round++) {
            UdpSocket socket = open(FROM, true);
            AtomicInteger sent = new AtomicInteger();
            Thread waiting = Thread.ofPlatform().start(() -> socket.await(-1));
            Thread sending = Thread.ofPlatform().start(() -> {
                SendBatch batch = new SendBatch();
                batch.add(LibC.calloc(8), 8);
                for (int i = 0; i < 1000; i++) {
                    socket.send(batch.message(TO));
                    sent.incrementAndGet();
                }
            });
            while (sent.get() < 10) {
                Thread.onSpinWait();
            }
            socket.close();
            socket.close();
            // The port is free at once.
            try (UdpSocket next = open(FROM, true)) {
                assertThat(next.receive(new MessageHeader(100))).isNegative();
            }
            assertThat(socket.receive(new MessageHeader(100))).isNegative();
            sending.join();
            waiting.join();
            socket.wake();
        }
    }

    /** Threads that wake it, and datagrams: afterwards, a wake still ends a wait. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldStillBeAwokenWhenManyThreadsHaveAwokenIt() throws Exception {
        SendBatch batch = new SendBatch();
        batch.add(LibC.calloc(8), 8);
        try (UdpSocket socket = open(FROM, true)) {
            for (int round = 0; round < 200; round++) {
                AtomicInteger waking = new AtomicInteger(3);
                for (int i = 0; i < 3; i++) {
                    Thread.ofPlatform().start(() -> {
                        for (int k = 0; k < 100; k++) {
                            socket.wake();
                        }
                        waking.decrementAndGet();
                    });
                }
                while (waking.get() > 0) {
                    socket.send(batch.message(FROM));
                    socket.await(1);
                    received.receive(socket);
                }
                while (received.receive(socket)) {
                    // What is left: a wait would return for it.
                }
                socket.await(0);
                socket.wake();
                socket.await(-1);
            }
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldReturnFromWaitingWhenItIsAwokenBeforeOrMeanwhile() throws Exception {
        try (UdpSocket socket = open(FROM, true)) {
            for (int round = 0; round < 1000; round++) {
                Thread waiting = Thread.ofPlatform().start(() -> socket.await(-1));
                socket.wake();
                waiting.join(TimeUnit.SECONDS.toMillis(30));
                assertThat(waiting.isAlive()).isFalse();
            }
        }
    }
}
