package io.dxnet.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.WireConnectionTest.Engine;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of connections whose directions are opened apart, without a wire. */
@Timeout(60)
class PairedAgentTest {
    private static final int NODE = 7;
    private static final long LONG_MS = 600_000;

    static final class Incoming extends IncomingDirection {
        private int finishes;
        private boolean accepted;

        Incoming(Paired owner, TransportContext context) {
            super(owner, context);
        }

        @Override
        protected boolean retry() {
            accepted = resume();
            return accepted;
        }

        @Override
        protected boolean hasEnded() {
            return false;
        }

        @Override
        protected void quiet() {}

        @Override
        protected boolean finish(ByteBuffer scratch) {
            finishes++;
            return true;
        }

        @Override
        protected void close() {}
    }

    static class Paired extends PairedConnection<Paired, OutgoingDirection, Incoming> {
        Paired(Connection connection, long id, TestAgent agent) {
            super(connection, id, agent);
        }
    }

    static final class TestAgent extends PairedAgent<Paired> {
        int applied; // interests
        Error failure; // of the next one

        TestAgent(TransportContext context, Connections<Paired> connections, long lingerMs) {
            super(context, connections, lingerMs, 16);
        }

        @Override
        public String role() {
            return "test";
        }

        @Override
        protected void apply(Paired c, int bits) {
            Error thrown = failure;
            failure = null;
            if (thrown != null) {
                throw thrown;
            }
            applied |= bits;
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
    }

    private static final class Configured extends Engine {
        private int offers; // so many are refused, then one throws
        private int refusals;

        Configured() {
            super(NODE);
        }

        /** Its agents do not park for two minutes, longer than a test may last. */
        @Override
        public DXNetConfig config() {
            return DXNetConfig.builder()
                    .idleSpinUs(60_000_000)
                    .idleYieldUs(60_000_000)
                    .build();
        }

        @Override
        public boolean offer(Connection connection, IncomingBuffer buffer) {
            if (offers++ == refusals) {
                throw new OutOfMemoryError("the test wants it");
            }
            return offers > refusals;
        }
    }

    private final Configured engine = new Configured();
    private final Connections<Paired> connections = new Connections<>((each, id) -> new Paired(each, id, agent()));
    private final TestAgent agent = new TestAgent(engine, connections, LONG_MS);
    private final Paired paired = connections.of(engine);
    private final Incoming incoming = new Incoming(paired, engine);

    private TestAgent agent() {
        return agent;
    }

    @AfterEach
    void close() {
        incoming.open();
        agent.close();
    }

    private void attach() {
        Hello hello = new Hello(NODE, 1, 5, 6, 0, 1024, 50, "dxnet", "test", new byte[0]);
        assertThat(paired.attachIncoming(hello, () -> incoming)).isTrue();
    }

    /** What an end writes into the channel would be read in place of the reply. */
    @Test
    void shouldEndADirectionOnceItsReplyIsSent() throws IOException {
        attach();
        assertThat(paired.close(ConnectionState.LINGERING)).isTrue();
        agent.post(NODE, Interest.CLOSE);
        agent.doWork();
        agent.doWork();
        assertThat(incoming.finishes).isZero();
        assertThat(paired.state()).isEqualTo(ConnectionState.LINGERING);
        incoming.open();
        agent.doWork();
        assertThat(incoming.finishes).isEqualTo(1);
        assertThat(paired.state()).isEqualTo(ConnectionState.FREED);
    }

    /** No event ends what it waits for. */
    @Test
    void shouldVisitAnAttendedConnectionSoonAlsoWhereTheAgentPolls() throws IOException {
        attach();
        engine.refusals = Integer.MAX_VALUE;
        incoming.offer(new IncomingBuffer(returned -> {}, MemorySegment.ofArray(new byte[1])));
        agent.post(NODE, Interest.READ);
        assertThat(agent.doWork()).as("a busy phase begins").isPositive();
        agent.await(TimeUnit.HOURS.toNanos(1));
        int before = engine.offers;
        agent.doWork();
        assertThat(engine.offers).isEqualTo(before + 1);
    }

    /** Else a channel would never be registered, and its connection would stand still. */
    @Test
    void shouldApplyInTheNextCycleWhatAFullHeapInterrupted() throws IOException {
        agent.failure = new OutOfMemoryError("the test wants it");
        agent.post(NODE, Interest.OPENED);
        assertThatThrownBy(agent::doWork).isInstanceOf(OutOfMemoryError.class);
        assertThat(agent.applied).isZero();
        agent.doWork();
        assertThat(agent.applied).isEqualTo(Interest.OPENED);
        agent.applied = 0;
        agent.doWork();
        assertThat(agent.applied).as("once").isZero();
    }

    /** Else data would be missing, or be there twice, without a report. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldFailOnceTheEngineHasThrown(int refusals) throws IOException {
        attach();
        engine.refusals = refusals;
        IncomingBuffer buffer = new IncomingBuffer(
                returned -> {
                    throw new AssertionError("the engine may have it");
                },
                MemorySegment.ofArray(new byte[1]));
        assertThatThrownBy(() -> {
                    incoming.offer(buffer);
                    agent.doWork();
                })
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(paired.failure()).contains("an error interrupted it");
        agent.doWork();
        assertThat(engine.lost).hasSize(1);
        assertThat(engine.offers).isEqualTo(refusals + 1);
        assertThat(incoming.accepted).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldOpenWithTheNextAttemptADirectionThatCouldNotBeMade(boolean isIncomingOpen) {
        if (isIncomingOpen) {
            attach();
        }
        Reply reply = Reply.accepting(5, 6, PairedOpening.NO_PAYLOAD);
        assertThatThrownBy(() -> paired.attachOutgoing(reply, () -> {
                    throw new OutOfMemoryError("the test wants it");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(paired.outgoing()).isNull();
        assertThat(paired.pairing().peer().isKnown()).isEqualTo(isIncomingOpen);
        assertThat(paired.pairing().attachOutgoing(new PeerIdentity(5, 6))).isTrue();
    }
}
