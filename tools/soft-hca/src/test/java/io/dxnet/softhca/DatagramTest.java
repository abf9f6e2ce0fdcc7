package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatagramTest {
    private static final int QKEY = 0x1234;

    /** One end: a device with a datagram queue pair. */
    private static final class End implements AutoCloseable {
        final Node node;
        final long cq;
        final long qp;
        final long buffer;
        final int key;

        End(String device) {
            node = new Node(device);
            cq = node.cq(16);
            qp = node.qp(Ibv.IBV_QPT_UD, cq, cq, 0, 8, 2, 0);
            int init = Ibv.IBV_QP_STATE | Ibv.IBV_QP_PKEY_INDEX | Ibv.IBV_QP_PORT | Ibv.IBV_QP_QKEY;
            assertThat(node.modify(qp, init, Ibv.IBV_QPS_INIT, 129, 1, 16, QKEY))
                    .isZero();
            assertThat(node.toState(qp, Ibv.IBV_QPS_RTR)).isZero();
            assertThat(node.modify(qp, Ibv.IBV_QP_STATE | Ibv.IBV_QP_SQ_PSN, Ibv.IBV_QPS_RTS))
                    .isZero();
            buffer = node.memory(16384);
            key = Node.key(node.register(buffer, 16384, Node.ALL_ACCESS));
        }

        long handleTo(End other) {
            long attr = node.memory(32);
            other.node.writePath(attr);
            return C.pointer("ibv_create_ah", node.pd, attr);
        }

        long datagram(long id, long handle, End to, int qkey, long bytes) {
            long wr = node.send(id, Ibv.IBV_WR_SEND_WITH_IMM, Ibv.IBV_SEND_SIGNALED, buffer, bytes, key);
            Memory.putInt(wr + 36, 0x01020304);
            Memory.putLong(wr + 40, handle);
            Memory.putInt(wr + 48, Node.number(to.qp));
            Memory.putInt(wr + 52, qkey);
            return wr;
        }

        void receive(long id, long offset, long bytes) {
            assertThat(Node.postRecv(qp, node.recv(id, buffer + offset, bytes, key), 0))
                    .isZero();
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"soft0,soft1", "softib0,softib1"})
    void shouldDeliverAndAnswer(String one, String other) {
        try (End a = new End(one);
                End b = new End(other)) {
            long ah = a.handleTo(b);
            Memory.putLong(a.buffer, 4711);
            b.receive(3, 0, 200);
            assertThat(Node.postSend(a.qp, a.datagram(1, ah, b, QKEY, 100), 0)).isZero();
            assertThat(a.node.awaitOne(a.cq).ok()).isTrue();
            Wc received = b.node.awaitOne(b.cq);
            assertThat(received.byteLen()).isEqualTo(140);
            assertThat(received.srcQp()).isEqualTo(Node.number(a.qp));
            assertThat(received.imm()).isEqualTo(0x01020304);
            assertThat(Memory.getLong(b.buffer + 40)).isEqualTo(4711);
            assertThat((received.flags() & Ibv.IBV_WC_GRH) != 0).isEqualTo(one.equals("soft0"));
            // The way back, from the completion.
            b.receive(4, 0, 200);
            assertThat(Node.postSend(a.qp, a.datagram(1, ah, b, QKEY, 100), 0)).isZero();
            long wc = b.node.memory(48);
            assertThat(C.status(Memory.getLong(b.node.context + 96), b.cq, 1, wc))
                    .isEqualTo(1);
            long back = C.pointer("ibv_create_ah_from_wc", b.node.pd, wc, b.buffer, (byte) 1);
            assertThat(back).isNotZero();
            a.receive(5, 1000, 200);
            assertThat(Node.postSend(b.qp, b.datagram(6, back, a, QKEY, 8), 0)).isZero();
            List<Wc> completions = a.node.await(a.cq, 2);
            assertThat(completions.get(1).wrId()).isEqualTo(5);
        }
    }

    @Test
    void shouldDropWhatNobodyTakes() {
        try (End a = new End("soft0");
                End b = new End("soft1")) {
            long ah = a.handleTo(b);
            assertThat(Node.postSend(a.qp, a.datagram(1, ah, b, QKEY, 8), 0))
                    .as("no receive")
                    .isZero();
            b.receive(1, 0, 100);
            assertThat(Node.postSend(a.qp, a.datagram(2, ah, b, QKEY + 1, 8), 0))
                    .as("wrong key")
                    .isZero();
            a.node.faults.loseNext(1);
            assertThat(Node.postSend(a.qp, a.datagram(3, ah, b, QKEY, 8), 0))
                    .as("lost")
                    .isZero();
            assertThat(a.node.await(a.cq, 3)).allMatch(Wc::ok);
            assertThat(b.node.poll(b.cq, 4)).isEmpty();
            assertThat(Node.postSend(a.qp, a.datagram(4, ah, b, QKEY, 8), 0)).isZero();
            assertThat(b.node.awaitOne(b.cq).ok()).isTrue();
        }
    }

    @Test
    void shouldFailWhatIsLongerThanAPacketAndStopSendingOnly() {
        try (End a = new End("soft0");
                End b = new End("soft1")) {
            long ah = a.handleTo(b);
            long chain = Node.chain(a.datagram(1, ah, b, QKEY, 4097), a.datagram(2, ah, b, QKEY, 8));
            assertThat(Node.postSend(a.qp, chain, 0)).isZero();
            assertThat(Wc.statuses(a.node.await(a.cq, 2)))
                    .containsExactly(Ibv.IBV_WC_LOC_LEN_ERR, Ibv.IBV_WC_WR_FLUSH_ERR);
            assertThat(Pair.state(a.qp)).isEqualTo(Ibv.IBV_QPS_SQE);
            a.receive(1, 0, 100);
            assertThat(Node.postSend(b.qp, b.datagram(1, b.handleTo(a), a, QKEY, 8), 0))
                    .isZero();
            assertThat(a.node.awaitOne(a.cq).ok()).isTrue();
            assertThat(a.node.toState(a.qp, Ibv.IBV_QPS_RTS)).isZero();
            b.receive(2, 0, 100);
            assertThat(Node.postSend(a.qp, a.datagram(3, ah, b, QKEY, 8), 0)).isZero();
            assertThat(a.node.awaitOne(a.cq).ok()).isTrue();
        }
    }

    @Test
    void shouldFailAReceiveThatIsTooShort() {
        try (End a = new End("soft0");
                End b = new End("soft1")) {
            b.receive(1, 0, 47);
            assertThat(Node.postSend(a.qp, a.datagram(1, a.handleTo(b), b, QKEY, 8), 0))
                    .isZero();
            assertThat(a.node.awaitOne(a.cq).ok()).isTrue();
            assertThat(b.node.awaitOne(b.cq).status()).isEqualTo(Ibv.IBV_WC_LOC_LEN_ERR);
        }
    }

    @Test
    void shouldRefuseWhatDatagramsCannotDo() {
        try (End a = new End("soft0")) {
            assertThat(Node.postSend(a.qp, a.node.rdma(1, Ibv.IBV_WR_RDMA_WRITE, 0, 0), 0))
                    .isEqualTo(Ibv.EINVAL);
            assertThat(Node.postSend(a.qp, a.datagram(1, 12345, a, QKEY, 8), 0)).isZero();
            assertThat(a.node.awaitOne(a.cq).status()).isEqualTo(Ibv.IBV_WC_LOC_QP_OP_ERR);
            long attr = a.node.memory(32);
            assertThat(C.pointer("ibv_create_ah", a.node.pd, attr)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
        }
    }
}
