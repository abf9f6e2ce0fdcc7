package io.dxnet.runtime.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dxnet.ConnectionLostException;
import io.dxnet.Disconnect.Reason;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.transport.Transport;
import io.dxnet.transport.ring.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One poll of the control thread after the other, on the test's thread. */
class BarriersTest {
    private final PeerConnection connection = Buffers.connection(1);
    private final List<BooleanSupplier> polls = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final Completions completions = new Completions("test-completer", (what, error) -> errors.add(what));
    private final Barriers barriers = new Barriers(
            Stub.of(Connections.class, Map.of("connections", List.of(connection))),
            polls::add,
            completions,
            Stub.of(Transport.class));

    @BeforeEach
    void send() {
        connection.life().startOpening();
        assertThat(connection.outgoingOpened()).isTrue();
        connection.ring().commit(connection.ring().tryClaim(16, Window.OBSERVED), 16);
    }

    @AfterEach
    void close() {
        completions.close(1_000_000_000);
        assertThat(errors).isEmpty();
    }

    private boolean poll() {
        return polls.getLast().getAsBoolean();
    }

    private static void await(CompletableFuture<Void> future) throws Exception {
        future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldCompleteWithTheAnswer() throws Exception {
        CompletableFuture<Void> future = barriers.whenHandled(1);
        assertThat(poll()).isFalse();
        assertThat(connection.isBarrierWritten()).isTrue();
        assertThat(poll()).isFalse();
        assertThat(future).isNotDone();
        connection.signalsReceived(ConnectionLife.PASSED);
        assertThat(poll()).isTrue();
        await(future);
    }

    /** Calls that come while a barrier is outstanding share the next one. */
    @Test
    void shouldAnswerALaterCallWithALaterBarrier() throws Exception {
        CompletableFuture<Void> first = barriers.whenHandled(1);
        poll();
        CompletableFuture<Void> second = barriers.whenHandled(1);
        assertThat(polls).hasSize(1);
        connection.signalsReceived(ConnectionLife.PASSED);
        assertThat(poll()).isFalse();
        await(first);
        assertThat(second).isNotDone();
        connection.signalsReceived(ConnectionLife.PASSED);
        assertThat(poll()).isTrue();
        await(second);
    }

    /**
     * A streaming thread writes the barrier; its answer and the end of the connection come before
     * the control thread's next poll.
     */
    @Test
    void shouldCompleteWithAnAnswerThatCameBeforeTheEnd() throws Exception {
        assertThat(connection.ring().tryLock()).isTrue();
        CompletableFuture<Void> future = barriers.whenHandled(1);
        assertThat(poll()).isFalse();
        assertThat(connection.isBarrierWritten()).isFalse();
        StreamMarks.writeRequestedBarrier(connection);
        connection.ring().unlock();
        connection.signalsReceived(ConnectionLife.PASSED);
        connection.life().abort(Reason.LOST, "test", connection);
        assertThat(poll()).isTrue();
        await(future);
    }

    @Test
    void shouldFailWhenTheConnectionEndsWithoutAnAnswer() {
        CompletableFuture<Void> future = barriers.whenHandled(1);
        poll();
        connection.life().abort(Reason.LOST, "the link broke", connection);
        assertThat(poll()).isTrue();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> await(future))
                .withCauseInstanceOf(ConnectionLostException.class)
                .withMessageContaining("the link broke");
    }
}
