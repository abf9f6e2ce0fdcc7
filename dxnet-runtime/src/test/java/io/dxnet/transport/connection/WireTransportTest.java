package io.dxnet.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.PairedAgentTest.Paired;
import io.dxnet.transport.connection.PairedAgentTest.TestAgent;
import io.dxnet.transport.connection.WireConnectionTest.Engine;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ends that the engine begins, without a wire. */
@Timeout(60)
class WireTransportTest {
    private static final int NODE = 7;

    private static final class Configured extends Engine {
        Configured() {
            super(NODE);
        }

        @Override
        public DXNetConfig config() {
            return DXNetConfig.builder().build();
        }
    }

    /** Once closed, it has no memory for the rest. */
    private static final class Failing extends Paired {
        Failing(Connection connection, long id, TestAgent agent) {
            super(connection, id, agent);
        }

        @Override
        public synchronized boolean close(ConnectionState end) {
            if (super.close(end)) {
                throw new OutOfMemoryError("the test wants it");
            }
            return false;
        }
    }

    private static final class TestTransport extends WireTransport<Paired> {
        private final TestAgent agent = new TestAgent(context, connections(), 0);

        TestTransport(TransportContext context) {
            super(context);
        }

        @Override
        protected Paired create(Connection connection, long id) {
            return new Failing(connection, id, agent);
        }

        @Override
        protected void open(Paired c, InetSocketAddress address, long deadlineNs) {
            throw new AssertionError();
        }

        @Override
        protected TestAgent agent() {
            return agent;
        }

        @Override
        public void start() {}

        @Override
        public String describe() {
            return "the test's";
        }
    }

    private final Configured engine = new Configured();
    private final TestTransport transport = new TestTransport(engine);
    private final Paired paired = transport.connections().of(engine);

    @AfterEach
    void close() {
        transport.close();
    }

    /** Else nothing would free it: a second call finds it closed. */
    @ParameterizedTest
    @EnumSource(Transport.Close.class)
    void shouldFreeWhatAnErrorInterruptedTheEndOf(Transport.Close end) throws Exception {
        assertThatThrownBy(() -> transport.close(engine, end)).isInstanceOf(OutOfMemoryError.class);
        transport.agent.doWork();
        assertThat(paired.state()).isEqualTo(ConnectionState.FREED);
    }

    @Test
    void shouldFreeItAtOnceWhereNoThreadDoes() {
        transport.finishAll();
        Configured late = new Configured();
        Paired latePaired = transport.connections().of(late);
        assertThatThrownBy(() -> transport.close(late, Transport.Close.AT_ONCE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(latePaired.state()).isEqualTo(ConnectionState.FREED);
    }
}
