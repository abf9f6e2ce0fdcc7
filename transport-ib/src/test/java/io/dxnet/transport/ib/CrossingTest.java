package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.softhca.SoftFaults;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Attempts to open one connection that cross each other: an attempt undoes what
 * it did itself, and nothing else.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CrossingTest {
    private static final int PEER = 1;
    private static final QpInfo NOWHERE =
            new QpInfo(new QpAddress(4711, 1, 0, Gid.parseHex("00000000000000000000ffff0a090909")), 4096, 65536, 5000);

    private final List<String> addresses = Ports.addresses(2);
    private FakeEngine engine;
    private IbConnection connection;

    @BeforeEach
    void start() {
        engine = FakeEngine.started(0, addresses);
        connection = engine.state(PEER);
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private IbOpening begun() {
        IbOpening opening = engine.transport.opening(connection, System.nanoTime() + 1_000_000_000L);
        assertThat(opening.begin()).isTrue();
        opening.hello();
        return opening;
    }

    private long attempt() {
        return connection.pairing().id();
    }

    private void fails(IbOpening opening) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            Reply reply = Reply.accepting(77, 5, NOWHERE.encode());
            assertThatThrownBy(() -> opening.accepted(ByteStream.plain(channel), reply))
                    .isInstanceOf(IOException.class);
        }
    }

    private void assertAccepted(int queuePair) {
        assertThat(connection.state()).isEqualTo(ConnectionState.ACCEPTED);
        assertThat(connection.queuePairNumber()).isEqualTo(queuePair).isPositive();
        assertThat(connection.sendQueue()).isNotNull();
        assertThat(connection.pairing().peer().connectionId()).isEqualTo(9);
    }

    /** The device has no queue pair left for the own attempt, and one for the acceptor. */
    @Test
    void shouldReserveOneSlotForBothAttempts() {
        IbNodes.assumeSoftware();
        IbOpening opening = engine.transport.opening(connection, System.nanoTime() + 1_000_000_000L);
        assertThat(opening.begin()).isTrue();
        SoftFaults.of(IbNodes.DEVICE).failNextCalls("ibv_create_qp", 12, 1);
        assertThatThrownBy(opening::hello).isInstanceOf(VerbsException.class);
        assertThat(engine.transport.slots.used()).isEqualTo(1);
        assertThat(connection.establish(NOWHERE, new PeerIdentity(77, 9), IbConnection.BY_PEER, null))
                .isTrue();
        assertThat(engine.transport.slots.used()).isEqualTo(1);
        assertThat(connection.establishingFailed()).isTrue();
        assertThat(engine.transport.slots.used()).isZero();
    }

    @Test
    void shouldKeepWhatTheAcceptorMadeWhenTheOwnAttemptFails() throws Exception {
        IbOpening opening = begun();
        assertThat(connection.establish(NOWHERE, new PeerIdentity(77, 9), IbConnection.BY_PEER, null))
                .isTrue();
        int queuePair = connection.queuePairNumber();

        fails(opening);
        assertThat(connection.connectingFailed(attempt())).isFalse();

        assertAccepted(queuePair);
        assertThat(engine.incomingFailed)
                .as("it is the acceptor's to take back")
                .hasValue(0);
    }

    /**
     * More connections end than there are queue pairs to spare: an honest node waits, and
     * gets no report that this one is broken.
     */
    @Test
    void shouldWaitForAQueuePair() throws Exception {
        ConnectionSlots slots = engine.transport.slots;
        int last = -1;
        while (!slots.isFull()) {
            last = slots.take(IbNodes.unconnected());
        }
        try (FakeEngine other = FakeEngine.started(PEER, addresses)) {
            CompletableFuture<Void> connected = CompletableFuture.runAsync(() -> {
                try {
                    other.connect(engine);
                } catch (NodeUnreachableException e) {
                    throw new CompletionException(e);
                }
            });
            Cluster.await("it is refused once", () -> engine.incomingFailed.get() > 0);
            assertThat(connected).isNotDone();
            slots.free(last);
            connected.get(20, TimeUnit.SECONDS);
            assertThat(slots.isFull()).isTrue();
        }
    }

    @Test
    void shouldOpenWhenAQueuePairIsFree() throws Exception {
        try (FakeEngine other = FakeEngine.started(PEER, addresses)) {
            ConnectionSlots slots = engine.transport.slots;
            int last = -1;
            while (!slots.isFull()) {
                last = slots.take(IbNodes.unconnected());
            }
            long before = connection.pairing().id();
            CompletableFuture<Void> connected = CompletableFuture.runAsync(() -> {
                try {
                    engine.connect(other);
                } catch (NodeUnreachableException e) {
                    throw new CompletionException(e);
                }
            });
            Cluster.await("it has tried", () -> connection.pairing().id() > before + 1);
            slots.free(last);
            connected.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldTakeBackItsOwnWhenTheChannelFails() throws Exception {
        IbOpening opening = begun();

        fails(opening); // the channel is not connected: READY can't be written

        connection.connectingFailed(attempt());
        assertThat(connection.state()).isEqualTo(ConnectionState.NEW);
        assertThat(connection.queuePairNumber()).isEqualTo(-1);
        assertThat(engine.incomingFailed).hasValue(1);
        assertThat(engine.transport.slots.used()).isZero();
    }

    /**
     * The first attempt was ended by the acceptor's, which failed; a second one is under
     * way when the first one returns.
     */
    @Test
    void shouldLeaveALaterAttemptAlone() throws Exception {
        IbOpening opening = begun();
        long first = attempt();
        connection.connectingFailed(first);
        begun();

        fails(opening);
        assertThat(connection.connecting(first, null)).isFalse();
        connection.connectingFailed(first);

        assertThat(connection.state()).isEqualTo(ConnectionState.CONNECTING);
        assertThat(engine.transport.slots.used()).isEqualTo(1);
        assertThat(connection.establish(NOWHERE, new PeerIdentity(77, 9), attempt(), null))
                .isTrue();
        assertAccepted(connection.queuePairNumber());
    }
}
