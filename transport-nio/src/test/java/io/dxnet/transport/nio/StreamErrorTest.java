package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.contract.TestKeys;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.tls.ByteStream;
import io.dxnet.transport.tls.TlsChannel;
import io.dxnet.transport.tls.TlsContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An error, as for want of memory, in the middle of a write or a read under TLS: no byte arrives
 * twice, and the connection fails where some are lost.
 */
@Timeout(60)
class StreamErrorTest {
    private static final int BYTES = 1000;
    private static final int STEPS = 3;
    private static final int SIGNALS = 1;

    /** A channel that throws as the JDK where it has no memory for a copy. */
    private static final class Faulty implements ByteChannel {
        private final SocketChannel channel;
        private boolean isFaulty;
        private int readsMax = Integer.MAX_VALUE; // the next one throws

        Faulty(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            if (isFaulty) {
                isFaulty = false;
                throw new OutOfMemoryError("of the test");
            }
            return channel.write(source);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            if (readsMax-- == 0) {
                throw new OutOfMemoryError("of the test");
            }
            return channel.read(target);
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 14);
    private FakeNode node;
    private SocketChannel near;
    private SocketChannel far;
    private Faulty net;
    private ByteStream stream;
    private TlsChannel reader;
    private FakeConnection connection;
    private NioConnection owner;

    @BeforeEach
    void open() throws Exception {
        node = FakeNode.start(1);
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            near = SocketChannel.open(listener.getLocalAddress());
            far = listener.accept();
        }
        near.configureBlocking(false);
        far.configureBlocking(false);
        TestKeys keys = TestKeys.shared();
        TlsContext context = TlsContext.load(keys.store("node"), keys.store("trust"), TestKeys.PASSWORD.toCharArray());
        net = new Faulty(near);
        TlsChannel writer = new TlsChannel(net, context.connecting(2));
        reader = new TlsChannel(far, context.accepting());
        while (writer.handshake() != TlsChannel.Step.DONE | reader.handshake() != TlsChannel.Step.DONE) {
            Thread.onSpinWait();
        }
        stream = ByteStream.secured(near, writer);
        connection = FakeConnection.create(node, 2);
        Connections<NioConnection> connections = new Connections<>((each, id) -> null);
        owner = new NioConnection(connection, 1, new SelectorAgent(node, connections, NioOptions.from(Map.of())));
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
        node.close();
    }

    /** Reads to the end of the stream, which {@code finish} has to send. */
    private byte[] readAll() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer some = ByteBuffer.allocate(1 << 14);
        for (int bytes = 0; bytes >= 0; bytes = reader.read(some.clear())) {
            all.write(some.array(), 0, bytes);
        }
        return all.toByteArray();
    }

    @Test
    void shouldEncryptDataOnceWhereAnErrorInterruptsTheWrite() throws IOException {
        OutgoingPipe pipe = new OutgoingPipe(owner, stream);
        assertThat(connection.trySend(BYTES)).isTrue();
        net.isFaulty = true;
        assertThatThrownBy(pipe::sendByAgent).isInstanceOf(OutOfMemoryError.class);
        assertThat(owner.failure()).isEqualTo(NioConnection.INTERRUPTED);
        pipe.sendByAgent();
        pipe.finish(scratch);
        assertThat(readAll()).hasSize(BYTES);
    }

    /** What is decrypted is lost then: the stream would have a gap. */
    @Test
    void shouldFailWhereAnErrorInterruptsTheReadOfData() throws IOException {
        reader.write(ByteBuffer.allocate(64 << 10)); // several records: more than one read
        IncomingPipe pipe = new IncomingPipe(owner, stream, node);
        net.readsMax = 1;
        assertThatThrownBy(pipe::read).isInstanceOf(OutOfMemoryError.class);
        assertThat(owner.failure()).isEqualTo(Pipe.READ_INTERRUPTED);
        assertThat(pipe.read()).isZero();
    }

    @Test
    void shouldFailWhereAnErrorInterruptsTheReadOfSteps() throws IOException {
        reader.write(ByteBuffer.allocate(64 << 10));
        OutgoingPipe pipe = new OutgoingPipe(owner, stream);
        net.readsMax = 1;
        assertThatThrownBy(() -> pipe.readFlowControl(scratch)).isInstanceOf(OutOfMemoryError.class);
        assertThat(owner.failure()).isEqualTo(Pipe.READ_INTERRUPTED);
    }

    @Test
    void shouldFailWhereAnErrorInterruptsAFlush() throws IOException {
        OutgoingPipe pipe = new OutgoingPipe(owner, stream);
        near.setOption(StandardSocketOptions.SO_SNDBUF, 4 << 10);
        int sent = 0;
        while (stream.isFlushed()) {
            sent += connection.trySend(BYTES) ? BYTES : 0;
            pipe.sendByAgent();
        }
        net.isFaulty = true;
        assertThatThrownBy(pipe::sendByAgent).isInstanceOf(OutOfMemoryError.class);
        assertThat(owner.failure()).isEqualTo(NioConnection.INTERRUPTED);
        assertThat(sent).isPositive();
    }

    @Test
    void shouldEncryptStepsAndSignalsOnceWhereAnErrorInterruptsTheWrite() throws IOException {
        IncomingPipe pipe = new IncomingPipe(owner, stream, node);
        connection.returnFlowControl(STEPS);
        connection.returnSignals(SIGNALS);
        try (Selector selector = Selector.open()) {
            pipe.channel().register(selector, pipe);
            net.isFaulty = true;
            assertThatThrownBy(() -> pipe.writeFlowControl(scratch)).isInstanceOf(OutOfMemoryError.class);
            assertThat(owner.failure()).isEqualTo(NioConnection.INTERRUPTED);
            pipe.writeFlowControl(scratch);
            pipe.finish(scratch);
        }
        assertThat(readAll()).containsExactly(STEPS, IncomingPipe.FC_SIGNALS, SIGNALS);
    }
}
