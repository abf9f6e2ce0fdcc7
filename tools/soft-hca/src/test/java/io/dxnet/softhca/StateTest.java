package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateTest {
    private final Node node = new Node("soft0");
    private long cq;
    private long qp;

    @BeforeEach
    void create() {
        cq = node.cq(16);
        qp = node.rc(cq, cq, 0);
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void shouldNeedEveryAttributeOfATransition() {
        for (int bit = 1; bit < 1 << 21; bit <<= 1) {
            if ((Node.initMask() & bit) != 0 && bit != Ibv.IBV_QP_STATE) {
                assertThat(node.modify(qp, Node.initMask() & ~bit, Ibv.IBV_QPS_INIT, 129, 1))
                        .isEqualTo(Ibv.EINVAL);
            } else if (bit > Ibv.IBV_QP_CUR_STATE) {
                assertThat(node.modify(qp, Node.initMask() | bit, Ibv.IBV_QPS_INIT, 129, 1))
                        .isEqualTo(Ibv.EINVAL);
            }
        }
        assertThat(node.toInit(qp)).isZero();
        assertThat(node.modify(qp, Node.rtrMask() & ~Ibv.IBV_QP_AV, Ibv.IBV_QPS_RTR, 8, 3))
                .isEqualTo(Ibv.EINVAL);
        assertThat(node.toRtr(qp, node, 5, Node.Tuning.DEFAULT)).isZero();
        assertThat(node.modify(qp, Node.rtsMask() & ~Ibv.IBV_QP_RETRY_CNT, Ibv.IBV_QPS_RTS))
                .isEqualTo(Ibv.EINVAL);
        assertThat(node.toRts(qp, Node.Tuning.DEFAULT)).isZero();
        assertThat(Pair.state(qp)).isEqualTo(Ibv.IBV_QPS_RTS);
        assertThat(Memory.getInt(qp + 56)).isEqualTo(Ibv.IBV_QPS_RTS);
    }

    @Test
    void shouldRefuseTransitionsThatAreNone() {
        assertThat(node.toState(qp, Ibv.IBV_QPS_RTR)).isEqualTo(Ibv.EINVAL);
        assertThat(node.toState(qp, Ibv.IBV_QPS_RTS)).isEqualTo(Ibv.EINVAL);
        assertThat(node.toState(qp, 9)).isEqualTo(Ibv.EINVAL);
        assertThat(node.toState(qp, Ibv.IBV_QPS_ERR)).isZero();
        assertThat(node.toState(qp, Ibv.IBV_QPS_RTS)).isEqualTo(Ibv.EINVAL);
        assertThat(node.toInit(qp)).isEqualTo(Ibv.EINVAL);
        assertThat(node.toState(qp, Ibv.IBV_QPS_RESET)).isZero();
        assertThat(node.toInit(qp)).isZero();
        assertThat(node.modify(qp, Ibv.IBV_QP_STATE | Ibv.IBV_QP_CUR_STATE, Ibv.IBV_QPS_ERR, 4, Ibv.IBV_QPS_RTS))
                .isEqualTo(Ibv.EINVAL);
    }

    @ParameterizedTest
    @CsvSource({"130,32", "131,8", "132,8", "126,129"})
    void shouldRefuseValuesOutOfRange(int offset, int value) {
        node.toInit(qp);
        node.toRtr(qp, node, 5, Node.Tuning.DEFAULT);
        assertThat(node.modify(qp, Node.rtsMask(), Ibv.IBV_QPS_RTS, offset, value))
                .isEqualTo(Ibv.EINVAL);
    }

    @Test
    void shouldCheckPathsAndPorts() {
        assertThat(node.modify(qp, Node.initMask(), Ibv.IBV_QPS_INIT, 129, 2)).isEqualTo(Ibv.EINVAL);
        node.toInit(qp);
        // A path without a global route, and an empty entry of the GID table.
        assertThat(node.modify(qp, Node.rtrMask(), Ibv.IBV_QPS_RTR, 8, 3)).isEqualTo(Ibv.EINVAL);
        assertThat(node.modify(qp, Node.rtrMask(), Ibv.IBV_QPS_RTR, 8, 3, 76, 9, 84, 0, 126, 0))
                .isEqualTo(Ibv.EINVAL);
        long attr = node.memory(144);
        Memory.putInt(attr, Ibv.IBV_QPS_RTR);
        Memory.putInt(attr + 8, 3);
        node.writePath(attr + 56);
        Memory.putByte(attr + 56 + 20, 9);
        assertThat(C.status("ibv_modify_qp", qp, attr, Node.rtrMask())).isEqualTo(Ibv.ENODATA);
        Memory.putByte(attr + 56 + 20, 1);
        Memory.putInt(attr + 8, 6);
        assertThat(C.status("ibv_modify_qp", qp, attr, Node.rtrMask())).isEqualTo(Ibv.EINVAL);
    }

    @Test
    void shouldPostOnlyWhereTheStateAllows() {
        long wr = node.send(1, Ibv.IBV_WR_SEND, 0);
        assertThat(Node.postRecv(qp, node.recv(1), 0)).isEqualTo(Ibv.EINVAL);
        assertThat(Node.postSend(qp, wr, 0)).isEqualTo(Ibv.EINVAL);
        node.toInit(qp);
        assertThat(Node.postRecv(qp, node.recv(1), 0)).isZero();
        assertThat(Node.postSend(qp, wr, 0)).isEqualTo(Ibv.EINVAL);
        node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
        assertThat(Node.postSend(qp, wr, 0)).isEqualTo(Ibv.EINVAL);
        node.toRts(qp, Node.Tuning.DEFAULT);
        assertThat(Node.postSend(qp, wr, 0)).isZero();
        assertThat(node.awaitOne(cq).ok()).isTrue();
    }

    @Test
    void shouldHoldRequestsWhileDrained() {
        node.toInit(qp);
        node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
        node.toRts(qp, Node.Tuning.DEFAULT);
        int mask = Ibv.IBV_QP_STATE | Ibv.IBV_QP_EN_SQD_ASYNC_NOTIFY;
        assertThat(node.modify(qp, mask, Ibv.IBV_QPS_SQD, 124, 1)).isZero();
        assertThat(node.asyncEventTypes()).containsExactly(Ibv.IBV_EVENT_SQ_DRAINED);
        assertThat(Node.postRecv(qp, node.recv(2), 0)).isZero();
        assertThat(Node.postSend(qp, node.signaled(1), 0)).isZero();
        assertThat(node.poll(cq, 4)).isEmpty();
        assertThat(node.toState(qp, Ibv.IBV_QPS_RTS)).isZero();
        assertThat(node.poll(cq, 4)).hasSize(2);
    }

    @Test
    void shouldAnswerWhatWasSet() {
        node.toInit(qp);
        node.toRtr(qp, node, 0x123456, new Node.Tuning(14, 6, 7, 9));
        node.toRts(qp, new Node.Tuning(14, 5, 3, 9));
        long attr = node.memory(256);
        assertThat(C.status("ibv_query_qp", qp, attr, -1, attr + 144)).isZero();
        assertThat(Memory.getInt(attr + 28)).isEqualTo(0x123456);
        assertThat(Memory.getByte(attr + 128)).isEqualTo((byte) 9);
        assertThat(Memory.getByte(attr + 130)).isEqualTo((byte) 14);
        assertThat(Memory.getByte(attr + 131)).isEqualTo((byte) 5);
        assertThat(Memory.getByte(attr + 132)).isEqualTo((byte) 3);
        assertThat(Memory.getInt(attr + 32)).isEqualTo(Node.ALL_ACCESS);
        assertThat(Memory.getByte(attr + 56 + 20)).isEqualTo((byte) 1);
        assertThat(Memory.getLong(attr + 144 + 8)).isEqualTo(cq);
        assertThat(Memory.getInt(attr + 144 + 32)).isEqualTo(16);
    }

    @Test
    void shouldEstablishAConnectionWhoseReceiverIsOnlyReadyToReceive() {
        try (Node other = new Node("soft1")) {
            long otherCq = other.cq(8);
            long receiver = other.rc(otherCq, otherCq, 0);
            other.toInit(receiver);
            other.toRtr(receiver, node, Node.number(qp), Node.Tuning.DEFAULT);
            assertThat(Node.postRecv(receiver, other.recv(1), 0)).isZero();
            node.toInit(qp);
            node.toRtr(qp, other, Node.number(receiver), Node.Tuning.DEFAULT);
            node.toRts(qp, Node.Tuning.DEFAULT);
            assertThat(Node.postSend(qp, node.signaled(1), 0)).isZero();
            assertThat(node.awaitOne(cq).ok()).isTrue();
            assertThat(other.asyncEvent()).containsExactly(Ibv.IBV_EVENT_COMM_EST, receiver);
        }
    }

    @Test
    void shouldGoOnWhenThePeerConnectsLate() {
        try (Node other = new Node("soft1")) {
            long otherCq = other.cq(8);
            long receiver = other.rc(otherCq, otherCq, 0);
            other.toInit(receiver);
            assertThat(Node.postRecv(receiver, other.recv(1), 0)).isZero();
            node.toInit(qp);
            node.toRtr(qp, other, Node.number(receiver), Node.Tuning.DEFAULT);
            node.toRts(qp, Node.Tuning.DEFAULT);
            assertThat(Node.postSend(qp, node.signaled(1), 0)).isZero();
            assertThat(node.poll(cq, 1)).isEmpty();
            other.toRtr(receiver, node, Node.number(qp), Node.Tuning.DEFAULT);
            assertThat(node.awaitOne(cq).ok()).isTrue();
        }
    }
}
