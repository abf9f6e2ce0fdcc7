package io.dxnet.runtime.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect.Reason;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.connect.RingMemory;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.send.StreamOpener;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The connection ends in order while its transport is called for the request, so
 * before the request is marked as sent. The control thread's polls are the test's.
 */
class RequesterTest {
    private static final class Answer extends Response {}

    private static final class Ask extends Request<Answer> {
        Ask() {
            super(1, 1, 2);
        }
    }

    private final DXNetConfig config =
            DXNetConfig.builder().ringBytes(32 << 10).closeTimeoutMs(60_000).build();
    private final List<String> errors = new ArrayList<>();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final ControlAgent control = new ControlAgent(0, requests, (what, error) -> errors.add(what));
    private final ConnectionManager connections =
            new ConnectionManager(config, new NodeMap(0), 8, 1, new RingMemory(config.ringBytes()), requests, control);
    private final Completions completions = new Completions("test-completer", (what, error) -> errors.add(what));
    private final IdleStrategies strategies = new IdleStrategies(config);
    private Runnable whilePosting = () -> {};
    private final Transport transport = Stub.of(Transport.class, Map.of("dataPosted", (Supplier<?>) () -> {
        whilePosting.run();
        return null;
    }));
    private final Requester requester = new Requester(
            requests,
            connections,
            new Sender(config, key -> false, transport, strategies, connections, Stub.of(StreamOpener.class)),
            Stub.of(Requester.Driver.class),
            strategies,
            completions);
    private PeerConnection connection;

    @BeforeEach
    void connect() throws Exception {
        connections.wire(transport, connection -> {}, () -> 0);
        connection = connections.connectionTo(1);
        connection.life().startOpening();
        assertThat(connection.outgoingOpened()).isTrue();
    }

    @AfterEach
    void close() {
        completions.close(1_000_000_000);
        assertThat(errors).isEmpty();
    }

    private void end() {
        ConnectionLife life = connection.life();
        life.end(Reason.DISMISSED, System.nanoTime());
        life.handoverWritten();
        life.received(ConnectionLife.SEEN, System.nanoTime());
        life.goodbyeWritten();
        life.received(ConnectionLife.HANDLED, System.nanoTime());
        connections.lost(connection, Reason.DISMISSED, "dismissed by the test");
        assertThat(life.isDelivered()).isTrue();
    }

    private CompletableFuture<Answer> ask() {
        return requester.sendAsync(new Ask(), Duration.ofDays(1));
    }

    private static void assertFailed(CompletableFuture<Answer> future, Class<?> with, String text) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> future.get(60, TimeUnit.SECONDS))
                .withCauseInstanceOf(with.asSubclass(Throwable.class))
                .withMessageContaining(text);
    }

    @Test
    void shouldReportALossWithItsReason() {
        whilePosting = this::end;
        assertFailed(ask(), ConnectionLostException.class, "was answered: dismissed by the test");
        assertThat(requests.outstanding()).isZero();
    }

    @Test
    void shouldReportThatThisNodeWasClosed() {
        whilePosting = () -> {
            connections.finishAll(System.nanoTime() + TimeUnit.DAYS.toNanos(1));
            end();
        };
        assertFailed(ask(), NetClosedException.class, "was closed before");
        assertThatExceptionOfType(NetClosedException.class)
                .as("of another call")
                .isThrownBy(() -> requester.sendSync(new Ask(), Duration.ofDays(1)));
    }

    @Test
    void shouldWaitForTheResponsesThatAreNotHandledYet() throws Exception {
        whilePosting = () -> {
            connection.unhandledResponses().incrementAndGet();
            end();
        };
        CompletableFuture<Answer> answered = ask();
        control.progress();
        assertThat(requests.outstanding()).isOne();
        Answer answer = new Answer();
        assertThat(requests.complete(0, connection, answer)).isTrue();
        connection.unhandledResponses().decrementAndGet();
        control.progress();
        assertThat(answered.get(60, TimeUnit.SECONDS)).isSameAs(answer);
    }

    @Test
    void shouldReportALossWhenNoneOfThoseResponsesIsItsOwn() {
        whilePosting = () -> {
            connection.unhandledResponses().incrementAndGet();
            end();
        };
        CompletableFuture<Answer> unanswered = ask();
        control.progress();
        assertThat(unanswered).isNotDone();
        connection.unhandledResponses().decrementAndGet();
        control.progress();
        assertFailed(unanswered, ConnectionLostException.class, "dismissed by the test");
    }

    /** After the close, no thread may call the control thread's polls. */
    @Test
    void shouldNotWaitForResponsesAfterTheClose() {
        whilePosting = () -> {
            connection.unhandledResponses().incrementAndGet();
            connections.finishAll(System.nanoTime());
            end();
            connections.close();
        };
        assertFailed(ask(), NetClosedException.class, "was closed before");
    }

    /** A thread that no longer waits for the answer must not have another node work for it. */
    @Test
    void shouldNotSendARequestWhoseTimeIsOver() throws Exception {
        OutgoingRingBuffer ring = connection.ring();
        while (ring.tryClaim(64, Window.IGNORED) >= 0) {
            // until it is full: nothing is committed, so that nothing is sent
        }
        assertThatExceptionOfType(SendTimeoutException.class)
                .isThrownBy(() -> requester.sendSync(new Ask(), Duration.ofMillis(20)))
                .withMessageContaining("was not sent");
        assertFailed(requester.sendAsync(new Ask(), Duration.ofMillis(20)), SendTimeoutException.class, "was not sent");
        assertThat(requests.outstanding()).isZero();
    }
}
