package io.dxnet.runtime.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect.Reason;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.connect.RingMemory;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connection ends while a message is written; and which thread sends. */
class SenderTest {
    private static final int RING_BYTES = 256 << 10;
    /** What a thread that sends does not post on its own. */
    private static final int UNPOSTED_MAX = 64 << 10;

    private static final int HEADER = HeaderDescriptor.BYTES;

    private final DXNetConfig config =
            DXNetConfig.builder().ringBytes(RING_BYTES).build();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final ConnectionManager connections = new ConnectionManager(
            config,
            new NodeMap(0),
            8,
            1,
            new RingMemory(RING_BYTES),
            requests,
            new ControlAgent(0, requests, (what, error) -> {}));
    /** How often data was posted, and what was readable in the ring the last time. */
    private final AtomicInteger posts = new AtomicInteger();

    private int readableWhenPosted;
    private final AtomicInteger sentNow = new AtomicInteger();
    private boolean sendsNow;
    private int sendFaults;
    private final Transport transport =
            Stub.of(Transport.class, Map.of("dataPosted", (Supplier<?>) this::dataPosted, "sendNow", (Supplier<?>)
                    this::sendNow));
    private final Sender sender = new Sender(
            config, key -> false, transport, new IdleStrategies(config), connections, Stub.of(StreamOpener.class));
    private PeerConnection connection;

    @BeforeEach
    void connect() throws Exception {
        connections.wire(transport, connection -> {}, () -> 0);
        connection = connections.connectionTo(1);
        connection.life().startOpening();
        assertThat(connection.outgoingOpened()).isTrue();
    }

    /** Bytes, before which something else happens. */
    private static final class Disturbed extends Message {
        private final byte[] bytes;
        private final Runnable disturbance;

        Disturbed(int bytes, Runnable disturbance) {
            super(1, 7, 7);
            this.bytes = new byte[bytes];
            this.disturbance = disturbance;
        }

        @Override
        public void exportObject(Exporter exporter) {
            disturbance.run();
            exporter.writeBytes(bytes);
        }

        @Override
        public void importObject(Importer importer) {
            importer.readBytes(bytes);
        }

        @Override
        public int sizeOfObject() {
            return bytes.length;
        }
    }

    /** The heap is full when a virtual thread needs an exporter: what it claimed is sent. */
    @ParameterizedTest
    @ValueSource(ints = {64, RING_BYTES})
    void shouldLeaveTheRingWholeWhereThereIsNoExporter(int bytes) throws Exception {
        OutOfMemoryError full = new OutOfMemoryError("of the exporter");
        Sender poor = new Sender(
                config,
                key -> false,
                transport,
                new IdleStrategies(config),
                connections,
                Stub.of(StreamOpener.class),
                new SenderThreads(() -> {
                    throw full;
                }));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        poor.send(new Disturbed(bytes, () -> {}), 1, HeaderDescriptor.MESSAGE, 0, null);
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                })
                .join();
        assertThat(thrown.get()).isSameAs(full);
        OutgoingRingBuffer ring = connection.ring();
        int before = ring.readable();
        assertThat(posts.get()).as("what is behind it may be signalled already").isEqualTo(bytes == 64 ? 1 : 0);
        assertThat(before).as("a streamed one has claimed nothing").isEqualTo(bytes == 64 ? 64 + HEADER : 0);
        sender.send(new Disturbed(100, () -> {}), 1, HeaderDescriptor.MESSAGE, 0, null);
        assertThat(ring.readable()).as("what is sent behind it").isEqualTo(before + 100 + HEADER);
        assertThat(connection.tryLock(false)).as("the lock of streams is free").isTrue();
    }

    private boolean sendNow() {
        if (sendFaults > 0) {
            sendFaults--;
            throw new OutOfMemoryError("of sending");
        }
        if (sendsNow) {
            sentNow.incrementAndGet();
            OutgoingRingBuffer ring = connection.ring();
            ring.post(ring.readable());
        }
        return sendsNow;
    }

    /** A device confirms late: what it has in flight is no reason to post each message alone. */
    @Test
    void shouldPostWhereMuchIsNotPostedAndNotWhereMuchIsInFlight() throws Exception {
        int bytes = 1 << 10;
        sendsNow = true;
        send(bytes - HEADER, () -> {}); // a lone message
        assertThat(sentNow).hasValue(1);
        for (int batch = 1; batch <= 3; batch++) {
            for (int i = 0; i < UNPOSTED_MAX / bytes; i++) {
                assertThat(sentNow).as("batch %d, message %d", batch, i).hasValue(batch);
                send(bytes - HEADER, () -> {});
            }
            assertThat(sentNow).hasValue(batch + 1);
            assertThat(connection.ring().unposted()).isZero();
            assertThat(connection.ring().pending()).as("in flight").isEqualTo(bytes + (long) batch * UNPOSTED_MAX);
        }
    }

    /** Else what other threads send next would be a part of it, or they would wait for the lock. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, Integer.MAX_VALUE})
    void shouldLeaveAWholeMessageOrEndTheConnectionWhereStreamingFails(int faults) {
        sendFaults = faults;
        OutgoingRingBuffer ring = connection.ring();
        int bytes = RING_BYTES - RING_BYTES / 8;
        assertThatThrownBy(() -> send(bytes, () -> {})).isInstanceOf(OutOfMemoryError.class);
        assertThat(ring.hasCommitted(ring.claimedBytes())).isTrue();
        if (faults == 1) {
            assertThat(ring.readable()).as("a whole message").isEqualTo(HEADER + bytes + 1);
            assertThat(ring.segment().get(ValueLayout.JAVA_BYTE, HEADER + (long) bytes))
                    .isEqualTo(HeaderDescriptor.TRAILER_ABORTED);
            assertThat(connection.tryLock(false)).isTrue();
        } else {
            assertThat(connection.life().isEnded()).isTrue();
            assertThat(connection.isRingQuiescent()).as("no lock is held").isTrue();
        }
    }

    /** As a wrapper of a library may, it catches what it is to let pass. */
    private static final class Overlong extends Message {
        private final int bytes;

        Overlong(int bytes) {
            super(1, 7, 7);
            this.bytes = bytes;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeBytes(new byte[bytes]);
            try {
                exporter.writeByte((byte) 1);
            } catch (MessagingUsageException e) {
                // that is all it does
            }
        }

        @Override
        public int sizeOfObject() {
            return bytes;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, RING_BYTES - RING_BYTES / 8})
    void shouldAbortAMessageThatCatchesThatItWritesTooMuch(int bytes) {
        assertThatThrownBy(() -> sender.send(new Overlong(bytes), 1, HeaderDescriptor.MESSAGE, 0, null))
                .isInstanceOf(MessagingUsageException.class)
                .hasMessageContaining("wrote more than sizeOfObject() returned");
        MemorySegment segment = connection.ring().segment();
        if (bytes == 64) {
            assertThat(HeaderDescriptor.control(HeaderDescriptor.word(segment, 0)))
                    .isEqualTo(HeaderDescriptor.ABORTED);
            assertThat(connection.ring().readable()).isEqualTo(HEADER + bytes);
        } else {
            assertThat(segment.get(ValueLayout.JAVA_BYTE, HEADER + (long) bytes))
                    .isEqualTo(HeaderDescriptor.TRAILER_ABORTED);
            assertThat(connection.ring().readable()).isEqualTo(HEADER + bytes + 1);
        }
    }

    /** What another thread has sent behind it was signalled when it could not be sent yet. */
    @ParameterizedTest
    @ValueSource(ints = {64, RING_BYTES})
    void shouldPostWhatAFailedMessageHasLeft(int bytes) {
        IllegalStateException failure = new IllegalStateException("of the message");
        assertThatThrownBy(() -> send(bytes, () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(posts.get()).isPositive();
        assertThat(readableWhenPosted).isPositive().isEqualTo(connection.ring().readable());
    }

    private Object dataPosted() {
        readableWhenPosted = connection.ring().readable();
        return posts.incrementAndGet();
    }

    private void breakOff() {
        connections.lost(connection, Reason.LOST, "the link broke");
    }

    private void closeNode() {
        connections.finishAll(System.nanoTime());
        connections.close();
    }

    private void send(int bytes, Runnable disturbance) throws Exception {
        sender.send(new Disturbed(bytes, disturbance), 1, HeaderDescriptor.MESSAGE, 0, null);
    }

    /** In one piece and streamed. */
    @ParameterizedTest
    @ValueSource(ints = {64, RING_BYTES})
    void shouldReportThatTheConnectionEnded(int bytes) {
        assertThatThrownBy(() -> send(bytes, this::breakOff))
                .isInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("ended while");
    }

    @ParameterizedTest
    @ValueSource(ints = {64, RING_BYTES})
    void shouldReportThatThisNodeWasClosed(int bytes) {
        assertThatThrownBy(() -> send(bytes, this::closeNode))
                .isInstanceOf(NetClosedException.class)
                .hasMessageContaining("was closed while");
    }

    /** What the application does with the exception does not matter. */
    @Test
    void shouldReportTheCloseAlsoWhereTheApplicationDropsTheException() {
        class Careless extends Message {
            Careless() {
                super(1, 7, 7);
            }

            @Override
            public void exportObject(Exporter exporter) {
                closeNode();
                try {
                    exporter.writeBytes(new byte[RING_BYTES]);
                } catch (RuntimeException e) {
                    assertThat(e).hasMessageContaining("was closed");
                }
            }

            @Override
            public int sizeOfObject() {
                return RING_BYTES;
            }
        }
        assertThatThrownBy(() -> sender.send(new Careless(), 1, HeaderDescriptor.MESSAGE, 0, null))
                .isInstanceOf(NetClosedException.class);
    }

    @Test
    void shouldReportThatTheConnectionOfAResponseEnded() {
        breakOff();
        assertThatThrownBy(() -> respond()).isInstanceOf(ConnectionLostException.class);
    }

    @Test
    void shouldReportThatThisNodeWasClosedBeforeAResponse() {
        closeNode();
        assertThatThrownBy(() -> respond())
                .isInstanceOf(NetClosedException.class)
                .hasMessageContaining("was closed before");
    }

    private void respond() throws Exception {
        sender.respond(new Disturbed(64, () -> {}), connection, 1, HeaderDescriptor.RESPONSE);
    }
}
