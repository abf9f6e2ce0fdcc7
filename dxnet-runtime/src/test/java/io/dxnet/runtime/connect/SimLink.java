package io.dxnet.runtime.connect;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.handshake.Pairing;
import io.dxnet.transport.handshake.PairingDecision;
import java.util.ArrayList;
import java.util.List;

/** What the simulated transport keeps for a connection, and the messages in its stream. */
final class SimLink {
    final SimNode node;
    final PeerConnection connection;
    final Pairing pairing;
    SimChannel outgoing; // null: not open
    SimChannel incoming;
    boolean closed; // by the engine
    boolean failed;
    boolean refused; // the other node has ended the connection, and answered that
    long failedNs; // when that was first seen
    boolean lost; // that was reported to the engine
    boolean flowControlPosted;
    long reported; // unconfirmed bytes, at its end
    private boolean released;

    /** The messages of the outgoing stream, in the order of their claims. */
    final List<SimMessage> stream = new ArrayList<>();

    /** How many of them come before the handover; -1: it is not written. */
    int beforeHandover = -1;

    // The parser of the incoming stream:
    long parsed;
    int parsedMessages;
    long parsedEnd; // of these
    boolean handover;
    boolean goodbye;
    int ahead; // bytes of an incomplete message, confirmed
    private long refusedNs; // when reading was first refused; 0: it is not

    SimLink(SimNode node, PeerConnection connection, long id) {
        this.node = node;
        this.connection = connection;
        this.pairing = new Pairing(id);
    }

    /** {@return the bytes of the message that is not whole, or of the goodbye} */
    int incompleteBytes() {
        return (int) (parsed - parsedEnd);
    }

    /** A message is whole: what was confirmed ahead counts again when it is handled. */
    void whole() {
        connection.takeBack(ahead);
        ahead = 0;
    }

    /** {@return how long reading was refused by now} */
    long refused(long nowNs) {
        if (refusedNs == 0) {
            refusedNs = nowNs;
        }
        return nowNs - refusedNs;
    }

    void accepted() {
        refusedNs = 0;
    }

    void failed(long nowNs) {
        if (!failed) {
            failed = true;
            failedNs = nowNs;
        }
    }

    /** The ring and the buffers are not used any more; once. */
    void release() {
        if (!released) {
            released = true;
            connection.released();
        }
    }

    PairingDecision.Stage stage() {
        if (closed) {
            return PairingDecision.Stage.CLOSED;
        }
        return connection.isOpen() ? PairingDecision.Stage.OPEN : PairingDecision.Stage.ENDING;
    }
}
