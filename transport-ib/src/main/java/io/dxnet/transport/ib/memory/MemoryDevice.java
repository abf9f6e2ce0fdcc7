package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.DeviceAttributes;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QueuePair;
import java.util.function.IntFunction;

/**
 * The device as one-sided access uses it.
 *
 * @param context the device
 * @param gid the local address
 * @param mtuBytes the largest packet of the port
 * @param connecting makes the options of a queue pair to a node with a largest packet, bytes
 */
public record MemoryDevice(Context context, GidEntry gid, int mtuBytes, IntFunction<ConnectOptions> connecting) {
    /** Of the queue pair's two attributes that bound reads and atomics, 8 bits each. */
    private static final int READS_MAX = 128;

    /** {@return how many reads and atomics this node may have under way on a queue pair} */
    int readsInitiated() {
        return reads(limits().maxInitiatedReadAtomic());
    }

    /** {@return how many reads and atomics of another node this one answers on a queue pair} */
    int readsAnswered() {
        return reads(limits().maxReadAtomic());
    }

    private static int reads(int limit) {
        return Math.clamp(limit, 1, READS_MAX);
    }

    private DeviceAttributes limits() {
        return context.attributes();
    }

    /** {@return a size of a send or receive queue that the device offers} */
    int requests(int wanted) {
        return Math.min(wanted, limits().maxWorkRequests());
    }

    /** {@return the longest message of the port, bytes} */
    long messageBytesMax() {
        return context.port(gid.port()).maxMessageBytes();
    }

    /** {@return what the other side connects to} */
    QpAddress address(QueuePair pair, int psn) {
        return pair.addressFor(gid, psn);
    }
}
