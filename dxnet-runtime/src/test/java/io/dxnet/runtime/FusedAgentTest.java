package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.Response;
import io.dxnet.runtime.handle.Delivery;
import io.dxnet.runtime.handle.MessageHandler;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.receive.HeaderStores;
import io.dxnet.runtime.receive.IncomingBufferQueue;
import io.dxnet.runtime.receive.MessageCreationCoordinator;
import io.dxnet.runtime.receive.ReceiveBudget;
import io.dxnet.runtime.receive.SplitMessage;
import io.dxnet.runtime.report.ReportedTypes;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.transport.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When the engine's thread lends its duty. The test's thread is both, the engine's
 * and the one that waits for a response.
 */
class FusedAgentTest {
    private static final int QUIET_CYCLES = 100;

    private final RequestMap requests = new RequestMap(16, half -> {});
    private final Buffers buffers = new Buffers();
    private final List<Throwable> errors = new ArrayList<>();
    private RuntimeException failure; // of the next cycles
    private int cycles; // of the transport
    private Runnable inCycle = () -> {};
    private FusedAgent agent;

    @AfterEach
    void close() {
        buffers.close();
    }

    @BeforeEach
    void make() {
        HeaderStores stores = new HeaderStores(64, 1);
        TypeRegistry types = new TypeRegistry(1);
        ArrayBlockingQueue<SplitMessage> splits = new ArrayBlockingQueue<>(4);
        ReceiveBudget budget = new ReceiveBudget(DXNetConfig.builder().build(), buffers.pool, null);
        MessageCreationCoordinator coordinator = new MessageCreationCoordinator(
                new IncomingBufferQueue(64, 1 << 20), stores, types::isExclusive, splits, null, budget, 8, 1000, 1000);
        Completions completions = new Completions("test-completer", (what, error) -> errors.add(error));
        MessageHandler handler = new MessageHandler(
                0, stores, new Delivery(0, 0, types, requests, new ReportedTypes(), null), splits, completions, null);
        agent = new FusedAgent(
                List.of(new Transport()), coordinator, handler, requests, 1000, (what, error) -> errors.add(error));
    }

    /** Each cycle finds something, as if it were send completions. */
    private final class Transport implements Agent {
        @Override
        public String role() {
            return "test";
        }

        @Override
        public int doWork() {
            cycles++;
            inCycle.run();
            if (failure != null) {
                throw failure;
            }
            return 1;
        }

        @Override
        public void await(long timeoutNs) {
            throw new AssertionError("nothing here waits");
        }

        @Override
        public void wakeup() {}
    }

    private PendingRequest request() {
        PendingRequest pending = new PendingRequest(
                1, "a request", Response.class, System.nanoTime() + 1_000_000_000L, Thread.currentThread());
        assertThat(requests.tryAdd(pending)).isTrue();
        return pending;
    }

    private void answer(PendingRequest pending) {
        assertThat(requests.remove(pending)).isTrue();
        pending.end(null, null);
    }

    private void cycles(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            agent.doWork();
        }
    }

    /** Another thread closes the transport then. */
    @Test
    void shouldNotReceiveForACallbackThatOutlivesTheStop() throws Exception {
        agent.progress();
        assertThat(cycles).isEqualTo(1);
        AtomicBoolean isHeld = new AtomicBoolean();
        inCycle = () -> isHeld.set(!agent.stopReceiving(0));
        agent.progress();
        assertThat(isHeld).as("it waits for a cycle that is under way").isTrue();
        assertThat(agent.stopReceiving(0)).isTrue();
        agent.progress();
        assertThat(cycles).isEqualTo(2);
    }

    @Test
    void shouldLendToOneThatAsksAgainAndAgain() throws Exception {
        PendingRequest first = request();
        assertThat(agent.drive(first)).isFalse();
        cycles(QUIET_CYCLES);
        answer(first);
        cycles(1);
        assertThat(agent.driver()).as("none, the duty is lent").isNull();

        PendingRequest second = request();
        answer(second);
        assertThat(agent.drive(second)).as("driven by the waiting thread").isTrue();
    }

    @Test
    void shouldNotLendWhileTheOnlyWaiterSleeps() throws Exception {
        PendingRequest sleeping = request();
        assertThat(agent.drive(sleeping)).isFalse(); // so it parks, until its response wakes it up
        cycles(QUIET_CYCLES);
        assertThat(agent.driver()).as("the engine's thread drives").isSameAs(Thread.currentThread());
    }

    @Test
    void shouldNotLendWhenNobodyAsked() throws Exception {
        PendingRequest asynchronous = request();
        cycles(QUIET_CYCLES);
        answer(asynchronous);
        cycles(QUIET_CYCLES);
        assertThat(agent.driver()).isSameAs(Thread.currentThread());
    }

    @Test
    void shouldForgetWhoAskedWhileOthersHadRequests() throws Exception {
        PendingRequest mine = request();
        PendingRequest another = request();
        assertThat(agent.drive(mine)).isFalse();
        cycles(QUIET_CYCLES);
        answer(mine);
        answer(another);
        cycles(QUIET_CYCLES);
        assertThat(agent.driver()).isSameAs(Thread.currentThread());
    }

    /** A failure of a stage is none of the request that happens to drive it. */
    @Test
    void shouldReportAndHandBackWhenAStageFailsWhileAThreadDrives() throws Exception {
        PendingRequest first = request();
        agent.drive(first);
        cycles(QUIET_CYCLES);
        answer(first);
        cycles(1);
        PendingRequest second = request();
        failure = new IllegalStateException("a stage");
        assertThat(agent.drive(second)).isTrue();
        assertThat(errors).containsExactly(failure);
        assertThat(requests.outstanding()).isEqualTo(1);
        assertThat(agent.driver()).as("handed back").isNull();
        errors.clear();
        assertThat(agent.progress()).isZero();
        assertThat(errors).as("in a callback that waits").containsExactly(failure);
    }
}
