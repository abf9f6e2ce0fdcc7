package io.dxnet.transport.ib;

import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.ib.CipherKeys.Side;
import io.dxnet.transport.ib.qp.AddressBlock;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.security.ConnectionKey;
import java.util.function.Supplier;

/**
 * This side's queue pair of a connection, and its room in the send completion queue. Made when an
 * address is asked for, dropped where an attempt fails, made anew by the next one. Under the
 * connection's monitor.
 */
final class LocalQueuePair {
    private final IbConnection connection;
    private final QueuePairs parts;
    private QueuePair pair; // null: not made
    private int slot = -1;
    private int psn;
    private KeyPart keyPart; // with the pair; null: nothing is encrypted
    private MemoryRegion staging; // with the pair's connection; null: nothing is encrypted
    private volatile ReceiveCipher receiveCipher; // with staging; the receiving agent reads it

    LocalQueuePair(IbConnection connection, QueuePairs parts) {
        this.connection = connection;
        this.parts = parts;
    }

    boolean isMade() {
        return pair != null;
    }

    int number() {
        return pair.number();
    }

    /** Returns what the other side connects to: the part of the handshake that describes it. */
    QpInfo info() {
        make();
        IbOptions options = parts.options();
        return new QpInfo(
                pair.addressFor(parts.device().gid(), psn),
                parts.device().mtu().bytes(),
                options.receiveBytesMax(),
                options.keepAliveMs(),
                keyPart);
    }

    /**
     * Connects it, and returns its send queue: it may send from here on.
     *
     * @param peer the other node's
     * @param attempt this node's, or {@link IbConnection#BY_PEER}
     * @param proved the key of the handshake; null but with {@code security=key}
     */
    SendQueue connect(QpInfo peer, long attempt, ConnectionKey proved) {
        make();
        if ((keyPart == null) != (peer.keyPart() == null)) {
            throw new IllegalStateException("ib.security differs: it must be equal on all nodes");
        }
        IbDevice device = parts.device();
        IbOptions options = parts.options();
        int contentMax = peer.receiveBytesMax() - options.encryption().overheadBytes();
        SendStaging staged = keyPart == null ? null : encrypt(peer, side(attempt), proved, contentMax);
        pair.connect(device.gid(), psn, peer.address(), device.connectOptions(options, peer.mtuBytes()));
        return new SendQueue(
                connection.connection(),
                pair,
                registeredRing(),
                options.sendQueueRequests(),
                contentMax,
                staged,
                connection.requestId(),
                parts.context().nodeMap().ownNodeId(),
                connection.endpoint().outstanding());
    }

    private Side side(long attempt) {
        boolean isItself = parts.context().nodeMap().ownNodeId() == connection.nodeId();
        return isItself ? Side.ITSELF : attempt == IbConnection.BY_PEER ? Side.LISTENER : Side.OPENING;
    }

    /** Derives the keys, and registers memory for encrypted messages. */
    private SendStaging encrypt(QpInfo peer, Side side, ConnectionKey proved, int contentMax) {
        CipherKeys keys = CipherKeys.of(parts.context().security(), proved, side, info(), peer);
        OutgoingRingBuffer ring = connection.connection().ring();
        int slots = parts.options().sendQueueRequests();
        int slotMax = Math.min(contentMax, ring.capacity());
        staging = registered(() -> parts.device().domain().allocate(SendStaging.regionBytes(slots, slotMax)));
        receiveCipher = keys.receiving();
        return new SendStaging(ring, staging, slots, slotMax, keys.sending());
    }

    /** Returns what decrypts messages to it; null: they are not encrypted. Any thread. */
    ReceiveCipher receiveCipher() {
        return receiveCipher;
    }

    private MemoryRegion registeredRing() {
        return registered(
                () -> parts.device().ring(connection.connection().ring().segment()));
    }

    private MemoryRegion registered(Supplier<MemoryRegion> registering) {
        try {
            return registering.get();
        } catch (VerbsException e) {
            throw LockedMemory.isExceeded(e)
                    ? new LockedMemory.ExceededException(
                            e,
                            LockedMemory.advice(
                                    parts.options(), parts.context().config().ringBytes()))
                    : e;
        }
    }

    private void make() {
        if (pair == null) {
            SendSide endpoint = connection.endpoint();
            if (slot < 0) { // else an attempt reserved it, and creating the queue pair failed
                slot = endpoint.reserve(connection);
            }
            psn = AddressBlock.randomPsn();
            keyPart = parts.options().encryption() == Encryption.NONE ? null : KeyPart.random();
            pair = endpoint.domain()
                    .createQueuePair(QueuePair.options(QpType.RC, endpoint.completionQueue(), parts.received())
                            .shared(parts.receives())
                            .send(parts.options().sendQueueRequests(), 2));
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
            if (staging != null) {
                staging.close(); // the device is not using it any more
                staging = null;
            }
        } finally {
            // After that: then all completions that there will ever be are there, and
            // none is left to fill the queue.
            int freed = slot;
            slot = -1; // first: it is freed once, also where that throws
            if (freed >= 0) {
                connection.endpoint().forget(connection, freed);
            }
        }
    }
}
