package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.Disconnect;
import io.dxnet.transport.OutgoingRingBuffer;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class PeerConnectionTest {
    private static PeerConnection connection() {
        OutgoingRingBuffer ring = new OutgoingRingBuffer(Arena.ofAuto().allocate(4096, 64), 16, 4096);
        return new PeerConnection(1, ring, 4096, 1024, null);
    }

    /** A thread that has committed a message and looks at the connection after it ended in order must not be told that the message is lost. */
    @Test
    void shouldNotBeLostWhenItEndsInOrder() {
        PeerConnection connection = connection();
        assertThat(connection.isLost()).isFalse();
        connection.startClosing(Disconnect.Reason.DISMISSED);
        assertThat(connection.isLost()).isFalse();
        assertThat(connection.close(true)).isNotEqualTo(PeerConnection.CLOSED);
        assertThat(connection.isLost()).isFalse();
        assertThat(connection.close(false)).isEqualTo(PeerConnection.CLOSED);
        assertThat(connection.isLost()).isFalse();
    }

    @Test
    void shouldBeLostWhenItBreaks() {
        PeerConnection connection = connection();
        connection.close(false);
        assertThat(connection.isLost()).isTrue();
    }
}
