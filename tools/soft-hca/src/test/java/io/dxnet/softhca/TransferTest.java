package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransferTest {
    @ParameterizedTest
    @CsvSource({"soft0,soft1", "soft0,soft0", "softib0,softib1"})
    void shouldDeliverOnEveryPath(String one, String other) {
        try (Pair pair = new Pair(one, other, false, Node.Tuning.DEFAULT)) {
            pair.receive(7, 100, 200);
            pair.send(5, 64);
            Wc sent = pair.a.awaitOne(pair.sendCqA);
            Wc received = pair.b.awaitOne(pair.recvCqB);
            assertThat(sent).isEqualTo(new Wc(5, 0, Ibv.IBV_WC_SEND, 64, 0, Node.number(pair.qpA), 0, 0));
            assertThat(received).isEqualTo(new Wc(7, 0, Ibv.IBV_WC_RECV, 64, 0, Node.number(pair.qpB), 0, 0));
            pair.assertSame(0, 100, 64);
            assertThat(Memory.getByte(pair.bufferB + 164)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 4096, 65537, 1 << 19})
    void shouldDeliverAllSizes(long bytes) {
        try (Pair pair = new Pair()) {
            pair.receive(1, 0, Pair.BYTES);
            pair.send(1, bytes);
            assertThat(pair.b.awaitOne(pair.recvCqB).byteLen()).isEqualTo((int) bytes);
            pair.assertSame(0, 0, bytes);
        }
    }

    @Test
    void shouldGatherAndScatterListsOfAnyShape() {
        try (Pair pair = new Pair()) {
            int key = pair.keyA;
            long a = pair.bufferA;
            long b = pair.bufferB;
            pair.receive(pair.b.recv(
                    1, b, 3, pair.keyB, b + 1000, 0, 12345, b + 2000, 50, pair.keyB, b + 3000, 900, pair.keyB));
            pair.send(pair.a.signaled(1, a, 10, key, a + 500, 0, 99, a + 10, 40, key, a + 50, 60, key));
            assertThat(pair.b.awaitOne(pair.recvCqB).byteLen()).isEqualTo(110);
            pair.assertSame(0, 0, 3);
            pair.assertSame(3, 2000, 50);
            pair.assertSame(53, 3000, 57);
            assertThat(Memory.getByte(b + 3057)).isZero();
            // The device never checked the second entry's wrong key.
            assertThat(pair.a.awaitOne(pair.sendCqA).ok()).isTrue();
        }
    }

    @Test
    void shouldDeliverImmediateDataUntouched() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            pair.receive(pair.b.recv(3));
            long wr = pair.a.send(4, Ibv.IBV_WR_SEND_WITH_IMM, Ibv.IBV_SEND_SIGNALED);
            Memory.putInt(wr + 36, 0x80000001);
            pair.send(wr);
            Wc received = pair.b.awaitOne(pair.recvCqB);
            assertThat(received.imm()).isEqualTo(0x80000001);
            assertThat(received.flags()).isEqualTo(Ibv.IBV_WC_WITH_IMM);
            assertThat(received.byteLen()).isZero();
        }
    }

    @Test
    void shouldSendInlineWithoutKeysAndLeaveTheSourceAlone() {
        try (Pair pair = new Pair()) {
            long data = pair.a.memory(64);
            Memory.putLong(data, 42);
            Memory.putLong(data + 8, 43);
            int flags = Ibv.IBV_SEND_INLINE | Ibv.IBV_SEND_SIGNALED;
            // No receive yet: the request has to wait, its data must not.
            pair.send(pair.a.send(1, Ibv.IBV_WR_SEND, flags, data, 8, 0, data + 8, 8, 0));
            Memory.putLong(data, 0);
            Memory.putLong(data + 8, 0);
            pair.receive(1, 0, 16);
            pair.b.awaitOne(pair.recvCqB);
            assertThat(Memory.getLong(pair.bufferB)).isEqualTo(42);
            assertThat(Memory.getLong(pair.bufferB + 8)).isEqualTo(43);
            long bad = pair.a.memory(8);
            long tooLong = pair.a.send(2, Ibv.IBV_WR_SEND, flags, data, 65, 0);
            assertThat(Node.postSend(pair.qpA, tooLong, bad)).isEqualTo(Ibv.EINVAL);
            assertThat(Memory.getLong(bad)).isEqualTo(tooLong);
        }
    }

    @Test
    void shouldWriteAndRead() {
        try (Pair pair = new Pair()) {
            long remote = pair.bufferB + 4096;
            pair.send(pair.a.rdma(
                    1,
                    Ibv.IBV_WR_RDMA_WRITE,
                    remote,
                    pair.keyB,
                    pair.bufferA,
                    100,
                    pair.keyA,
                    pair.bufferA + 100,
                    28,
                    pair.keyA));
            pair.assertSame(0, 4096, 128);
            pair.send(pair.a.rdma(
                    2,
                    Ibv.IBV_WR_RDMA_READ,
                    remote,
                    pair.keyB,
                    pair.bufferA + 8192,
                    50,
                    pair.keyA,
                    pair.bufferA + 9000,
                    78,
                    pair.keyA));
            assertThat(Memory.getBytes(pair.bufferA + 9000, 78)).isEqualTo(Memory.getBytes(pair.bufferA + 50, 78));
            pair.receive(9, 0, 0);
            long wr =
                    pair.a.rdma(3, Ibv.IBV_WR_RDMA_WRITE_WITH_IMM, remote, pair.keyB, pair.bufferA + 7, 10, pair.keyA);
            Memory.putInt(wr + 36, 5);
            pair.send(wr);
            assertThat(pair.a.await(pair.sendCqA, 3)).extracting(Wc::opcode).containsExactly(1, 2, 1);
            Wc received = pair.b.awaitOne(pair.recvCqB);
            assertThat(received.opcode()).isEqualTo(Ibv.IBV_WC_RECV_RDMA_WITH_IMM);
            assertThat(received.byteLen()).isEqualTo(10);
            assertThat(received.imm()).isEqualTo(5);
            pair.assertSame(7, 4096, 10);
        }
    }

    @Test
    void shouldDoAtomics() {
        try (Pair pair = new Pair()) {
            Memory.putLong(pair.bufferB, 10);
            pair.send(atomic(pair, Ibv.IBV_WR_ATOMIC_FETCH_AND_ADD, 5, 0, 0));
            pair.send(atomic(pair, Ibv.IBV_WR_ATOMIC_CMP_AND_SWP, 15, 99, 8));
            pair.send(atomic(pair, Ibv.IBV_WR_ATOMIC_CMP_AND_SWP, 15, 100, 16));
            assertThat(pair.a.await(pair.sendCqA, 3))
                    .extracting(Wc::opcode)
                    .containsExactly(Ibv.IBV_WC_FETCH_ADD, Ibv.IBV_WC_COMP_SWAP, Ibv.IBV_WC_COMP_SWAP);
            assertThat(Memory.getLong(pair.bufferB)).isEqualTo(99);
            assertThat(Memory.getLong(pair.bufferA)).isEqualTo(10);
            assertThat(Memory.getLong(pair.bufferA + 8)).isEqualTo(15);
            assertThat(Memory.getLong(pair.bufferA + 16)).isEqualTo(99);
        }
    }

    private static long atomic(Pair pair, int opcode, long operand, long swap, long resultOffset) {
        long wr = pair.a.send(1, opcode, Ibv.IBV_SEND_SIGNALED, pair.bufferA + resultOffset, 8, pair.keyA);
        Memory.putLong(wr + 40, pair.bufferB);
        Memory.putLong(wr + 48, operand);
        Memory.putLong(wr + 56, swap);
        Memory.putInt(wr + 64, pair.keyB);
        return wr;
    }

    @Test
    void shouldKeepTheOrderOfChains() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            long[] receives = new long[16];
            long[] sends = new long[16];
            for (int i = 0; i < 16; i++) {
                receives[i] = pair.b.recv(100 + i, pair.bufferB + i * 64L, 64, pair.keyB);
                sends[i] = pair.a.signaled(i, pair.bufferA + i * 64L, 64, pair.keyA);
            }
            assertThat(Node.postSrqRecv(pair.srqB, Node.chain(receives), 0)).isZero();
            assertThat(Node.postSend(pair.qpA, Node.chain(sends), 0)).isZero();
            assertThat(Wc.ids(pair.a.await(pair.sendCqA, 16))).isSorted().contains(0L, 15L);
            assertThat(Wc.ids(pair.b.await(pair.recvCqB, 16))).isSorted().contains(100L, 115L);
            pair.assertSame(0, 0, 16 * 64);
        }
    }

    @Test
    void shouldUseAnIovaInsteadOfTheAddress() {
        try (Pair pair = new Pair()) {
            long iova = 0x10000;
            long mr = C.pointer("ibv_reg_mr_iova2", pair.b.pd, pair.bufferB, 4096L, iova, Node.ALL_ACCESS);
            pair.send(pair.a.rdma(1, Ibv.IBV_WR_RDMA_WRITE, iova + 10, Node.key(mr), pair.bufferA, 20, pair.keyA));
            assertThat(pair.a.awaitOne(pair.sendCqA).ok()).isTrue();
            pair.assertSame(0, 10, 20);
        }
    }

    @Test
    void shouldConnectAQueuePairWithItself() {
        try (Node node = new Node("soft0")) {
            long cq = node.cq(8);
            long qp = node.rc(cq, cq, 0);
            assertThat(node.toInit(qp)).isZero();
            assertThat(node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT))
                    .isZero();
            assertThat(node.toRts(qp, Node.Tuning.DEFAULT)).isZero();
            long buffer = node.memory(64);
            int key = Node.key(node.register(buffer, 64, Node.ALL_ACCESS));
            Memory.putLong(buffer, 1);
            assertThat(Node.postRecv(qp, node.recv(1, buffer + 32, 32, key), 0)).isZero();
            assertThat(Node.postSend(qp, node.signaled(2, buffer, 32, key), 0)).isZero();
            assertThat(Wc.ids(node.await(cq, 2))).containsExactly(1L, 2L);
            assertThat(Memory.getLong(buffer + 32)).isEqualTo(1);
        }
    }
}
