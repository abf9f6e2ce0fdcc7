package io.dxnet.transport.ib;

import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * This side's queue pair of a connection, and its room in the send completion queue. Made when an address is asked for, given up where an
 * attempt fails, made anew by the next one. Under the connection's monitor.
 */
final class LocalQueuePair {
    private static final int PSN_MASK = 0xFF_FFFF;

    private final IbConnection connection;
    private final IbTransport transport;
    private QueuePair pair; // null: not made
    private int slot = -1;
    private int psn;

    LocalQueuePair(IbConnection connection, IbTransport transport) {
        this.connection = connection;
        this.transport = transport;
    }

    boolean isMade() {
        return pair != null;
    }

    /** What the other side connects to. */
    QpAddress address() {
        make();
        return pair.addressFor(transport.device().gid(), psn);
    }

    /** Connects it; gives the queue pair, which may send now. */
    QueuePair connect(QpInfo peer) {
        make();
        pair.connect(transport.device().gid(), psn, peer.address(), transport.connectOptions(peer.mtuBytes()));
        return pair;
    }

    int number() {
        return pair.number();
    }

    private void make() {
        if (pair == null) {
            slot = transport.slots().take(connection);
            if (slot < 0) {
                throw new ConnectionSlots.FullException(transport.slots().count());
            }
            psn = ThreadLocalRandom.current().nextInt() & PSN_MASK;
            pair = transport.createQueuePair(connection.endpoint());
        }
    }

    /** Ends sending and receiving; what is posted completes as flushed. */
    void stop() {
        try {
            if (pair != null) {
                pair.modify(QpAttributes.to(QpState.ERR));
            }
        } catch (VerbsException | IllegalStateException e) {
            // It is in that state already, or the device is gone: either way it receives nothing.
        }
    }

    /** Frees it; the device touches no memory of the connection afterwards. */
    void drop() {
        QueuePair old = pair;
        pair = null;
        try {
            if (old != null) {
                old.close();
            }
        } finally {
            // After that: then all completions that there will ever be are there, and none is left to fill the queue.
            if (slot >= 0) {
                connection.endpoint().completions().forget(connection, slot);
                slot = -1;
            }
        }
    }
}
