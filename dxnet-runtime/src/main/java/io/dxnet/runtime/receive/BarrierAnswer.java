package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import java.util.function.BooleanSupplier;

/**
 * Answers a barrier of the other node when this node has handled all before it.
 * The control thread polls it.
 *
 * @param epoch the parity of the epoch that the barrier has ended
 */
public record BarrierAnswer(PeerConnection connection, int epoch) implements BooleanSupplier {
    /** {@return whether there is no more to do: it is answered, or the connection has ended} */
    @Override
    public boolean getAsBoolean() {
        if (connection.life().isEnded()) {
            return true;
        }
        Epochs epochs = StreamState.of(connection).epochs;
        if (connection.handled(epoch) < epochs.bytes(epoch)) {
            return false;
        }
        epochs.answer(); // first: the next barrier may follow the signal at once
        connection.signal(ConnectionLife.PASSED);
        return true;
    }
}
