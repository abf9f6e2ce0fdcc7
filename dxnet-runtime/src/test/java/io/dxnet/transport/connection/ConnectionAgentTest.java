package io.dxnet.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.dxnet.transport.connection.WireConnectionTest.Engine;
import io.dxnet.transport.connection.WireConnectionTest.Wire;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The agent without a wire: interests, visits and ends. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConnectionAgentTest {
    private static final int NODE = 7;
    private static final long LONG_MS = 600_000;

    private static final class TestAgent extends ConnectionAgent<Wire> {
        private final List<Wire> applied = new ArrayList<>();
        private Wire broken; // whose handling throws
        private int visits;
        private int visitsWanted;
        private int lingers;
        private int lingersWanted;
        private boolean drained;
        private Error thrown; // by the next visit or end

        TestAgent(Engine engine, Connections<Wire> connections, long lingerMs) {
            super(engine, connections, lingerMs, 16);
        }

        private void mayBreak(Wire c) throws IOException {
            if (c == broken) {
                throw new IOException("the test wants it");
            }
        }

        private void mayThrow() {
            Error error = thrown;
            thrown = null;
            if (error != null) {
                throw error;
            }
        }

        @Override
        public String role() {
            return "test";
        }

        @Override
        public void await(long timeoutNs) {
            signal.park(timeoutNs);
        }

        @Override
        protected void apply(Wire c, int bits) throws IOException {
            if ((bits & Interest.WRITE) != 0) {
                mayBreak(c);
                applied.add(c);
            }
        }

        @Override
        protected void ready(SelectionKey key) {
            throw new AssertionError();
        }

        @Override
        protected int poll() {
            return 0;
        }

        @Override
        protected boolean hasWork() {
            return !isIdle();
        }

        @Override
        protected boolean visit(Wire c) {
            mayThrow();
            return ++visits < visitsWanted;
        }

        @Override
        protected boolean passLastReads(Wire c) {
            return !c.reportLoss(context, drained, 0, LONG_MS);
        }

        @Override
        protected boolean linger(Wire c) throws IOException {
            mayBreak(c);
            mayThrow();
            return ++lingers >= lingersWanted;
        }
    }

    private final Engine engine = new Engine(NODE);
    private final Connections<Wire> connections = new Connections<>((connection, id) -> new Wire(connection, id, 1));
    private final Wire wire = connections.of(engine);
    private TestAgent agent = new TestAgent(engine, connections, LONG_MS);

    @AfterEach
    void close() {
        agent.lingersWanted = 0;
        agent.close();
    }

    private void end(ConnectionState end) throws IOException {
        assertThat(wire.close(end)).isTrue();
        agent.post(NODE, Interest.CLOSE);
        agent.doWork();
    }

    private void assertFreed() {
        assertThat(wire.calls).containsExactly("finish");
        assertThat(wire.state()).isEqualTo(ConnectionState.FREED);
        assertThat(connections.first(NODE)).isNull();
    }

    private void assertLingering() {
        assertThat(wire.calls).isEmpty();
        assertThat(wire.isLingering()).isTrue();
        assertThat(connections.first(NODE)).isSameAs(wire);
    }

    @Test
    void shouldApplyAnInterestToAllConnectionsOfTheNodeThatAreNotFreed() throws IOException {
        Wire freed = connections.of(new Engine(NODE));
        freed.advance(ConnectionState.FREED);
        Wire second = connections.of(new Engine(NODE));
        connections.of(new Engine(NODE + 1));
        agent.post(NODE, Interest.WRITE);
        assertThat(agent.doWork()).isEqualTo(1);
        assertThat(agent.applied).containsExactly(second, wire);
        assertThat(agent.doWork()).isZero();
    }

    @Test
    void shouldFailTheConnectionAloneWhoseHandlingThrows() throws IOException {
        Wire second = connections.of(new Engine(NODE));
        agent.broken = second;
        agent.post(NODE, Interest.WRITE);
        agent.doWork();
        assertThat(second.failure()).isEqualTo("the test wants it");
        assertThat(agent.applied).containsExactly(wire);
        assertThat(wire.failure()).isNull();
    }

    @Test
    void shouldVisitInEveryCycleAsLongAsTheConnectionNeedsThat() throws IOException {
        agent.visitsWanted = 3;
        agent.attend(wire);
        agent.attend(wire);
        for (int i = 1; i <= 3; i++) {
            assertThat(agent.doWork()).isEqualTo(i / 3);
            assertThat(agent.visits).isEqualTo(i);
        }
        agent.doWork();
        assertThat(agent.visits).isEqualTo(3);
        agent.attend(wire);
        agent.doWork();
        assertThat(agent.visits).isEqualTo(4);
    }

    /** The engine's thread reports the error, and continues. */
    @Test
    void shouldVisitAgainAfterAnError() throws IOException {
        agent.attend(wire);
        Error error = new OutOfMemoryError("the test wants it");
        agent.thrown = error;
        assertThatThrownBy(agent::doWork).isSameAs(error);
        agent.doWork();
        assertThat(agent.visits).isEqualTo(1);
    }

    /** As where memory of a connection was cut off: the error is thrown anywhere in the cycle. */
    @Test
    void shouldLoseNothingWhereAnErrorInterruptsACycle() throws IOException {
        Wire second = connections.of(new Engine(NODE + 1));
        agent.thrown = new InternalError("the test wants it");
        agent.lingersWanted = 1;
        assertThatThrownBy(() -> end(ConnectionState.LINGERING)).isInstanceOf(InternalError.class);
        agent.resume();
        agent.doWork();
        assertThat(agent.applied).containsExactlyInAnyOrder(wire, second);
        assertThat(agent.visits).isEqualTo(1); // the second
        assertFreed();
    }

    @Test
    void shouldReportALossOnceWhatArrivedIsPassedOn() throws IOException {
        wire.fail("broken");
        agent.post(NODE, Interest.CLOSE);
        agent.doWork();
        agent.doWork();
        assertThat(engine.lost).isEmpty();
        agent.drained = true;
        agent.doWork();
        agent.doWork();
        assertThat(engine.lost).containsExactly("broken");
        assertThat(wire.state()).isEqualTo(ConnectionState.LOST);
    }

    /** The engine closes it in the report, and drives the agent from there. */
    @Test
    void shouldProceedWithAnEndThatBeginsInTheReportOfALoss() throws IOException {
        agent.drained = true;
        agent.lingersWanted = 2;
        engine.onLost = () -> {
            try {
                end(ConnectionState.LINGERING);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
        wire.fail("broken");
        agent.post(NODE, Interest.CLOSE);
        agent.doWork();
        assertThat(engine.lost).containsExactly("broken");
        agent.doWork();
        assertThat(wire.state()).isEqualTo(ConnectionState.FREED);
    }

    @Test
    void shouldFreeAClosedConnectionAtOnce() throws IOException {
        end(ConnectionState.CLOSED);
        assertFreed();
        assertThat(agent.lingers).isZero();
    }

    @Test
    void shouldFreeAConnectionWhenItsEndInOrderIsDone() throws IOException {
        agent.lingersWanted = 3;
        end(ConnectionState.LINGERING);
        agent.doWork();
        assertLingering();
        agent.doWork();
        assertFreed();
    }

    @Test
    void shouldFreeAConnectionWhoseTimeToLingerIsUp() throws IOException {
        agent = new TestAgent(engine, connections, 0);
        agent.lingersWanted = Integer.MAX_VALUE;
        end(ConnectionState.LINGERING);
        while (wire.state() != ConnectionState.FREED) {
            agent.doWork(); // the clock may not have moved on
        }
        assertThat(agent.lingers).as("the last signals were tried to be sent").isPositive();
        assertFreed();
    }

    @Test
    void shouldFreeAConnectionWhoseEndInOrderThrows() throws IOException {
        agent.broken = wire;
        end(ConnectionState.LINGERING);
        assertFreed();
        assertThat(engine.lost).as("the engine has closed it").isEmpty();
    }

    @Test
    void shouldProceedWithEndsInOrderWhenItCloses() throws IOException {
        agent.lingersWanted = 3;
        end(ConnectionState.LINGERING);
        assertLingering();
        agent.close();
        assertFreed();
        assertThat(agent.lingers).isEqualTo(3);
        assertThat(agent.doWork()).as("it is closed").isZero();
    }

    /** A list that grows, where the heap is full, loses all that is in it. */
    @Test
    void shouldAttendManyWithoutAnAllocation() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<Wire> wires = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            wires.add(new Wire(new Engine(NODE), i, 1));
        }
        agent.visitsWanted = Integer.MAX_VALUE;
        agent.attend(wire); // loads classes
        long before = threads.getCurrentThreadAllocatedBytes();
        before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            agent.attend(wires.get(i));
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
        agent.doWork();
        agent.doWork();
        assertThat(agent.visits).isEqualTo(2 * 101);
    }
}
