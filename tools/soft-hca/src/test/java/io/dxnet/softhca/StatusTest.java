package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.softhca.roce.RetryTimes;
import org.junit.jupiter.api.Test;

/** Each way a request can fail, with the status that the specification defines for it. */
class StatusTest {
    private static final int NONE = -1;

    @Test
    void shouldFailBothEndsWhenTheMessageIsLongerThanTheReceive() {
        try (Pair pair = new Pair()) {
            pair.receive(1, 0, 63);
            pair.send(1, 64);
            pair.assertFailure(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_WC_LOC_LEN_ERR);
        }
    }

    @Test
    void shouldReportABadLocalKey() {
        try (Pair pair = new Pair()) {
            pair.receive(1, 0, 64);
            pair.send(pair.a.signaled(1, pair.bufferA, 64, pair.keyA + 1));
            pair.assertFailure(Ibv.IBV_WC_LOC_PROT_ERR, NONE);
            assertThat(pair.b.poll(pair.recvCqB, 1)).isEmpty();
        }
    }

    @Test
    void shouldReportAKeyOfAnotherProtectionDomain() {
        try (Pair pair = new Pair()) {
            long otherPd = C.pointer("ibv_alloc_pd", pair.a.context);
            long mr = C.pointer("ibv_reg_mr", otherPd, pair.bufferA, 64L, 0);
            pair.send(pair.a.signaled(1, pair.bufferA, 64, Node.key(mr)));
            pair.assertFailure(Ibv.IBV_WC_LOC_PROT_ERR, NONE);
        }
    }

    @Test
    void shouldReportALocalRangeBeyondTheRegion() {
        try (Pair pair = new Pair()) {
            pair.send(pair.a.signaled(1, pair.bufferA + Pair.BYTES - 10, 11, pair.keyA));
            pair.assertFailure(Ibv.IBV_WC_LOC_PROT_ERR, NONE);
        }
    }

    @Test
    void shouldReportADeregisteredRegion() {
        try (Pair pair = new Pair()) {
            assertThat(C.status("ibv_dereg_mr", pair.mrA)).isZero();
            pair.send(1, 8);
            pair.assertFailure(Ibv.IBV_WC_LOC_PROT_ERR, NONE);
        }
    }

    @Test
    void shouldReportAReceiveWithABadKey() {
        try (Pair pair = new Pair()) {
            pair.receive(pair.b.recv(1, pair.bufferB, 64, 77));
            pair.send(1, 64);
            pair.assertFailure(Ibv.IBV_WC_REM_OP_ERR, Ibv.IBV_WC_LOC_PROT_ERR);
        }
    }

    @Test
    void shouldReportAReceiveIntoReadOnlyMemory() {
        try (Pair pair = new Pair()) {
            long mr = pair.b.register(pair.bufferB, 64, 0);
            pair.receive(pair.b.recv(1, pair.bufferB, 64, Node.key(mr)));
            pair.send(1, 64);
            pair.assertFailure(Ibv.IBV_WC_REM_OP_ERR, Ibv.IBV_WC_LOC_PROT_ERR);
        }
    }

    @Test
    void shouldReportABadRemoteKey() {
        try (Pair pair = new Pair()) {
            pair.send(pair.a.rdma(1, Ibv.IBV_WR_RDMA_WRITE, pair.bufferB, pair.keyB + 1, pair.bufferA, 8, pair.keyA));
            pair.assertFailure(Ibv.IBV_WC_REM_ACCESS_ERR, NONE);
            assertThat(Pair.state(pair.qpB)).isEqualTo(Ibv.IBV_QPS_ERR);
            assertThat(pair.b.asyncEventTypes()).containsExactly(Ibv.IBV_EVENT_QP_ACCESS_ERR);
        }
    }

    @Test
    void shouldReportARemoteRangeBeyondTheRegion() {
        try (Pair pair = new Pair()) {
            pair.send(pair.a.rdma(
                    1, Ibv.IBV_WR_RDMA_READ, pair.bufferB + Pair.BYTES - 4, pair.keyB, pair.bufferA, 8, pair.keyA));
            pair.assertFailure(Ibv.IBV_WC_REM_ACCESS_ERR, NONE);
        }
    }

    @Test
    void shouldReportARegionWithoutRemoteAccess() {
        try (Pair pair = new Pair()) {
            long mr = pair.b.register(pair.bufferB, 64, Ibv.IBV_ACCESS_LOCAL_WRITE);
            pair.send(pair.a.rdma(1, Ibv.IBV_WR_RDMA_READ, pair.bufferB, Node.key(mr), pair.bufferA, 8, pair.keyA));
            pair.assertFailure(Ibv.IBV_WC_REM_ACCESS_ERR, NONE);
        }
    }

    @Test
    void shouldReportAQueuePairWithoutRemoteAccess() {
        try (Pair pair = new Pair()) {
            assertThat(pair.b.modify(pair.qpB, Ibv.IBV_QP_STATE | Ibv.IBV_QP_ACCESS_FLAGS, Ibv.IBV_QPS_RTS, 32, 0))
                    .isZero();
            pair.send(pair.a.rdma(1, Ibv.IBV_WR_RDMA_WRITE, pair.bufferB, pair.keyB, pair.bufferA, 8, pair.keyA));
            pair.assertFailure(Ibv.IBV_WC_REM_INV_REQ_ERR, NONE);
            assertThat(pair.b.asyncEventTypes()).containsExactly(Ibv.IBV_EVENT_QP_REQ_ERR);
        }
    }

    @Test
    void shouldReportAMisalignedAtomic() {
        try (Pair pair = new Pair()) {
            long wr =
                    pair.a.send(1, Ibv.IBV_WR_ATOMIC_FETCH_AND_ADD, Ibv.IBV_SEND_SIGNALED, pair.bufferA, 8, pair.keyA);
            Memory.putLong(wr + 40, pair.bufferB + 4);
            Memory.putInt(wr + 64, pair.keyB);
            pair.send(wr);
            pair.assertFailure(Ibv.IBV_WC_REM_INV_REQ_ERR, NONE);
        }
    }

    @Test
    void shouldReportAReadIntoReadOnlyMemory() {
        try (Pair pair = new Pair()) {
            long mr = pair.a.register(pair.bufferA, 64, 0);
            pair.send(pair.a.rdma(1, Ibv.IBV_WR_RDMA_READ, pair.bufferB, pair.keyB, pair.bufferA, 8, Node.key(mr)));
            pair.assertFailure(Ibv.IBV_WC_LOC_PROT_ERR, NONE);
        }
    }

    @Test
    void shouldReportWhatIsLongerThanAMessageMayBe() {
        try (Pair pair = new Pair()) {
            long part = 64 << 20;
            long memory = pair.a.memory(part);
            int key = Node.key(pair.a.register(memory, part, 0));
            long[] sges = new long[3 * 17];
            for (int i = 0; i < sges.length; i += 3) {
                sges[i] = memory;
                sges[i + 1] = part;
                sges[i + 2] = key;
            }
            long qp = pair.a.qp(Ibv.IBV_QPT_RC, pair.sendCqA, pair.recvCqA, 0, 4, 32, 0);
            long peer = pair.b.rc(pair.sendCqB, pair.recvCqB, 0);
            Node.connect(pair.a, qp, pair.b, peer);
            assertThat(Node.postSend(qp, pair.a.signaled(1, sges), 0)).isZero();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isEqualTo(Ibv.IBV_WC_LOC_LEN_ERR);
        }
    }

    @Test
    void shouldGiveUpWhenNobodyAnswers() {
        try (Pair pair = new Pair(false, new Node.Tuning(8, 1, 7, 12))) {
            assertThat(C.status("ibv_destroy_qp", pair.qpB)).isZero();
            long start = System.nanoTime();
            pair.send(1, 64);
            assertThat(pair.a.poll(pair.sendCqA, 1)).isEmpty();
            pair.assertFailure(Ibv.IBV_WC_RETRY_EXC_ERR, NONE);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * RetryTimes.ackNs(8));
        }
    }

    @Test
    void shouldGiveUpWhenTheReceiverIsNeverReady() {
        try (Pair pair = new Pair(false, new Node.Tuning(14, 6, 3, 12))) {
            long start = System.nanoTime();
            pair.send(1, 64);
            assertThat(Wc.statuses(pair.a.await(pair.sendCqA, 1))).containsExactly(Ibv.IBV_WC_RNR_RETRY_EXC_ERR);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(3 * RetryTimes.notReadyNs(12));
            assertThat(Pair.state(pair.qpB)).isEqualTo(Ibv.IBV_QPS_RTS);
        }
    }

    @Test
    void shouldGiveUpAtOnceWithoutReceiverNotReadyRetries() {
        try (Pair pair = new Pair(false, new Node.Tuning(14, 6, 0, 12))) {
            pair.send(1, 64);
            assertThat(Wc.statuses(pair.a.poll(pair.sendCqA, 4))).containsExactly(Ibv.IBV_WC_RNR_RETRY_EXC_ERR);
        }
    }

    @Test
    void shouldRefuseReadsOfARequesterThatMayNotHaveAny() {
        try (Node node = new Node("soft0")) {
            long cq = node.cq(8);
            long qp = node.rc(cq, cq, 0);
            node.toInit(qp);
            node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
            assertThat(node.modify(qp, Node.rtsMask(), Ibv.IBV_QPS_RTS, 130, 14))
                    .isZero();
            long buffer = node.memory(64);
            int key = Node.key(node.register(buffer, 64, Node.ALL_ACCESS));
            assertThat(Node.postSend(qp, node.rdma(1, Ibv.IBV_WR_RDMA_READ, buffer, key, buffer, 8, key), 0))
                    .isZero();
            assertThat(node.awaitOne(cq).status()).isEqualTo(Ibv.IBV_WC_LOC_QP_OP_ERR);
        }
    }
}
