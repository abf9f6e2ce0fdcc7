package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.tools.verbs.DeviceInfo;
import io.dxnet.tools.verbs.Port;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One end's device, queue pair and memory. Everything is made and registered
 * before the first run, as in the paper. One completion queue serves both
 * directions, so that one thread can drive an end. One thread at a time.
 */
final class VerbsEnd implements AutoCloseable {
    /** Requests of the send queue beside the messages': credits. */
    private static final int EXTRA_REQUESTS = 8;

    private static final int FLAG_BYTES = 4096;
    /** 10 µs: a receiver that falls behind for a moment shall not stop the sender for long. */
    private static final int MIN_RNR_TIMER = 1;

    /**
     * What the other end must know.
     *
     * @param qp the queue pair
     * @param sourceAddress what reads read
     * @param sourceKey its key
     * @param targetAddress what writes write
     * @param targetKey its key
     * @param flagAddress where credits are written
     * @param flagKey its key
     */
    record Remote(
            QpAddress qp,
            long sourceAddress,
            int sourceKey,
            long targetAddress,
            int targetKey,
            long flagAddress,
            int flagKey) {
        void write(DataOutputStream out) throws IOException {
            out.writeInt(qp.qpNumber());
            out.writeInt(qp.psn());
            out.writeInt(qp.lid());
            out.writeLong(qp.gid().prefix());
            out.writeLong(qp.gid().interfaceId());
            out.writeLong(sourceAddress);
            out.writeInt(sourceKey);
            out.writeLong(targetAddress);
            out.writeInt(targetKey);
            out.writeLong(flagAddress);
            out.writeInt(flagKey);
        }

        static Remote read(DataInputStream in) throws IOException {
            QpAddress qp =
                    new QpAddress(in.readInt(), in.readInt(), in.readInt(), new Gid(in.readLong(), in.readLong()));
            return new Remote(
                    qp, in.readLong(), in.readInt(), in.readLong(), in.readInt(), in.readLong(), in.readInt());
        }
    }

    final LinkOptions options;
    final Context context;
    final GidEntry gid;
    final CompletionQueue queue;
    final QueuePair pair;
    /** Memory of the messages that this end sends or writes, and that the other end reads. */
    final MemoryRegion source;
    /**
     * Memory of the messages that this end receives, that the
     * other end writes, and that this end's reads fetch.
     */
    final MemoryRegion target;
    /** Where the other end writes its credits: how many of this end's messages it has received. */
    final MemoryRegion flags;
    /** The largest inline message of this queue pair, bytes. */
    final int inline;

    private final int psn = ThreadLocalRandom.current().nextInt(1 << 24);
    private Remote remote;

    /**
     * Opens a device and makes everything.
     *
     * @param port of the device
     * @param options of both ends
     */
    VerbsEnd(Port port, LinkOptions options) {
        this.options = options;
        context = port.open();
        try {
            gid = port.gid(context);
            ProtectionDomain domain = context.allocateProtectionDomain();
            int sends = options.depth() + EXTRA_REQUESTS;
            queue = context.createCompletionQueue(sends + options.receives());
            pair = createPair(domain, sends);
            inline = Math.min(options.inline(), pair.capabilities().maxInline());
            source = domain.allocate(options.regionBytes(), Access.LOCAL_WRITE, Access.REMOTE_READ);
            target = domain.allocate(options.regionBytes(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            flags = domain.allocate(FLAG_BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    /**
     * Creates the queue pair with the most inline bytes that the
     * device accepts: it halves the number until one fits.
     */
    private QueuePair createPair(ProtectionDomain domain, int sends) {
        for (int bytes = options.inline(); ; bytes /= 2) {
            try {
                return domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue)
                        .send(sends, 1)
                        .receive(options.receives(), 1)
                        .inline(bytes));
            } catch (VerbsException e) {
                if (bytes == 0) {
                    throw e;
                }
            }
        }
    }

    Remote own() {
        return new Remote(
                pair.addressFor(gid, psn),
                source.address(),
                source.remoteKey(),
                target.address(),
                target.remoteKey(),
                flags.address(),
                flags.remoteKey());
    }

    void connect(Remote other) {
        remote = other;
        pair.connect(gid, psn, other.qp(), new ConnectOptions().minRnrTimer(MIN_RNR_TIMER));
    }

    Remote remote() {
        return remote;
    }

    /** The IPv4 address that belongs to the port, or null. */
    InetAddress address() {
        try {
            return gid.gid().isIpv4Mapped() ? InetAddress.getByAddress(gid.gid().bytes()) : null;
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are an address", e);
        }
    }

    Map<String, Object> describe() {
        Map<String, Object> info = DeviceInfo.of(context, gid);
        info.put("inline", inline);
        return info;
    }

    @Override
    public void close() {
        context.close();
    }
}
