package io.dxnet.runtime.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.Disconnect.Reason;
import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.receive.StreamState;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeerConnectionTest {
    private final PeerConnection connection = Buffers.connection(1);

    @Test
    void shouldNotBeLostWhenNothingWasSent() {
        assertThat(connection.isLost()).isFalse();
        connection.life().abort(Reason.LOST, "test", connection);
        assertThat(connection.isLost()).isFalse();
    }

    /** Numbers that wrap the window's position round are no confirmations either. */
    @Test
    void shouldRefuseConfirmationsOfMoreThanWasSentHoweverManyThereAre() {
        long stepBytes = 1L << 30;
        for (int count : new int[] {1, 2, 1 << 18, 3 << 18, 255 << 16, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            List<String> errors = new ArrayList<>();
            OutgoingRingBuffer ring = new OutgoingRingBuffer(Arena.ofAuto().allocate(4096, 64), 16, 1L << 30);
            PeerConnection refusing = new PeerConnection(
                    1, ring, 1L << 30, stepBytes, 1, null, new StreamState(), new Buffers.SilentOwner() {
                        @Override
                        public void protocolError(PeerConnection of, String what) {
                            errors.add(what);
                        }
                    });
            refusing.flowControlReceived(count);
            assertThat(errors).as("%d steps", count).hasSize(1);
            assertThat(refusing.unconfirmedBytes()).isZero();
        }
    }

    /** Where none of its messages waits, what the handlers do for others is not for it. */
    @Test
    void shouldCountMessagesOfOthersOnlyWhileItsOwnWait() {
        OutgoingRingBuffer ring = new OutgoingRingBuffer(Arena.ofAuto().allocate(4096, 64), 16, 1024);
        PeerConnection counting =
                new PeerConnection(1, ring, 1024, 512, 1, null, new StreamState(), new Buffers.SilentOwner() {
                    @Override
                    public long handledMark() {
                        return 5;
                    }
                });
        assertThat(counting.aheadMark()).isZero();
        counting.bytesReceived().add(HeaderDescriptor.BYTES); // a message without payload
        assertThat(counting.aheadMark()).isEqualTo(5);
        counting.processed(HeaderDescriptor.BYTES);
        assertThat(counting.aheadMark()).isZero();
        counting.life().incomingOpened();
        counting.life().handoverReached(0);
        counting.life().goodbyeReached();
        counting.bytesReceived().add(HeaderDescriptor.BYTES); // the goodbye, which no handler gets
        assertThat(counting.aheadMark()).isZero();
        counting.readingRefused();
        assertThat(counting.aheadMark()).as("what follows is not read").isEqualTo(5);
        counting.readingAccepted();
        assertThat(counting.aheadMark()).isZero();
    }

    /** A claim after the end would lie in memory that may serve another connection. */
    @Test
    void shouldNotOpenTheRingAfterTheEnd() {
        connection.life().startOpening();
        connection.life().abort(Reason.LOST, "test", connection);
        assertThat(connection.outgoingOpened()).isFalse();
        assertThat(connection.ring().tryClaim(16, Window.OBSERVED)).isNegative();
    }

    @Test
    void shouldBeLostWhenItBreaksWithUnconfirmedBytes() {
        connection.life().startOpening();
        assertThat(connection.outgoingOpened()).isTrue();
        connection.ring().commit(connection.ring().tryClaim(16, Window.OBSERVED), 16);
        connection.life().abort(Reason.LOST, "test", connection);
        assertThat(connection.isLost()).isTrue();
        assertThat(connection.unconfirmedBytes()).isEqualTo(16);
    }

    /**
     * What is claimed after the end was judged would be lost, though the end
     * reports 0 unconfirmed bytes.
     */
    @Test
    void shouldClaimNothingAfterTheEndWasJudged() {
        connection.life().startOpening();
        assertThat(connection.outgoingOpened()).isTrue();
        connection.life().abort(Reason.PROTOCOL_ERROR, "test", connection);
        assertThat(connection.unconfirmedBytes()).isZero();
        assertThat(connection.ring().tryClaim(16, Window.OBSERVED)).isNegative();
    }

    /**
     * The connection leaves the table between the check of a thread that waits
     * for its stream and its sleep.
     */
    @Test
    @Timeout(60)
    void shouldNotMissThatAConnectionLeftTheTable() throws Exception {
        connection.life().startOpening();
        assertThat(connection.isOpen()).isTrue();
        connection.leave();
        connection.signalChange();
        connection.awaitChange(PeerConnection::isOpen, TimeUnit.HOURS.toNanos(1));
    }

    @Test
    void shouldReturnSignalsThatCannotBeSent() {
        connection.signal(ConnectionLife.SEEN);
        int taken = connection.takeSignals();
        assertThat(connection.takeSignals()).isZero();
        connection.signal(ConnectionLife.HANDLED);
        connection.returnSignals(taken);
        assertThat(connection.takeSignals()).isEqualTo(ConnectionLife.SEEN | ConnectionLife.HANDLED);
    }
}
