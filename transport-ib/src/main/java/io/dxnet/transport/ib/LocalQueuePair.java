package io.dxnet.transport.ib;

import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * This side's queue pair of a connection, and its room in the send completion queue. Made when an
 * address is asked for, dropped where an attempt fails, made anew by the next one. Under the
 * connection's monitor.
 */
final class LocalQueuePair {
    private static final int PSN_MASK = 0xFF_FFFF;

    private final IbConnection connection;
    private final QueuePairs pairs;
    private QueuePair pair; // null: not made
    private int slot = -1;
    private int psn;

    LocalQueuePair(IbConnection connection, QueuePairs pairs) {
        this.connection = connection;
        this.pairs = pairs;
    }

    boolean isMade() {
        return pair != null;
    }

    /** Returns what the other side connects to. */
    QpAddress address() {
        make();
        return pairs.address(pair, psn);
    }

    /** Connects it, and returns the queue pair, which may send from here on. */
    QueuePair connect(QpInfo peer) {
        make();
        pairs.connect(pair, psn, peer);
        return pair;
    }

    private void make() {
        if (pair == null) {
            SendSide endpoint = connection.endpoint();
            slot = endpoint.reserve(connection);
            psn = ThreadLocalRandom.current().nextInt() & PSN_MASK;
            pair = pairs.create(endpoint.domain(), endpoint.completionQueue());
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
            // After that: then all completions that there will ever be are there, and
            // none is left to fill the queue.
            if (slot >= 0) {
                connection.endpoint().forget(connection, slot);
                slot = -1;
            }
        }
    }
}
