package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Two connected queue pairs with a registered buffer at each end. */
final class Pair implements AutoCloseable {
    static final long BYTES = 1 << 20;

    final Node a;
    final Node b;
    final long sendCqA;
    final long recvCqA;
    final long sendCqB;
    final long recvCqB;
    final long srqB;
    final long qpA;
    final long qpB;
    final long bufferA;
    final long bufferB;
    final long mrA;
    final long mrB;
    final int keyA;
    final int keyB;

    Pair() {
        this("soft0", "soft1", false, Node.Tuning.DEFAULT);
    }

    Pair(boolean shared, Node.Tuning tuning) {
        this("soft0", "soft1", shared, tuning);
    }

    Pair(String deviceA, String deviceB, boolean shared, Node.Tuning tuning) {
        a = new Node(deviceA);
        b = new Node(deviceB);
        sendCqA = a.cq(64);
        recvCqA = a.cq(64);
        sendCqB = b.cq(64);
        recvCqB = b.cq(64);
        srqB = shared ? b.srq(16, 4) : 0;
        qpA = a.rc(sendCqA, recvCqA, 0);
        qpB = b.rc(sendCqB, recvCqB, srqB);
        assertThat(qpA).isNotZero();
        assertThat(qpB).isNotZero();
        Node.connect(a, qpA, b, qpB, tuning);
        bufferA = a.memory(BYTES);
        bufferB = b.memory(BYTES);
        mrA = a.register(bufferA, BYTES, Node.ALL_ACCESS);
        mrB = b.register(bufferB, BYTES, Node.ALL_ACCESS);
        keyA = Node.key(mrA);
        keyB = Node.key(mrB);
        for (int i = 0; i < BYTES; i++) {
            Memory.putByte(bufferA + i, i * 31 >> 3);
        }
    }

    /** Posts one send of A. */
    void send(long wr) {
        assertThat(Node.postSend(qpA, wr, 0)).isZero();
    }

    /** A signaled send of A's first bytes. */
    void send(long id, long bytes) {
        send(a.signaled(id, bufferA, bytes, keyA));
    }

    /** Posts one receive of B, to its own queue or the shared one. */
    void receive(long id, long offset, long bytes) {
        receive(b.recv(id, bufferB + offset, bytes, keyB));
    }

    void receive(long wr) {
        assertThat(srqB != 0 ? Node.postSrqRecv(srqB, wr, 0) : Node.postRecv(qpB, wr, 0))
                .isZero();
    }

    void assertSame(long offsetA, long offsetB, long bytes) {
        assertThat(Memory.getBytes(bufferB + offsetB, (int) bytes))
                .isEqualTo(Memory.getBytes(bufferA + offsetA, (int) bytes));
    }

    static int state(long qp) {
        long buffer = LibC.calloc(256);
        try {
            assertThat(C.status("ibv_query_qp", qp, buffer, 1, buffer + 144)).isZero();
            return Memory.getInt(buffer);
        } finally {
            LibC.free(buffer);
        }
    }

    /** Polls a send that failed and the receive that it broke. */
    void assertFailure(int sendStatus, int recvStatus) {
        List<Wc> sent = a.await(sendCqA, 1);
        assertThat(Wc.statuses(sent)).containsExactly(sendStatus);
        if (recvStatus >= 0) {
            assertThat(b.awaitOne(recvCqB).status()).isEqualTo(recvStatus);
            assertThat(state(qpB)).isEqualTo(Ibv.IBV_QPS_ERR);
        }
        assertThat(state(qpA)).isEqualTo(Ibv.IBV_QPS_ERR);
    }

    @Override
    public void close() {
        b.close();
        a.close();
    }
}
