package io.dxnet.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.contract.TestConnection;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.PairingDecision.Stage;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a connection without a wire. */
class WireConnectionTest {
    private static final long LONG_MS = 600_000;

    /** A connection of the engine, and the engine. */
    static class Engine extends TestConnection implements TransportContext {
        private boolean open = true;
        private int released;
        final List<String> lost = new ArrayList<>();
        Runnable onLost = () -> {};

        Engine() {
            this(7);
        }

        Engine(int nodeId) {
            super(nodeId, null);
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void released() {
            released++;
        }

        @Override
        public void connectionLost(Connection connection, String detail) {
            assertThat(connection).isSameAs(this);
            lost.add(detail);
            onLost.run();
        }

        @Override
        public void flowControlReceived(int count) {
            throw new AssertionError();
        }

        @Override
        public DXNetConfig config() {
            throw new AssertionError();
        }

        @Override
        public NodeMap nodeMap() {
            throw new AssertionError();
        }

        @Override
        public long incarnation() {
            throw new AssertionError();
        }

        @Override
        public void refused(String cause, String from) {}

        @Override
        public NodeSecurity security() {
            return new NoSecurity(SecurityMode.LOCAL);
        }

        @Override
        public AgentThreads agentThreads() {
            throw new AssertionError();
        }

        @Override
        public IncomingBufferPool pool() {
            throw new AssertionError();
        }

        @Override
        public boolean offer(Connection connection, IncomingBuffer buffer) {
            throw new AssertionError();
        }

        @Override
        public Connection incoming(int nodeId, long incarnation, Connection expected) {
            throw new AssertionError();
        }

        @Override
        public void incomingReady(Connection connection, Directions ready) {
            throw new AssertionError();
        }

        @Override
        public void error(String what, Throwable error) {
            throw new AssertionError(what, error);
        }
    }

    static final class Wire extends WireConnection<Wire> {
        final List<String> calls = new ArrayList<>();
        private final AtomicInteger failures = new AtomicInteger();

        Wire(Connection connection, long id, int uses) {
            super(connection, id, uses);
        }

        @Override
        protected void dataPosted() {
            throw new AssertionError();
        }

        @Override
        protected boolean sendNow() {
            throw new AssertionError();
        }

        @Override
        protected void flowControlPosted() {
            throw new AssertionError();
        }

        @Override
        protected void failed() {
            failures.incrementAndGet();
            assertThat(failure()).as("known before it is reported").isNotNull();
        }

        @Override
        protected void stopReceiving() {
            calls.add("stop");
        }

        @Override
        protected void finish() {
            if (advance(ConnectionState.FREED)) {
                calls.add("finish");
            }
        }
    }

    private final Engine engine = new Engine();
    private final Wire wire = new Wire(engine, 3, 2);

    /** A connection in any state, by the shortest way. */
    private Wire in(ConnectionState state) {
        Wire made = new Wire(engine, 3, 2);
        if (state == ConnectionState.LOST) {
            made.advance(ConnectionState.FAILED);
        }
        made.advance(state);
        assertThat(made.state()).isEqualTo(state);
        return made;
    }

    @ParameterizedTest
    @EnumSource(ConnectionState.class)
    void shouldAdvanceAsTheDiagramAllows(ConnectionState from) {
        for (ConnectionState to : ConnectionState.values()) {
            Wire made = in(from);
            assertThat(made.advance(to)).as("%s to %s", from, to).isEqualTo(from.leadsTo(to));
            assertThat(made.state()).isEqualTo(from.leadsTo(to) ? to : from);
        }
    }

    @ParameterizedTest
    @EnumSource(ConnectionState.class)
    void shouldFailOnceFromEveryStateAndNotLeaveAnEnd(ConnectionState from) {
        Wire made = in(from);
        made.fail("first");
        made.fail("second");
        assertThat(made.failure()).isEqualTo("first");
        assertThat(made.failures).hasValue(1);
        assertThat(made.state()).isEqualTo(from.isAlive() ? ConnectionState.FAILED : from);
    }

    @ParameterizedTest
    @EnumSource(ConnectionState.class)
    void shouldCloseEveryStateInOrderOrAtOnce(ConnectionState from) {
        for (ConnectionState end : new ConnectionState[] {ConnectionState.LINGERING, ConnectionState.CLOSED}) {
            Wire made = in(from);
            boolean closes = from.compareTo(end) < 0;
            assertThat(made.close(end)).as("%s to %s", from, end).isEqualTo(closes);
            assertThat(made.state()).isEqualTo(closes ? end : from);
            assertThat(made.close(end)).as("again").isFalse();
        }
    }

    @Test
    void shouldNotReportALossWhereItDidNotFail() {
        assertThat(wire.reportLoss(engine, true, 0, 0)).isTrue();
        assertThat(engine.lost).isEmpty();
    }

    @Test
    void shouldReportALossOnceWhatArrivedIsPassedOn() {
        wire.fail("broken");
        assertThat(wire.reportLoss(engine, false, 0, LONG_MS)).isFalse();
        assertThat(wire.state()).isEqualTo(ConnectionState.FAILED);
        assertThat(wire.calls).isEmpty();
        assertThat(wire.reportLoss(engine, true, 0, LONG_MS)).isTrue();
        assertThat(wire.state()).isEqualTo(ConnectionState.LOST);
        assertThat(wire.calls).as("nothing arrives after the report").containsExactly("stop");
        assertThat(engine.lost).containsExactly("broken");
        assertThat(wire.reportLoss(engine, true, 0, 0)).isTrue();
        assertThat(engine.lost).hasSize(1);
    }

    @Test
    void shouldReportALossWhenTheTimeIsUp() {
        wire.fail("broken");
        assertThat(wire.reportLoss(engine, false, 0, 0)).isTrue();
        assertThat(engine.lost).containsExactly("broken");
    }

    @Test
    void shouldWaitTheShortestTimeAlthoughNothingIsLeft() {
        wire.fail("broken");
        assertThat(wire.reportLoss(engine, true, LONG_MS, LONG_MS)).isFalse();
        assertThat(engine.lost).isEmpty();
    }

    @Test
    void shouldNotReportTheLossOfAClosedConnection() {
        wire.fail("broken");
        wire.close(ConnectionState.LINGERING);
        assertThat(wire.reportLoss(engine, true, 0, 0)).isTrue();
        assertThat(engine.lost).isEmpty();
    }

    @Test
    void shouldLingerOnce() {
        assertThat(wire.isLingering()).isFalse();
        assertThat(wire.beginLingering(LONG_MS)).isTrue();
        assertThat(wire.isLingering()).isTrue();
        assertThat(wire.isLingerOver()).isFalse();
        assertThat(wire.beginLingering(0)).as("the first time limit holds").isFalse();
        assertThat(wire.isLingerOver()).isFalse();
    }

    @Test
    void shouldLingerNoLongerThanItsTime() {
        wire.beginLingering(0);
        while (!wire.isLingerOver()) {
            Thread.onSpinWait(); // a nanosecond
        }
        assertThat(wire.isLingering()).isTrue();
    }

    @Test
    void shouldReleaseWithTheLastUse() {
        wire.release();
        assertThat(engine.released).isZero();
        wire.release();
        assertThat(engine.released).isEqualTo(1);
    }

    @Test
    void shouldCloseTheHandshakesChannel() throws IOException {
        try (SocketChannel first = SocketChannel.open();
                SocketChannel second = SocketChannel.open()) {
            assertThat(wire.handshake(first)).isTrue();
            assertThat(wire.handshake(null)).as("that handshake is over").isTrue();
            assertThat(wire.handshake(second)).isTrue();
            wire.close(ConnectionState.LINGERING);
            assertThat(first.isOpen()).isTrue();
            assertThat(second.isOpen()).isFalse();
            assertThat(wire.handshake(first)).as("it is closed").isFalse();
            wire.close(ConnectionState.CLOSED);
            assertThat(first.isOpen()).as("one that came too late").isFalse();
        }
    }

    @Test
    void shouldShowHowFarItsEndHasCome() {
        assertThat(wire.stage()).isEqualTo(Stage.OPEN);
        assertThat(wire.isInUse()).isTrue();
        engine.open = false;
        assertThat(wire.stage()).isEqualTo(Stage.ENDING);
        assertThat(wire.isInUse()).isFalse();
        wire.close(ConnectionState.LINGERING);
        assertThat(wire.stage()).isEqualTo(Stage.CLOSED);
        assertThat(wire.isClosed()).isTrue();
    }

    /** Threads report failures while one closes: one of them is first, and the end stays. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldKeepTheEndWhenManyThreadsFail() throws Exception {
        for (int round = 0; round < 500; round++) {
            Wire made = new Wire(engine, round, 2);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                String detail = "failure " + t;
                threads.add(Thread.ofPlatform().start(() -> made.fail(detail)));
            }
            threads.add(Thread.ofPlatform().start(() -> made.close(ConnectionState.LINGERING)));
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(made.failures).hasValue(1);
            assertThat(made.state()).isEqualTo(ConnectionState.LINGERING);
        }
    }

    @Test
    void shouldKeepTheConnectionsOfANodeNewestFirst() {
        Connections<Wire> connections = new Connections<>((connection, id) -> new Wire(connection, id, 1));
        Wire first = connections.of(new Engine(65535));
        Wire second = connections.of(new Engine(65535));
        Wire third = connections.of(new Engine(65535));
        Wire other = connections.of(new Engine(0));
        assertThat(connections.all()).containsExactly(other, third, second, first);
        connections.remove(second);
        connections.remove(second);
        assertThat(connections.first(65535)).isSameAs(third);
        assertThat(third.next()).isSameAs(first);
        connections.remove(third);
        assertThat(connections.first(65535)).isSameAs(first);
        connections.remove(first);
        assertThat(connections.first(65535)).isNull();
        assertThat(connections.all()).containsExactly(other);
    }

    @Test
    void shouldMakeOneStateForAConnectionWithAHigherIdThanAllBefore() {
        Connections<Wire> connections = new Connections<>((connection, id) -> new Wire(connection, id, 1));
        Engine second = new Engine();
        assertThat(connections.attached(engine)).isNull();
        assertThat(connections.first(7)).isNull();
        Wire first = connections.of(engine);
        assertThat(connections.of(engine)).isSameAs(first).isSameAs(connections.attached(engine));
        long attempt = connections.nextId();
        Wire later = connections.of(second);
        assertThat(first.pairing().id()).isLessThan(attempt);
        assertThat(attempt).isLessThan(later.pairing().id());
        assertThat(connections.first(7)).isSameAs(later);
        assertThat(later.next()).isSameAs(first);
    }
}
