package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An error while received data is kept, most likely for want of memory: the agent continues, the
 * data is lost, and so its connection ends. Nothing is delivered beyond the gap.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CutStreamTest {
    private static final int RECEIVER = 0;
    private static final int SENDER = 1;
    private static final int MESSAGES = 8;
    /** The size of the receive pool's buffers. */
    private static final int RECEIVE_BUFFER = 4096;

    private static final int LARGE = 6000;

    private final ByteArrayOutputStream delivered = new ByteArrayOutputStream();
    private final List<Throwable> thrown = new ArrayList<>();
    private final AtomicInteger until = new AtomicInteger(); // the error
    private FakeEngine receiver;
    private FakeEngine sender;
    private FakeEngine.FakeConnection connection; // the sender's
    private int written;

    @BeforeEach
    void connect() throws Exception {
        List<String> addresses = Ports.addresses(2);
        receiver = FakeEngine.started(RECEIVER, addresses);
        sender = FakeEngine.started(SENDER, addresses);
        sender.connect(receiver);
        connection = sender.connection(RECEIVER);
        receiver.onData = buffer -> delivered.writeBytes(
                buffer.segment().asSlice(0, buffer.length()).toArray(ValueLayout.JAVA_BYTE));
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    private void failAt(int count) {
        until.set(count);
    }

    private void fail() {
        if (until.get() > 0 && until.decrementAndGet() == 0) {
            throw new OutOfMemoryError("the test wants it");
        }
    }

    /** Sends the next bytes of the stream as one message. */
    private void send(int bytes) {
        OutgoingRingBuffer ring = connection.ring();
        long claim = ring.tryClaim(bytes, Window.IGNORED);
        assertThat(claim).isNotNegative();
        for (int i = 0; i < bytes; i++) {
            int at = (ring.offset(claim) + i) % ring.capacity();
            ring.segment().set(ValueLayout.JAVA_BYTE, at, Wire.expected(written++));
        }
        ring.commit(claim, bytes);
        sender.transport.sendNow(connection);
    }

    /** The duty cycles of the receiver, as an engine's thread runs them. */
    private void cycle() {
        try {
            receiver.cycle();
        } catch (OutOfMemoryError e) {
            thrown.add(e);
        }
    }

    private void await(String what, BooleanSupplier isTrue) {
        Cluster.await(what, () -> {
            sender.cycle();
            cycle();
            return isTrue.getAsBoolean();
        });
    }

    private void assertCut(int bytes) {
        await("its end", () -> !receiver.lost.isEmpty() || delivered.size() > bytes);
        byte[] all = delivered.toByteArray();
        for (int i = 0; i < all.length; i++) {
            assertThat(all[i]).as("byte %d", i).isEqualTo(Wire.expected(i));
        }
        assertThat(all).hasSize(bytes);
        assertThat(receiver.lost).singleElement().asString().contains("received data could not be kept");
        assertThat(thrown).as("it is reported").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldDeliverNothingBeyondAMessageThatFindsNoMemory(int which) {
        receiver.onTake = this::fail;
        failAt(which);
        for (int i = 0; i < MESSAGES; i += 2) {
            send(10);
            send(20); // copied to the same buffer
            cycle();
        }
        assertCut(30 * (which - 1));
    }

    /** All receives are posted and the pool is empty: each part is copied out. */
    @Test
    void shouldDeliverTheFirstPartOfAMessageOnly() {
        cycle();
        receiver.onTake = this::fail;
        failAt(2);
        send(LARGE);
        send(10);
        assertCut(RECEIVE_BUFFER);
    }

    /** What confirms is a part of the message: its data is lost with it. */
    @Test
    void shouldFailWhereAConfirmationCannotBeHandled() {
        receiver.connection(SENDER).onFlowControl = this::fail;
        send(10);
        cycle();
        failAt(1);
        connection.steps.set(1);
        send(20);
        send(30);
        assertCut(10);
    }
}
