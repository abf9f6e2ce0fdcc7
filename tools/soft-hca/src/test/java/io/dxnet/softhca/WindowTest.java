package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Memory windows and re-registration, as a program in C has them. */
class WindowTest {
    private static final int BINDABLE = Node.ALL_ACCESS | Ibv.IBV_ACCESS_MW_BIND;
    private static final int SIGNALED = Ibv.IBV_SEND_SIGNALED;

    /** A pair whose end B has a region that windows may be bound to. */
    private static final class Windows implements AutoCloseable {
        final Pair pair = new Pair();
        final long mr = pair.b.register(pair.bufferB, Pair.BYTES, BINDABLE);

        static long allocate(Node node, int type) {
            return C.pointer(Memory.getLong(node.context + 64), node.pd, type);
        }

        static int free(long mw) {
            return C.status(Memory.getLong(Memory.getLong(mw) + 80), mw);
        }

        long window() {
            return allocate(pair.b, Ibv.IBV_MW_TYPE_2);
        }

        static int key(long mw) {
            return Memory.getInt(mw + 16);
        }

        /** Posts a bind to the next key, and returns its status. */
        int bind(long qp, long cq, long mw, long region, long offset, long bytes, int access) {
            long wr = pair.b.send(1, Ibv.IBV_WR_BIND_MW, SIGNALED);
            Memory.putLong(wr + 80, mw);
            Memory.putInt(wr + 88, key(mw) & ~0xff | key(mw) + 1 & 0xff);
            Memory.putLong(wr + 96, region);
            Memory.putLong(wr + 104, pair.bufferB + offset);
            Memory.putLong(wr + 112, bytes);
            Memory.putInt(wr + 120, access);
            assertThat(Node.postSend(qp, wr, 0)).isZero();
            return pair.b.awaitOne(cq).status();
        }

        int bind(long mw, long offset, long bytes, int access) {
            return bind(pair.qpB, pair.sendCqB, mw, mr, offset, bytes, access);
        }

        int invalidate(int key) {
            long wr = pair.b.send(2, Ibv.IBV_WR_LOCAL_INV, SIGNALED);
            Memory.putInt(wr + 36, key);
            assertThat(Node.postSend(pair.qpB, wr, 0)).isZero();
            return pair.b.awaitOne(pair.sendCqB).status();
        }

        int write(int key, long offset) {
            pair.send(pair.a.rdma(3, Ibv.IBV_WR_RDMA_WRITE, pair.bufferB + offset, key, pair.bufferA, 8, pair.keyA));
            return pair.a.awaitOne(pair.sendCqA).status();
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    @Test
    void shouldOfferWindowsOfType2BAlone() {
        try (Windows windows = new Windows()) {
            Node node = windows.pair.b;
            assertThat(Windows.allocate(node, 1)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EOPNOTSUPP);
            long mw = windows.window();
            assertThat(Memory.getLong(mw)).isEqualTo(node.context);
            assertThat(Memory.getLong(mw + 8)).isEqualTo(node.pd);
            assertThat(Memory.getInt(mw + 24)).isEqualTo(Ibv.IBV_MW_TYPE_2);
            assertThat(C.status("ibv_dealloc_pd", node.pd)).isEqualTo(Ibv.EBUSY);
            assertThat(Windows.free(mw)).isZero();
            long attr = node.memory(232);
            assertThat(C.status("ibv_query_device", node.context, attr)).isZero();
            assertThat(Memory.getInt(attr + 116) & 1 << 24).isNotZero();
            assertThat(Memory.getInt(attr + 116) & (1 << 17 | 1 << 23)).isZero();
        }
    }

    @Test
    void shouldFailToAllocateWhenAFaultDemandsIt() {
        try (Windows windows = new Windows()) {
            windows.pair.b.faults.failNextCalls("ibv_alloc_mw", Ibv.ENOMEM, 1);
            assertThat(windows.window()).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.ENOMEM);
            assertThat(windows.window()).isNotZero();
        }
    }

    @Test
    void shouldRefuseBindsThatTheSpecificationForbids() {
        for (int reason = 0; reason < 6; reason++) {
            try (Windows windows = new Windows()) {
                long mw = windows.window();
                int write = Ibv.IBV_ACCESS_REMOTE_WRITE;
                Pair pair = windows.pair;
                int status = switch (reason) {
                    case 0 -> windows.bind(mw, 0, 0, write);
                    case 1 -> windows.bind(mw, Pair.BYTES - 4, 5, write);
                    case 2 -> windows.bind(mw, -1, 5, write);
                    case 3 -> windows.bind(pair.qpB, pair.sendCqB, mw, pair.mrB, 0, 8, write);
                    case 4 -> windows.bind(mw, 0, 8, Ibv.IBV_ACCESS_LOCAL_WRITE);
                    default -> {
                        long readOnly = pair.b.register(pair.bufferB, 64, Ibv.IBV_ACCESS_MW_BIND);
                        yield windows.bind(pair.qpB, pair.sendCqB, mw, readOnly, 0, 8, write);
                    }
                };
                assertThat(status).as("%s", reason).isEqualTo(Ibv.IBV_WC_MW_BIND_ERR);
                assertThat(Pair.state(pair.qpB)).isEqualTo(Ibv.IBV_QPS_ERR);
                assertThat(C.status("ibv_dereg_mr", windows.mr)).isZero();
            }
        }
    }

    @Test
    void shouldNotBindToAKeyOfAnotherWindow() {
        try (Windows windows = new Windows()) {
            long mw = windows.window();
            Memory.putInt(mw + 16, Windows.key(mw) + 0x100);
            assertThat(windows.bind(mw, 0, 8, Ibv.IBV_ACCESS_REMOTE_READ)).isEqualTo(Ibv.IBV_WC_MW_BIND_ERR);
        }
    }

    @Test
    void shouldKeepARegionWhileAWindowIsBound() {
        try (Windows windows = new Windows()) {
            long mw = windows.window();
            assertThat(windows.bind(mw, 8, 8, Ibv.IBV_ACCESS_REMOTE_WRITE)).isZero();
            assertThat(C.status("ibv_dereg_mr", windows.mr)).isEqualTo(Ibv.EBUSY);
            assertThat(rereg(windows.mr, Ibv.IBV_REREG_MR_CHANGE_ACCESS, 0, 0, 0, BINDABLE))
                    .isEqualTo(Ibv.IBV_REREG_MR_ERR_CMD);
            assertThat(C.errno()).isEqualTo(Ibv.EBUSY);
            assertThat(windows.write(Windows.key(mw), 8)).isZero();
            windows.pair.assertSame(0, 8, 8);
            assertThat(windows.invalidate(Windows.key(mw))).isZero();
            assertThat(C.status("ibv_dereg_mr", windows.mr)).isZero();
        }
    }

    @Test
    void shouldUnbindWhenTheQueuePairIsDestroyed() {
        try (Windows windows = new Windows()) {
            long mw = windows.window();
            assertThat(windows.bind(mw, 0, 8, Ibv.IBV_ACCESS_REMOTE_WRITE)).isZero();
            assertThat(C.status("ibv_destroy_qp", windows.pair.qpB)).isZero();
            assertThat(C.status("ibv_dereg_mr", windows.mr)).isZero();
            assertThat(Windows.free(mw)).isZero();
        }
    }

    @Test
    void shouldRefuseElementsOfALocalRequest() {
        try (Windows windows = new Windows()) {
            Pair pair = windows.pair;
            long wr = pair.b.send(1, Ibv.IBV_WR_LOCAL_INV, SIGNALED, pair.bufferB, 8, pair.keyB);
            assertThat(Node.postSend(pair.qpB, wr, 0)).isEqualTo(Ibv.EINVAL);
        }
    }

    @Test
    void shouldNotUseAWindowsKeyLocally() {
        try (Windows windows = new Windows()) {
            long mw = windows.window();
            assertThat(windows.bind(mw, 0, 64, BINDABLE & ~17)).isZero();
            long wr = windows.pair.b.signaled(5, windows.pair.bufferB, 8, Windows.key(mw));
            assertThat(Node.postSend(windows.pair.qpB, wr, 0)).isZero();
            assertThat(windows.pair.b.awaitOne(windows.pair.sendCqB).status()).isEqualTo(Ibv.IBV_WC_LOC_PROT_ERR);
        }
    }

    @Test
    void shouldFailBothEndsWhenAPeerInvalidatesAWrongKey() {
        try (Windows windows = new Windows()) {
            Pair pair = windows.pair;
            pair.receive(1, 0, 64);
            long wr = pair.a.send(1, Ibv.IBV_WR_SEND_WITH_INV, SIGNALED, pair.bufferA, 8, pair.keyA);
            Memory.putInt(wr + 36, Windows.key(windows.window()));
            pair.send(wr);
            pair.assertFailure(Ibv.IBV_WC_REM_ACCESS_ERR, Ibv.IBV_WC_REM_INV_REQ_ERR);
        }
    }

    private static int rereg(long mr, int flags, long pd, long address, long length, int access) {
        return C.status("ibv_rereg_mr", mr, flags, pd, address, length, access);
    }

    @Test
    void shouldReportErrorsOfReregistrationAsLibibverbs() {
        try (Pair pair = new Pair()) {
            int moves = Ibv.IBV_REREG_MR_CHANGE_TRANSLATION;
            int[] input = {
                rereg(pair.mrA, 8, 0, 0, 0, 0),
                rereg(pair.mrA, moves, 0, pair.bufferA, 0, 0),
                rereg(pair.mrA, moves, 0, 0, 8, 0),
                rereg(pair.mrA, moves, 0, pair.bufferA, 8, 1)
            };
            assertThat(input).containsOnly(Ibv.IBV_REREG_MR_ERR_INPUT);
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
            assertThat(rereg(pair.mrA, moves, 0, 4096, 8, 0)).isEqualTo(Ibv.IBV_REREG_MR_ERR_CMD);
            assertThat(C.errno()).isEqualTo(Ibv.EFAULT);
            assertThat(rereg(pair.mrA, Ibv.IBV_REREG_MR_CHANGE_PD, pair.b.pd, 0, 0, 0))
                    .isEqualTo(Ibv.IBV_REREG_MR_ERR_CMD);
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
        }
    }

    @Test
    void shouldKeepTheKeyUnlessTheMemoryChanges() {
        try (Pair pair = new Pair()) {
            long before = SoftHca.census().registeredBytes();
            assertThat(rereg(pair.mrB, Ibv.IBV_REREG_MR_CHANGE_ACCESS, 0, 0, 0, 1))
                    .isZero();
            assertThat(Node.key(pair.mrB)).isEqualTo(pair.keyB);
            assertThat(rereg(pair.mrB, Ibv.IBV_REREG_MR_CHANGE_TRANSLATION, 0, pair.bufferB + 64, 64, 0))
                    .isZero();
            assertThat(Node.key(pair.mrB)).isNotEqualTo(pair.keyB);
            assertThat(Memory.getLong(pair.mrB + 16)).isEqualTo(pair.bufferB + 64);
            assertThat(Memory.getLong(pair.mrB + 24)).isEqualTo(64);
            assertThat(SoftHca.census().registeredBytes()).isEqualTo(before - Pair.BYTES + 64);
            long pd = C.pointer("ibv_alloc_pd", pair.b.context);
            assertThat(rereg(pair.mrB, Ibv.IBV_REREG_MR_CHANGE_PD, pd, 0, 0, 0)).isZero();
            assertThat(Memory.getLong(pair.mrB + 8)).isEqualTo(pd);
            assertThat(C.status("ibv_dealloc_pd", pd)).isEqualTo(Ibv.EBUSY);
            assertThat(C.status("ibv_dereg_mr", pair.mrB)).isZero();
            assertThat(C.status("ibv_dealloc_pd", pd)).isZero();
        }
    }
}
