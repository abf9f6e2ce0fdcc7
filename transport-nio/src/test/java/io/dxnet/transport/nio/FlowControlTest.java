package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.ReadChannel;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.tls.ByteStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that never stops sending flow-control bytes. */
class FlowControlTest {
    private static final int SCRATCH_BYTES = 16 << 10;
    private static final int TURNS = 10;

    /** A channel on which there is always more to read. */
    private static final class Endless extends ReadChannel {
        private long read;

        @Override
        public int read(ByteBuffer into) {
            int bytes = into.remaining();
            while (into.hasRemaining()) {
                into.put((byte) 0xFF);
            }
            read += bytes;
            return bytes;
        }
    }

    /** A channel that is full after so many bytes, then empty again. */
    private static final class Narrow extends ReadChannel {
        private final int bytesMax;
        private final List<Integer> written = new ArrayList<>();

        Narrow(int bytesMax) {
            this.bytesMax = bytesMax;
        }

        @Override
        public int read(ByteBuffer into) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from) {
            int bytes = Math.min(bytesMax, from.remaining());
            for (int i = 0; i < bytes; i++) {
                written.add(from.get() & 0xFF);
            }
            return bytes;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 16, 17, 100})
    void shouldWriteEachStepAndSignalOnceWhereverTheChannelCuts(int bytesMax) throws Exception {
        try (FakeNode node = FakeNode.start(1)) {
            for (int steps : new int[] {0, 1, 254, 255, 256, 700, 15 * 255 + 1, 16 * 255, 40 * 255 + 7}) {
                for (int signals : new int[] {0, 3}) {
                    FakeConnection connection = FakeConnection.create(node, 2);
                    Narrow channel = new Narrow(bytesMax);
                    IncomingPipe pipe =
                            new IncomingPipe(new NioConnection(connection, 1, null), ByteStream.plain(channel), null);
                    connection.returnFlowControl(steps);
                    connection.returnSignals(signals);
                    ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
                    int turns = 0;
                    while (!pipe.writeAll(scratch.clear())) {
                        assertThat(++turns).isLessThan(100);
                    }
                    assertRead(channel.written, steps, signals);
                    assertThat(connection.takeFlowControl(1)).isZero();
                    assertThat(connection.takeSignals()).isZero();
                }
            }
        }
    }

    /** As the other node reads it. */
    private static void assertRead(List<Integer> written, int steps, int signals) {
        int read = 0;
        int signalled = 0;
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i) == IncomingPipe.FC_SIGNALS) {
                signalled += written.get(++i);
            } else {
                read += written.get(i);
            }
        }
        assertThat(read).as("%s", written).isEqualTo(steps);
        assertThat(signalled).as("%s", written).isEqualTo(signals);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldLeaveWhatItDoesNotReadInOneTurnForTheNext() throws Exception {
        try (FakeNode node = FakeNode.start(1)) {
            FakeConnection connection = FakeConnection.create(node, 2);
            Endless channel = new Endless();
            OutgoingPipe pipe = new OutgoingPipe(new NioConnection(connection, 1, null), ByteStream.plain(channel));
            ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
            for (int turn = 0; turn < TURNS; turn++) {
                pipe.readFlowControl(scratch);
            }
            assertThat(channel.read).isBetween(1L, 4L * TURNS * SCRATCH_BYTES);
            assertThat(connection.fcReceived.get()).isEqualTo(255 * channel.read);
        }
    }

    /** The reply to the hello is sent on the same channel, and the other node reads it first. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldWriteNoSignalBeforeItsChannelIsRegistered() throws Exception {
        try (FakeNode node = FakeNode.start(1);
                ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel other = SocketChannel.open(listener.getLocalAddress());
                SocketChannel channel = listener.accept();
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            FakeConnection connection = FakeConnection.create(node, 2);
            IncomingPipe pipe =
                    new IncomingPipe(new NioConnection(connection, 1, null), ByteStream.plain(channel), null);
            ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
            connection.returnSignals(1);
            assertThat(pipe.writeFlowControl(scratch)).isFalse();
            assertThat(connection.signals).as("kept for later").hasValue(1);
            pipe.channel().register(selector, pipe);
            assertThat(pipe.writeFlowControl(scratch)).isTrue();
            ByteBuffer read = ByteBuffer.allocate(2);
            while (read.hasRemaining()) {
                other.read(read);
            }
            assertThat(read.array()).containsExactly(IncomingPipe.FC_SIGNALS, 1);
        }
    }

    /** The other direction, which posts the same interest, may be opened first. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldRegisterNoChannelBeforeTheReplyIsSent() throws Exception {
        try (FakeNode node = FakeNode.start(1);
                ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel other = SocketChannel.open(listener.getLocalAddress());
                SocketChannel channel = listener.accept()) {
            channel.configureBlocking(false);
            Connections<NioConnection> connections = new Connections<>((each, id) -> null);
            SelectorAgent agent = new SelectorAgent(node, connections, NioOptions.from(Map.of()));
            FakeConnection connection = FakeConnection.create(node, 2);
            NioConnection c = new NioConnection(connection, 1, agent);
            Hello hello = NioHello.of(node.config(), 2, 1, 5, 6, 0);
            assertThat(c.attachIncoming(hello, () -> new IncomingPipe(c, ByteStream.plain(channel), node)))
                    .isTrue();
            connection.returnSignals(1);
            agent.apply(c, Interest.OPENED | Interest.FLOW_CONTROL);
            assertThat(channel.isRegistered()).isFalse();
            other.configureBlocking(false);
            assertThat(other.read(ByteBuffer.allocate(1))).isZero();
            assertThat(connection.signals).as("kept for later").hasValue(1);
        }
    }
}
