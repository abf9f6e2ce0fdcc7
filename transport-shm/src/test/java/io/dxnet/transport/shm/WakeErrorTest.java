package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.ReadChannel;
import io.dxnet.contract.TestConnection;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An error, as for want of memory, where the other node is to be woken up for what is written. */
@Timeout(60)
class WakeErrorTest {
    private static final int CAPACITY = 4096;
    private static final int BYTES = 100;

    /** A side channel that throws, as the JDK where it has no memory. */
    private static final class Faulty extends ReadChannel {
        @Override
        public int read(ByteBuffer into) {
            return 0;
        }

        @Override
        public int write(ByteBuffer from) {
            throw new OutOfMemoryError("of the test");
        }
    }

    private static final class Engine extends TestConnection {
        Engine(OutgoingRingBuffer ring) {
            super(2, ring);
        }

        @Override
        public void flowControlReceived(int steps) {}

        @Override
        public void released() {}
    }

    @TempDir
    private Path parent;

    private final Arena arena = Arena.ofShared();
    private final OutgoingRingBuffer ring = new OutgoingRingBuffer(arena.allocate(CAPACITY, 64), 1024, CAPACITY);
    private final Engine connection = new Engine(ring);
    private ShmConnection owner;
    private RingFolder folder;
    private RingFile file;

    @BeforeEach
    void open() throws IOException {
        TransportContext context = (TransportContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TransportContext.class},
                (proxy, method, arguments) -> DXNetConfig.builder().build());
        Connections<ShmConnection> connections = new Connections<>((each, id) -> null);
        owner = new ShmConnection(connection, 1, new ShmAgent(context, connections, ShmOptions.from(Map.of())));
        folder = RingFolder.open(parent);
        RingOffer offer = folder.offer(CAPACITY);
        file = folder.create(offer);
        folder.remove(offer);
    }

    @AfterEach
    void close() {
        file.close();
        arena.close();
    }

    @Test
    void shouldFailWhereItCanNotWakeTheReceiver() {
        new RingReader(file.memory(), CAPACITY).announceSleep();
        Outgoing outgoing = new Outgoing(owner, new SideChannel(ByteStream.plain(new Faulty())), file);
        ring.commit(ring.tryClaim(BYTES, Window.OBSERVED), BYTES);
        assertThatThrownBy(() -> outgoing.write(BYTES)).isInstanceOf(OutOfMemoryError.class);
        assertThat(owner.failure()).isEqualTo(ShmConnection.INTERRUPTED);
    }

    @Test
    void shouldFailWhereItCanNotWakeTheSender() {
        new RingWriter(file.memory(), CAPACITY).announceSleep();
        Incoming incoming = new Incoming(owner, null, new SideChannel(ByteStream.plain(new Faulty())), file);
        connection.returnFlowControl(1);
        assertThatThrownBy(incoming::sendFlowControl).isInstanceOf(OutOfMemoryError.class);
        assertThat(owner.failure()).isEqualTo(ShmConnection.INTERRUPTED);
    }
}
