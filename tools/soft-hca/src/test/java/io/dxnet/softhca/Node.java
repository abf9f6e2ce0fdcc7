package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/**
 * A device opened through the C ABI with one protection domain, and short forms of the verbs.
 * Offsets are those of the C header, written down here once more.
 */
final class Node implements AutoCloseable {
    static final int ALL_ACCESS = 15;

    final long context;
    final long pd;
    final SoftFaults faults;

    /** The path MTU's code of connections. */
    int mtu = Ibv.IBV_MTU_1024;

    private final long wcs = LibC.calloc(48 * 1024);
    private final List<Long> blocks = new ArrayList<>();

    Node(String device) {
        faults = SoftFaults.of(device);
        context = open(device);
        pd = C.pointer("ibv_alloc_pd", context);
    }

    static long open(String name) {
        int[] found = new int[1];
        long count = LibC.calloc(8);
        long list = C.pointer("ibv_get_device_list", count);
        long context = 0;
        for (int i = 0; Memory.getLong(list + i * 8L) != 0; i++) {
            long device = Memory.getLong(list + i * 8L);
            byte[] text = (name + "\0").getBytes();
            if (new String(Memory.getBytes(device + 24, text.length)).equals(name + "\0")) {
                context = C.pointer("ibv_open_device", device);
                found[0]++;
            }
        }
        C.run("ibv_free_device_list", list);
        assertThat(found[0]).as("devices called %s", name).isEqualTo(1);
        return context;
    }

    /** Zeroed memory that lives as long as this. */
    long memory(long bytes) {
        long block = LibC.calloc(bytes);
        blocks.add(block);
        return block;
    }

    /** Destroys everything, as a process that ends. */
    @Override
    public void close() {
        faults.clear();
        C.status("ibv_close_device", context);
        blocks.forEach(LibC::free);
        LibC.free(wcs);
    }

    long register(long address, long bytes, int access) {
        return C.pointer("ibv_reg_mr_iova2", pd, address, bytes, address, access);
    }

    static int key(long mr) {
        return Memory.getInt(mr + 36);
    }

    long cq(int entries) {
        return cq(entries, 0);
    }

    long cq(int entries, long channel) {
        return C.pointer("ibv_create_cq", context, entries, 77L, channel, 0);
    }

    long srq(int maxWr, int maxSge) {
        long init = memory(24);
        Memory.putInt(init + 8, maxWr);
        Memory.putInt(init + 12, maxSge);
        return C.pointer("ibv_create_srq", pd, init);
    }

    long qp(int type, long sendCq, long recvCq, long srq, int depth, int sges, int inline) {
        long init = memory(64);
        Memory.putLong(init + 8, sendCq);
        Memory.putLong(init + 16, recvCq);
        Memory.putLong(init + 24, srq);
        Memory.putInt(init + 32, depth);
        Memory.putInt(init + 36, depth);
        Memory.putInt(init + 40, sges);
        Memory.putInt(init + 44, sges);
        Memory.putInt(init + 48, inline);
        Memory.putInt(init + 52, type);
        return C.pointer("ibv_create_qp", pd, init);
    }

    long rc(long sendCq, long recvCq, long srq) {
        return qp(Ibv.IBV_QPT_RC, sendCq, recvCq, srq, 16, 4, 64);
    }

    static int number(long qp) {
        return Memory.getInt(qp + 52);
    }

    int modify(long qp, int mask, int state, int... offsetsAndValues) {
        long attr = LibC.calloc(144);
        try {
            Memory.putInt(attr, state);
            for (int i = 0; i < offsetsAndValues.length; i += 2) {
                int offset = offsetsAndValues[i];
                if (offset >= 120) {
                    Memory.putByte(attr + offset, offsetsAndValues[i + 1]);
                } else {
                    Memory.putInt(attr + offset, offsetsAndValues[i + 1]);
                }
            }
            return C.status("ibv_modify_qp", qp, attr, mask);
        } finally {
            LibC.free(attr);
        }
    }

    int toState(long qp, int state) {
        return modify(qp, Ibv.IBV_QP_STATE, state);
    }

    static int initMask() {
        return Ibv.IBV_QP_STATE | Ibv.IBV_QP_PKEY_INDEX | Ibv.IBV_QP_PORT | Ibv.IBV_QP_ACCESS_FLAGS;
    }

    int toInit(long qp) {
        return modify(qp, initMask(), Ibv.IBV_QPS_INIT, 32, ALL_ACCESS, 129, 1);
    }

    /** Tuning of a connection. */
    record Tuning(int timeout, int retries, int rnrRetries, int rnrTimer) {
        static final Tuning DEFAULT = new Tuning(14, 6, 7, 12);
    }

    static int rtrMask() {
        return Ibv.IBV_QP_STATE
                | Ibv.IBV_QP_AV
                | Ibv.IBV_QP_PATH_MTU
                | Ibv.IBV_QP_DEST_QPN
                | Ibv.IBV_QP_RQ_PSN
                | Ibv.IBV_QP_MAX_DEST_RD_ATOMIC
                | Ibv.IBV_QP_MIN_RNR_TIMER;
    }

    static int rtsMask() {
        return Ibv.IBV_QP_STATE
                | Ibv.IBV_QP_TIMEOUT
                | Ibv.IBV_QP_RETRY_CNT
                | Ibv.IBV_QP_RNR_RETRY
                | Ibv.IBV_QP_SQ_PSN
                | Ibv.IBV_QP_MAX_QP_RD_ATOMIC;
    }

    int toRtr(long qp, Node peer, int peerNumber, Tuning tuning) {
        long attr = LibC.calloc(144);
        try {
            Memory.putInt(attr, Ibv.IBV_QPS_RTR);
            Memory.putInt(attr + 8, mtu);
            Memory.putInt(attr + 28, peerNumber);
            peer.writePath(attr + 56);
            Memory.putByte(attr + 127, 4);
            Memory.putByte(attr + 128, tuning.rnrTimer());
            return C.status("ibv_modify_qp", qp, attr, rtrMask());
        } finally {
            LibC.free(attr);
        }
    }

    /**
     * Writes the {@code ibv_ah_attr} that leads here: by GID 1 on Ethernet, by LID on InfiniBand.
     */
    void writePath(long ah) {
        Memory.putByte(ah + 30, 1);
        long port = LibC.calloc(64);
        assertThat(C.status("ibv_query_port", context, (byte) 1, port)).isZero();
        int lid = Short.toUnsignedInt(Memory.getShort(port + 34));
        LibC.free(port);
        if (lid != 0) {
            Memory.putShort(ah + 24, lid);
        } else {
            assertThat(C.status("ibv_query_gid", context, (byte) 1, 1, ah)).isZero();
            Memory.putByte(ah + 20, 1);
            Memory.putByte(ah + 21, 1);
            Memory.putByte(ah + 29, 1);
        }
    }

    int toRts(long qp, Tuning tuning) {
        return modify(
                qp,
                rtsMask(),
                Ibv.IBV_QPS_RTS,
                126,
                4,
                130,
                tuning.timeout(),
                131,
                tuning.retries(),
                132,
                tuning.rnrRetries());
    }

    /** Moves two queue pairs from RESET to RTS. */
    static void connect(Node one, long qp1, Node other, long qp2, Tuning tuning) {
        assertThat(one.toInit(qp1)).isZero();
        assertThat(other.toInit(qp2)).isZero();
        assertThat(one.toRtr(qp1, other, number(qp2), tuning)).isZero();
        assertThat(other.toRtr(qp2, one, number(qp1), tuning)).isZero();
        assertThat(one.toRts(qp1, tuning)).isZero();
        assertThat(other.toRts(qp2, tuning)).isZero();
    }

    static void connect(Node one, long qp1, Node other, long qp2) {
        connect(one, qp1, other, qp2, Tuning.DEFAULT);
    }

    private static long operation(long object, int offset) {
        return Memory.getLong(Memory.getLong(object) + offset);
    }

    static int postSend(long qp, long wr, long bad) {
        return C.status(operation(qp, 208), qp, wr, bad);
    }

    static int postRecv(long qp, long wr, long bad) {
        return C.status(operation(qp, 216), qp, wr, bad);
    }

    static int postSrqRecv(long srq, long wr, long bad) {
        return C.status(operation(srq, 168), srq, wr, bad);
    }

    static int arm(long cq, boolean solicitedOnly) {
        return C.status(operation(cq, 104), cq, solicitedOnly ? 1 : 0);
    }

    /** Polls once. */
    List<Wc> poll(long cq, int limit) {
        int count = C.status(operation(cq, 96), cq, limit, wcs);
        assertThat(count).isBetween(0, limit);
        List<Wc> completions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            completions.add(Wc.read(wcs + i * 48L));
        }
        return completions;
    }

    /** Polls until {@code count} completions came. */
    List<Wc> await(long cq, int count) {
        List<Wc> completions = new ArrayList<>();
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (completions.size() < count) {
            completions.addAll(poll(cq, count - completions.size()));
            assertThat(System.nanoTime() < deadline)
                    .as("%s of %s completions", completions, count)
                    .isTrue();
        }
        return completions;
    }

    Wc awaitOne(long cq) {
        return await(cq, 1).getFirst();
    }

    /** An {@code ibv_send_wr} with up to four gather entries of (address, length, key). */
    long send(long id, int opcode, int flags, long... sges) {
        long wr = memory(128);
        Memory.putLong(wr, id);
        Memory.putInt(wr + 28, opcode);
        Memory.putInt(wr + 32, flags);
        writeSges(wr + 16, wr + 24, sges);
        return wr;
    }

    long signaled(long id, long... sges) {
        return send(id, Ibv.IBV_WR_SEND, Ibv.IBV_SEND_SIGNALED, sges);
    }

    long rdma(long id, int opcode, long remote, int rkey, long... sges) {
        long wr = send(id, opcode, Ibv.IBV_SEND_SIGNALED, sges);
        Memory.putLong(wr + 40, remote);
        Memory.putInt(wr + 48, rkey);
        return wr;
    }

    long recv(long id, long... sges) {
        long wr = memory(32);
        Memory.putLong(wr, id);
        writeSges(wr + 16, wr + 24, sges);
        return wr;
    }

    private void writeSges(long list, long count, long... sges) {
        long at = memory(Math.max(1, sges.length / 3) * 16L);
        for (int i = 0; i < sges.length / 3; i++) {
            Memory.putLong(at + i * 16L, sges[3 * i]);
            Memory.putInt(at + i * 16L + 8, (int) sges[3 * i + 1]);
            Memory.putInt(at + i * 16L + 12, (int) sges[3 * i + 2]);
        }
        Memory.putLong(list, at);
        Memory.putInt(count, sges.length / 3);
    }

    /** Chains work requests and returns the first. */
    static long chain(long... wrs) {
        for (int i = 0; i + 1 < wrs.length; i++) {
            Memory.putLong(wrs[i] + 8, wrs[i + 1]);
        }
        return wrs[0];
    }

    /**
     * Reads an asynchronous event and acknowledges it;
     * returns its type and its element.
     */
    long[] asyncEvent() {
        long event = memory(16);
        assertThat(C.status("ibv_get_async_event", context, event)).isZero();
        C.run("ibv_ack_async_event", event);
        return new long[] {Memory.getInt(event + 8), Memory.getLong(event)};
    }

    /** The types of the asynchronous events that are there. */
    List<Integer> asyncEventTypes() {
        List<Integer> types = new ArrayList<>();
        int fd = Memory.getInt(context + 268);
        while (LibC.awaitReadable(fd, 0)) {
            types.add((int) asyncEvent()[0]);
        }
        return types;
    }
}
