package io.dxnet.transport.ib;

import io.dxnet.transport.handshake.AcceptorOptions;
import io.dxnet.transport.shared.TransportOptions;
import java.util.Map;

/**
 * The transport's options: the keys of {@link io.dxnet.DXNetConfig#transportOptions()} that
 * start with {@code ib.}. Sizes may have a suffix K, M or G. The value in the papers' Table 2
 * is noted; where the default differs it is because that table was made for nodes
 * with 64 GB and a pool of 4 GB.
 *
 * @param device {@code ib.device}: the RDMA device, for instance {@code mlx5_0},
 *     {@code rxe0}, {@code soft0}; default: the one that has this node's address of the node
 *     map, else the first with an active port
 * @param port {@code ib.port}: its port; 0 chooses the first active one; 0 to 255; default 0
 * @param gidIndex {@code ib.gidIndex}: the entry of the port's GID table; -1 chooses by type and by
 *     the node map's address of this node; -1 to 65535; default -1
 * @param mtu {@code ib.mtu}: the largest packet, bytes: 256, 512, 1024, 2048 or 4096; 0 chooses the
 *     port's; the smaller one of two nodes is used; default 0
 * @param serviceLevel {@code ib.serviceLevel}: 0 to 15; default 0
 * @param trafficClass {@code ib.trafficClass}: on RoCE v2 DSCP and ECN; 0 to 255; default 0
 * @param ackTimeout {@code ib.ackTimeout}: the longest time until the answer to a packet, 4.096 µs
 *     times 2 to this power; with six retries, 17 lets a connection survive 3.7 seconds
 *     without a link; 8 to 31; default 17
 * @param retryCount {@code ib.retryCount}: repetitions of a packet without answer; 0 to 6 (rxe
 *     takes 7 for "for ever"); default 6
 * @param minRnrTimer {@code ib.minRnrTimer}: code of how long a sender waits that found no receive
 *     here; 1 to 31; default 12 (0.64 ms)
 * @param sendQueueRequests {@code ib.sendQueueRequests}: entries of a connection's send queue
 *     (Table 2: 20); 4 to 16384; default 20
 * @param sharedReceiveRequests {@code ib.sharedReceiveRequests}: entries of the shared receive
 *     queue (Table 2: 2000); 16 to 65536; default 256
 * @param receiveSges {@code ib.receiveSges}: buffers of one receive (Table 2: 4); with the next,
 *     the largest work request of a sender; 1 to 16; default 4
 * @param receiveBufferBytes {@code ib.receiveBufferBytes}: size of a receive buffer (Table 2: 32
 *     KB), a multiple of 4096; 4 KiB to 1 MiB; default 16 KiB
 * @param receivePoolBytes {@code ib.receivePoolBytes}: registered memory of the receive buffers
 *     (Table 2: 4 GB), at least what the shared receive queue needs; default twice that
 * @param copyBytesMax {@code ib.copyBytesMax}: messages up to this size are copied together instead
 *     of using a buffer each; 0 to a receive buffer; default 1 KiB
 * @param sendEndpoints {@code ib.sendEndpoints}: agents that send, each with its own connections;
 *     threads of their own in the dedicated layout; 1 to 64; default 1
 * @param shareSendCompletions {@code ib.shareSendCompletions}: whether they share one
 *     completion queue; default false
 * @param threadDomains {@code ib.threadDomains}: whether each has a thread domain of its
 *     own, which removes a lock from posting where the device offers it; leave it off
 *     with send by caller; default false
 * @param keepAliveMs {@code ib.keepAliveMs}: a node that nothing was heard of for this long is
 *     given up, milliseconds; two nodes use the shorter one; 100 to 600000; default 5000
 * @param lingerMs {@code ib.lingerMs}: in an orderly close, the longest wait for the other node,
 *     milliseconds; 0 to 60000; default 1000
 * @param encryption {@code ib.security}: {@code none}, or {@code aes-gcm}, which encrypts and
 *     authenticates each message over RDMA with keys of the handshake, so that {@code security=key}
 *     or {@code tls} is needed; the same on all nodes; default none
 * @param acceptor the control channel's listener
 */
record IbOptions(
        String device,
        int port,
        int gidIndex,
        int mtu,
        int serviceLevel,
        int trafficClass,
        int ackTimeout,
        int retryCount,
        int minRnrTimer,
        int sendQueueRequests,
        int sharedReceiveRequests,
        int receiveSges,
        int receiveBufferBytes,
        long receivePoolBytes,
        int copyBytesMax,
        int sendEndpoints,
        boolean shareSendCompletions,
        boolean threadDomains,
        int keepAliveMs,
        int lingerMs,
        Encryption encryption,
        AcceptorOptions acceptor) {
    /** The transport's name. */
    static final String NAME = "ib";

    private static final int PAGE_BYTES = 4096;

    /**
     * Reads and checks the options.
     *
     * @param all all transports' options
     * @return this transport's
     * @throws io.dxnet.ConfigurationException naming key, value and allowed range
     */
    static IbOptions from(Map<String, String> all) {
        TransportOptions options = new TransportOptions(NAME, all);
        int requests = options.number("sharedReceiveRequests", 256, 16, 65536);
        int sges = options.number("receiveSges", 4, 1, 16);
        int bufferBytes = options.number("receiveBufferBytes", 16 << 10, PAGE_BYTES, 1 << 20);
        if (bufferBytes % PAGE_BYTES != 0) {
            throw options.notAllowed("receiveBufferBytes", "multiples of " + PAGE_BYTES);
        }
        long fits = (long) requests * sges * bufferBytes;
        int mtu = options.number("mtu", 0, 0, 4096);
        if (mtu != 0 && (mtu < 256 || Integer.bitCount(mtu) != 1)) {
            throw options.notAllowed("mtu", "0, 256, 512, 1024, 2048 and 4096");
        }
        IbOptions result = new IbOptions(
                options.text("device", null, "the name of an RDMA device"),
                options.number("port", 0, 0, 255),
                options.number("gidIndex", -1, -1, 65535),
                mtu,
                options.number("serviceLevel", 0, 0, 15),
                options.number("trafficClass", 0, 0, 255),
                options.number("ackTimeout", 17, 8, 31),
                options.number("retryCount", 6, 0, 6),
                options.number("minRnrTimer", 12, 1, 31),
                options.number("sendQueueRequests", 20, 4, 16384),
                requests,
                sges,
                bufferBytes,
                options.number("receivePoolBytes", 2 * fits, fits, 1L << 40),
                options.number("copyBytesMax", 1 << 10, 0, bufferBytes),
                options.number("sendEndpoints", 1, 1, 64),
                flag(options, "shareSendCompletions"),
                flag(options, "threadDomains"),
                options.number("keepAliveMs", 5000, 100, 600_000),
                options.number("lingerMs", 1000, 0, 60_000),
                encryption(options),
                AcceptorOptions.from(options, 0));
        options.rejectOthers();
        return result;
    }

    private static Encryption encryption(TransportOptions options) {
        Encryption found = Encryption.of(options.text("security", Encryption.NONE.toString(), Encryption.ALLOWED));
        if (found == null) {
            throw options.notAllowed("security", Encryption.ALLOWED);
        }
        return found;
    }

    private static boolean flag(TransportOptions options, String name) {
        String text = options.text(name, "false", "true and false");
        if (!text.equals("true") && !text.equals("false")) {
            throw options.notAllowed(name, "true and false");
        }
        return text.equals("true");
    }

    /**
     * The memory that a connection registers: its ring, and what is encrypted of it, where the
     * other node's receives are as large as this node's.
     */
    long connectionBytes(int ringBytes) {
        int overhead = encryption.overheadBytes();
        return overhead == 0
                ? ringBytes
                : ringBytes
                        + SendStaging.regionBytes(sendQueueRequests, Math.min(receiveBytesMax() - overhead, ringBytes));
    }

    /** The largest message that fits into a receive. */
    int receiveBytesMax() {
        return receiveSges * receiveBufferBytes;
    }
}
