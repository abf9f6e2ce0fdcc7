package io.dxnet.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.RawPeer;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.PairedAgentTest.Incoming;
import io.dxnet.transport.connection.PairedAgentTest.Paired;
import io.dxnet.transport.connection.PairedAgentTest.TestAgent;
import io.dxnet.transport.connection.WireConnectionTest.Engine;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.AcceptorOptions;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error, as for want of memory, while another node's direction is opened. */
@Timeout(60)
class PairedAdmissionTest {
    private static final int OWN = 1;
    private static final int NODE = 7;
    private static final long LONG_MS = 600_000;

    private final DXNetConfig config = DXNetConfig.builder().build();
    private final NodeMap nodes = new NodeMap(OWN).put(OWN, new InetSocketAddress("127.0.0.1", 0));
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger factoryFaults = new AtomicInteger();
    private final AtomicInteger readyFaults = new AtomicInteger();
    private final AtomicInteger stateFaults = new AtomicInteger();
    private final AtomicInteger undone = new AtomicInteger(); // by the engine
    private final CountDownLatch lost = new CountDownLatch(1);
    private final TransportContext context = (TransportContext)
            Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {TransportContext.class}, this::context);
    private final Connections<Paired> connections = new Connections<>((each, id) -> {
        throwWhere(stateFaults);
        return new Paired(each, id, agent());
    });
    private final TestAgent agent = new TestAgent(context, connections, LONG_MS);
    private volatile Engine engine = new Engine(NODE);
    private volatile boolean openBeforeReady;
    private Acceptor acceptor;

    private TestAgent agent() {
        return agent;
    }

    private Object context(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "config" -> config;
            case "nodeMap" -> nodes;
            case "security" -> new NoSecurity(SecurityMode.LOCAL);
            case "incarnation" -> 4711L;
            case "incoming" -> engine;
            case "incomingReady" -> {
                openBeforeReady |= connections.of(engine).incoming().isOpen();
                yield throwWhere(readyFaults);
            }
            case "connectionLost" -> {
                lost.countDown();
                yield null;
            }
            case "error" -> errors.add(arguments[0] + ": " + arguments[1]) ? null : null;
            case "incomingFailed" -> undone.incrementAndGet() > 0 ? null : null;
            case "refused" -> null;
            default -> throw new AssertionError(method);
        };
    }

    private static Object throwWhere(AtomicInteger faults) {
        if (faults.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
        return null;
    }

    private final class TestAdmission extends PairedAdmission<Paired> {
        TestAdmission() {
            super(PairedAdmissionTest.this.context, "test", connections);
        }

        @Override
        protected Later probe(Paired c, Hello hello) {
            return null;
        }

        @Override
        protected boolean attachIncoming(Paired c, Hello hello, ByteStream channel) {
            return c.attachIncoming(hello, () -> {
                throwWhere(factoryFaults);
                return new Incoming(c, context);
            });
        }
    }

    @BeforeEach
    void listen() {
        acceptor = Acceptor.listen(context, new TestAdmission(), new AcceptorOptions(null, 1024, 8, 8, 10_000, 0));
    }

    @AfterEach
    void close() {
        acceptor.close();
        agent.close();
    }

    private Reply greet(long connectionId) throws IOException {
        Hello hello = Hello.of(config, "test", NODE, OWN, 5, connectionId, 0, new byte[0]);
        try (RawPeer peer = new RawPeer(acceptor.address())) {
            return peer.write(hello.encode()).answer(from -> Reply.read(from::readFully));
        }
    }

    @Test
    void shouldAcceptTheNextHelloWhereTheDirectionCouldNotBeMade() throws IOException {
        factoryFaults.set(1);
        assertThat(greet(1).accepted()).isFalse();
        assertThat(errors).singleElement().asString().contains("OutOfMemoryError");
        assertThat(greet(1).accepted()).isTrue();
    }

    /** Else the engine would keep a connection that nothing ends, with its ring. */
    @Test
    void shouldUndoAConnectionThatCouldNotBeMade() throws IOException {
        stateFaults.set(1);
        assertThat(greet(1).accepted()).isFalse();
        assertThat(undone).hasValue(1);
        assertThat(greet(1).accepted()).isTrue();
        assertThat(undone).hasValue(1);
    }

    /** The engine has to order what is read of the other node's connections. */
    @Test
    void shouldReadNothingBeforeTheEngineIsNotified() throws IOException {
        assertThat(greet(1).accepted()).isTrue();
        Cluster.await(
                "the direction is open", () -> connections.of(engine).incoming().isOpen());
        assertThat(openBeforeReady).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldFailWhereTheEngineCouldNotBeNotified(int faults) throws Exception {
        readyFaults.set(faults);
        Paired failing = connections.of(engine);
        assertThat(greet(1).accepted()).isTrue();
        Cluster.await("the failure", () -> failing.failure() != null && !errors.isEmpty());
        Cluster.await("the report of the loss", () -> {
            work();
            return lost.getCount() == 0;
        });
        assertThat(agent.applied & Interest.OPENED).isNotZero();
        engine = new Engine(NODE);
        failing.close(ConnectionState.CLOSED);
        agent.post(NODE, Interest.CLOSE);
        work();
        assertThat(failing.state()).isEqualTo(ConnectionState.FREED);
        assertThat(greet(2).accepted()).isTrue();
    }

    private void work() {
        try {
            agent.doWork();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
