package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.softhca.SoftFaults;
import io.dxnet.transport.ib.SendQueue.Turn;
import io.dxnet.transport.ib.Wire.Arrived;
import io.dxnet.transport.ring.Window;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The send queue on a software device that does what is posted at once. */
class SendQueueTest {
    private static final int ENOMEM = 12;
    private static final int RING = 4096;

    @BeforeEach
    void software() {
        IbNodes.assumeSoftware();
    }

    @AfterEach
    void heal() {
        SoftFaults.of(IbNodes.DEVICE).clear();
    }

    protected Encryption encryption() {
        return Encryption.NONE;
    }

    private Wire wire(int depth, int ringBytes) {
        return new Wire(depth, ringBytes, encryption());
    }

    private static void assertIntact(Wire wire, int bytes) {
        wire.receive();
        byte[] all = wire.stream.toByteArray();
        assertThat(all).hasSize(bytes);
        for (int i = 0; i < all.length; i++) {
            assertThat(all[i]).as("byte %d", i).isEqualTo(Wire.expected(i));
        }
        assertThat(wire.arrived).allMatch(each -> each.nodeId() == Wire.NODE);
        if (wire.encrypting != null) {
            assertThat(wire.encrypting.messages())
                    .as("each message was encrypted once, so no nonce was used twice")
                    .isEqualTo(wire.arrived.size());
        }
    }

    @Test
    void shouldDoNothingWithNothing() {
        try (Wire wire = wire(8, RING)) {
            assertThat(wire.queue.send()).isEqualTo(Turn.NOTHING);
            assertThat(wire.queue.hasNew()).isFalse();
            assertThat(wire.queue.isOutstanding()).isFalse();
            assertThatThrownBy(wire.queue::completed).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldCutWhatIsCommittedIntoMessagesOfTheLargestSize() {
        try (Wire wire = wire(20, RING)) {
            wire.write(3 * Wire.MESSAGE_MAX + 1);
            assertThat(wire.queue.hasNew()).isTrue();
            assertThat(wire.queue.send()).isEqualTo(Turn.ALL);
            assertThat(wire.queue.hasNew()).isFalse();
            assertIntact(wire, wire.written());
            assertThat(wire.arrived).extracting(Arrived::bytes).containsExactly(64, 64, 64, 1);
            assertThat(wire.outstanding.get())
                    .as("one signaled request for the chain")
                    .isEqualTo(1);
            assertThat(wire.connection.ring().pending())
                    .as("nothing is free before the completion")
                    .isEqualTo(193);
            assertThat(wire.poll()).isEqualTo(1);
            assertThat(wire.connection.ring().pending()).isZero();
            assertThat(wire.outstanding.get()).isZero();
        }
    }

    @Test
    void shouldSendAcrossTheEndOfTheRingInOneMessage() {
        try (Wire wire = wire(20, RING)) {
            for (int lap = 0; lap < 200; lap++) {
                wire.write(Wire.MESSAGE_MAX - 1); // 63 and 4096 have no common divisor: every offset at the end comes
                assertThat(wire.queue.send()).isEqualTo(Turn.ALL);
                assertThat(wire.poll()).isEqualTo(1);
                wire.receive();
            }
            assertIntact(wire, 200 * 63);
            assertThat(wire.arrived).extracting(Arrived::bytes).containsOnly(63);
        }
    }

    @Test
    void shouldConfirmWithoutData() {
        try (Wire wire = wire(8, RING)) {
            wire.connection.steps.set(300);
            assertThat(wire.queue.send()).isEqualTo(Turn.MORE);
            assertThat(wire.queue.send()).isEqualTo(Turn.ALL);
            assertThat(wire.queue.send()).isEqualTo(Turn.NOTHING);
            wire.receive();
            assertThat(wire.arrived).containsExactly(new Arrived(0, Wire.NODE, 255), new Arrived(0, Wire.NODE, 45));
            assertThat(wire.poll()).isEqualTo(2);
        }
    }

    @Test
    void shouldConfirmWithTheFirstMessageOfAChain() {
        try (Wire wire = wire(8, RING)) {
            wire.connection.steps.set(3);
            wire.write(2 * Wire.MESSAGE_MAX);
            assertThat(wire.queue.send()).isEqualTo(Turn.ALL);
            wire.receive();
            assertThat(wire.arrived).containsExactly(new Arrived(64, Wire.NODE, 3), new Arrived(64, Wire.NODE, 0));
        }
    }

    @Test
    void shouldSignalWithoutData() {
        try (Wire wire = wire(8, RING)) {
            wire.connection.signals.set(0x81);
            assertThat(wire.queue.send()).isEqualTo(Turn.ALL);
            assertThat(wire.queue.isIdle()).as("it is under way").isFalse();
            assertThat(wire.queue.send()).isEqualTo(Turn.NOTHING);
            wire.receive();
            assertThat(wire.arrived).containsExactly(new Arrived(0, Wire.NODE, 0, 0x81));
            assertThat(wire.poll()).isEqualTo(1);
            assertThat(wire.queue.isIdle()).isTrue();
        }
    }

    @Test
    void shouldSignalWithTheFirstMessageOfAChain() {
        try (Wire wire = wire(8, RING)) {
            wire.connection.signals.set(0xFF);
            wire.connection.steps.set(255);
            wire.write(2 * Wire.MESSAGE_MAX);
            assertThat(wire.queue.send()).as("there may be more steps").isEqualTo(Turn.MORE);
            wire.receive();
            assertThat(wire.arrived)
                    .containsExactly(new Arrived(64, Wire.NODE, 255, 0xFF), new Arrived(64, Wire.NODE, 0, 0));
        }
    }

    @Test
    void shouldReturnSignalsThatFindNoRoom() {
        try (Wire wire = wire(4, RING)) {
            wire.write(6 * Wire.MESSAGE_MAX);
            while (wire.queue.send() == Turn.MORE) {
                // until the data's part of the queue is full
            }
            for (int signal = 1; signal <= 2; signal++) {
                wire.connection.signals.set(signal);
                assertThat(wire.queue.send()).as("data is left").isEqualTo(Turn.MORE);
            }
            wire.connection.signals.set(4);
            assertThat(wire.queue.send()).isEqualTo(Turn.FULL);
            assertThat(wire.connection.signals).as("they are put back").hasValue(4);
            wire.receive();
            assertThat(wire.signalsReceived()).isEqualTo(3);
            while (wire.poll() > 0 || wire.queue.send() != Turn.NOTHING) {
                wire.receive();
            }
            assertThat(wire.signalsReceived()).isEqualTo(7);
            assertIntact(wire, wire.written());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 8, 20})
    void shouldConfirmAlthoughTheQueueIsFullOfData(int depth) {
        try (Wire wire = wire(depth, RING)) {
            wire.write((depth + 4) * Wire.MESSAGE_MAX);
            Turn turn = wire.queue.send();
            while (turn == Turn.MORE) {
                turn = wire.queue.send();
            }
            assertThat(turn).isEqualTo(Turn.FULL);
            for (int steps = 1; steps <= 2; steps++) {
                wire.connection.steps.set(steps);
                assertThat(wire.queue.send()).as("data is left").isEqualTo(Turn.MORE);
                assertThat(wire.connection.steps.get()).isZero();
            }
            wire.connection.steps.set(7);
            assertThat(wire.queue.send()).isEqualTo(Turn.FULL);
            assertThat(wire.connection.steps.get()).as("they are put back").isEqualTo(7);
            wire.receive();
            assertThat(wire.stepsReceived()).isEqualTo(3);
            while (wire.poll() > 0 || wire.queue.send() != Turn.NOTHING) {
                wire.receive();
            }
            assertThat(wire.stepsReceived()).isEqualTo(10);
            assertIntact(wire, wire.written());
            assertThat(wire.outstanding.get()).isZero();
        }
    }

    /**
     * Whatever the device accepts of a chain, in the end all is sent once, freed once,
     * and nothing counts as under way.
     */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 20})
    void shouldAccountExactlyWhenTheDeviceTakesAPart(int depth) {
        Random random = new Random(depth);
        SoftFaults faults = SoftFaults.of(IbNodes.DEVICE);
        try (Wire wire = wire(depth, RING)) {
            int steps = 0;
            int signals = 0;
            for (int i = 0; i < 20_000; i++) {
                if (random.nextInt(2000) == 0) {
                    int signal = 1 << random.nextInt(8);
                    signals |= signal;
                    wire.connection.returnSignals(signal);
                }
                int bytes = 1 + random.nextInt(400);
                if (random.nextInt(3) == 0 && wire.hasRoom(bytes)) {
                    wire.write(bytes);
                }
                if (random.nextInt(10) == 0) {
                    steps++;
                    wire.connection.steps.incrementAndGet();
                }
                if (random.nextInt(2) == 0) {
                    faults.failNextCalls("ibv_post_send", ENOMEM, random.nextInt(2));
                }
                Turn turn = wire.queue.send();
                if (turn == Turn.FULL) {
                    assertThat(wire.queue.isOutstanding())
                            .as("who waits is woken up")
                            .isTrue();
                }
                if (random.nextInt(3) == 0) {
                    wire.poll();
                }
                wire.receive();
            }
            faults.clear();
            for (Turn turn = Turn.MORE; turn != Turn.NOTHING || wire.queue.isOutstanding(); turn = wire.queue.send()) {
                wire.poll();
                wire.receive();
            }
            assertIntact(wire, wire.written());
            assertThat(wire.stepsReceived()).isEqualTo(steps);
            assertThat(wire.signalsReceived()).isEqualTo(signals);
            assertThat(wire.connection.ring().pending()).isZero();
            assertThat(wire.outstanding.get()).isZero();
        }
    }

    @Test
    void shouldTryAgainWhereTheDeviceTakesNothingAndNothingIsUnderWay() {
        try (Wire wire = wire(8, RING)) {
            SoftFaults.of(IbNodes.DEVICE).failNextCalls("ibv_post_send", ENOMEM, 3);
            wire.connection.steps.set(2);
            wire.connection.signals.set(8);
            wire.write(10);
            boolean encrypts = encryption() != Encryption.NONE;
            for (int i = 0; i < 3; i++) {
                assertThat(wire.queue.send()).isEqualTo(Turn.REFUSED);
                assertThat(wire.connection.steps.get())
                        .as("what is encrypted stays so")
                        .isEqualTo(encrypts ? 0 : 2);
                assertThat(wire.connection.signals.get()).isEqualTo(encrypts ? 0 : 8);
                assertThat(wire.queue.isIdle()).isEqualTo(!encrypts);
                assertThat(wire.outstanding.get()).isZero();
            }
            assertThat(wire.queue.send()).isEqualTo(encrypts ? Turn.MORE : Turn.ALL);
            assertIntact(wire, 10);
            assertThat(wire.stepsReceived()).isEqualTo(2);
            assertThat(wire.signalsReceived()).isEqualTo(8);
        }
    }

    @Test
    void shouldPostNothingOnceItIsSealed() {
        try (Wire wire = wire(8, RING)) {
            wire.write(10);
            wire.queue.seal();
            wire.queue.seal();
            assertThat(wire.queue.send()).isEqualTo(Turn.OVER);
            wire.receive();
            assertThat(wire.arrived).isEmpty();
        }
    }

    @Test
    void shouldForgetWhatIsUnderWay() {
        try (Wire wire = wire(8, RING)) {
            wire.write(10);
            wire.queue.send();
            wire.connection.steps.set(1);
            wire.queue.send();
            assertThat(wire.outstanding.get()).isEqualTo(2);
            wire.queue.forget();
            assertThat(wire.outstanding.get()).isZero();
            assertThat(wire.queue.isOutstanding()).isFalse();
        }
    }

    /**
     * Many threads commit and send, one polls: the last holder of the lock
     * sees what came while it held it.
     */
    @Test
    void shouldLeaveNothingBehindWhenManyThreadsSend() throws Exception {
        try (Wire wire = wire(8, RING)) {
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 5000; i++) {
                        long claim;
                        while ((claim = wire.connection.ring().tryClaim(7, Window.IGNORED)) < 0) {
                            wire.queue.send();
                            Thread.yield();
                        }
                        wire.connection.ring().commit(claim, 7);
                        while (wire.queue.hasNew()
                                && wire.queue.send() != Turn.BUSY
                                && wire.connection.ring().readable() > 0) {
                            Thread.yield();
                        }
                    }
                });
            }
            long endNs = System.nanoTime() + 30_000_000_000L;
            long expected = 4L * 5000 * 7;
            while (wire.stream.size() < expected) {
                assertThat(System.nanoTime())
                        .as("%d of %d bytes", wire.stream.size(), expected)
                        .isLessThan(endNs);
                if (wire.poll() > 0) {
                    wire.queue.send();
                }
                wire.receive();
                Thread.yield();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wire.stream.size()).isEqualTo(expected);
        }
    }
}
