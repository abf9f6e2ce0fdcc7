package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlushTest {
    private static final int FLUSHED = Ibv.IBV_WC_WR_FLUSH_ERR;

    @Test
    void shouldFlushEverythingInOrderSignaledOrNot() {
        try (Pair pair = new Pair()) {
            for (int i = 0; i < 8; i++) {
                // Nothing is posted at B: all wait.
                pair.send(pair.a.send(
                        i, Ibv.IBV_WR_SEND, i % 2 == 0 ? Ibv.IBV_SEND_SIGNALED : 0, pair.bufferA, 8, pair.keyA));
                assertThat(Node.postRecv(pair.qpA, pair.a.recv(100 + i), 0)).isZero();
            }
            assertThat(pair.a.poll(pair.sendCqA, 16)).isEmpty();
            assertThat(pair.a.toState(pair.qpA, Ibv.IBV_QPS_ERR)).isZero();
            List<Wc> sent = pair.a.await(pair.sendCqA, 8);
            List<Wc> received = pair.a.await(pair.recvCqA, 8);
            assertThat(Wc.ids(sent)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
            assertThat(Wc.ids(received)).containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L, 107L);
            assertThat(Wc.statuses(sent)).containsOnly(FLUSHED);
            assertThat(Wc.statuses(received)).containsOnly(FLUSHED);
            assertThat(sent).extracting(Wc::qpNum).containsOnly(Node.number(pair.qpA));
        }
    }

    @Test
    void shouldFlushWhatIsPostedInTheErrorState() {
        try (Pair pair = new Pair()) {
            assertThat(pair.a.toState(pair.qpA, Ibv.IBV_QPS_ERR)).isZero();
            pair.send(pair.a.send(1, Ibv.IBV_WR_SEND, 0, pair.bufferA, 8, pair.keyA));
            assertThat(Node.postRecv(pair.qpA, pair.a.recv(2), 0)).isZero();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isEqualTo(FLUSHED);
            assertThat(pair.a.awaitOne(pair.recvCqA).status()).isEqualTo(FLUSHED);
        }
    }

    @Test
    void shouldFlushTheRestOfAChainAfterTheRequestThatFailed() {
        try (Pair pair = new Pair()) {
            pair.receive(1, 0, 64);
            pair.receive(2, 0, 64);
            assertThat(Node.postRecv(pair.qpA, pair.a.recv(9), 0)).isZero();
            long chain = Node.chain(
                    pair.a.send(1, Ibv.IBV_WR_SEND, 0, pair.bufferA, 8, pair.keyA),
                    pair.a.send(2, Ibv.IBV_WR_SEND, 0, pair.bufferA, 8, 123),
                    pair.a.send(3, Ibv.IBV_WR_SEND, 0, pair.bufferA, 8, pair.keyA),
                    pair.a.signaled(4, pair.bufferA, 8, pair.keyA));
            assertThat(Node.postSend(pair.qpA, chain, 0)).isZero();
            List<Wc> sent = pair.a.poll(pair.sendCqA, 8);
            assertThat(Wc.ids(sent)).containsExactly(2L, 3L, 4L);
            assertThat(Wc.statuses(sent)).containsExactly(Ibv.IBV_WC_LOC_PROT_ERR, FLUSHED, FLUSHED);
            assertThat(pair.a.awaitOne(pair.recvCqA).status()).isEqualTo(FLUSHED);
            assertThat(pair.b.poll(pair.recvCqB, 8)).hasSize(1);
        }
    }

    @Test
    void shouldFlushTheSendsOfAReceiverThatFailed() {
        try (Pair pair = new Pair()) {
            assertThat(Node.postSend(pair.qpB, pair.b.signaled(5, pair.bufferB, 8, pair.keyB), 0))
                    .isZero();
            pair.receive(1, 0, 4);
            pair.receive(2, 0, 4);
            pair.send(1, 8);
            assertThat(Wc.statuses(pair.b.poll(pair.recvCqB, 4))).containsExactly(Ibv.IBV_WC_LOC_LEN_ERR, FLUSHED);
            assertThat(Wc.statuses(pair.b.poll(pair.sendCqB, 4))).containsExactly(FLUSHED);
        }
    }

    @Test
    void shouldLeaveTheReceivesOfASharedQueueAndReportTheLast() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            pair.receive(1, 0, 64);
            assertThat(pair.b.toState(pair.qpB, Ibv.IBV_QPS_ERR)).isZero();
            assertThat(pair.b.toState(pair.qpB, Ibv.IBV_QPS_ERR)).isZero();
            assertThat(pair.b.poll(pair.recvCqB, 4)).isEmpty();
            assertThat(pair.b.asyncEventTypes()).containsExactly(Ibv.IBV_EVENT_QP_LAST_WQE_REACHED);
            long sender = pair.a.rc(pair.sendCqA, pair.recvCqA, 0);
            long receiver = pair.b.rc(pair.sendCqB, pair.recvCqB, pair.srqB);
            Node.connect(pair.a, sender, pair.b, receiver);
            assertThat(Node.postSend(sender, pair.a.signaled(2, pair.bufferA, 8, pair.keyA), 0))
                    .isZero();
            assertThat(pair.b.awaitOne(pair.recvCqB).wrId()).isEqualTo(1);
        }
    }

    @Test
    void shouldWorkAgainAfterAReset() {
        try (Pair pair = new Pair()) {
            for (int i = 0; i < 16; i++) {
                pair.send(i, 8);
            }
            assertThat(pair.a.toState(pair.qpA, Ibv.IBV_QPS_RESET)).isZero();
            assertThat(pair.b.toState(pair.qpB, Ibv.IBV_QPS_RESET)).isZero();
            assertThat(pair.a.poll(pair.sendCqA, 16)).isEmpty();
            Node.connect(pair.a, pair.qpA, pair.b, pair.qpB);
            for (int i = 0; i < 16; i++) {
                pair.receive(i, 0, 8);
                pair.send(100 + i, 8);
            }
            assertThat(pair.a.await(pair.sendCqA, 16)).allMatch(Wc::ok);
        }
    }

    @Test
    void shouldFreePlacesOnlyWhenCompletionsArePolled() {
        try (Pair pair = new Pair()) {
            long bad = pair.a.memory(8);
            for (int i = 0; i < 16; i++) {
                pair.receive(i, 0, 8);
                int flags = i == 7 ? Ibv.IBV_SEND_SIGNALED : 0;
                pair.send(pair.a.send(i, Ibv.IBV_WR_SEND, flags, pair.bufferA, 8, pair.keyA));
            }
            long[] more = new long[10];
            for (int i = 0; i < 10; i++) {
                more[i] = pair.a.signaled(20 + i, pair.bufferA, 8, pair.keyA);
            }
            long chain = Node.chain(more);
            assertThat(Node.postSend(pair.qpA, chain, bad)).isEqualTo(Ibv.ENOMEM);
            assertThat(Memory.getLong(bad)).isEqualTo(chain);
            assertThat(Wc.ids(pair.a.poll(pair.sendCqA, 4))).containsExactly(7L);
            assertThat(Node.postSend(pair.qpA, chain, bad)).isEqualTo(Ibv.ENOMEM);
            assertThat(Memory.getLong(bad))
                    .as("the first of the chain that did not fit")
                    .isEqualTo(more[8]);
        }
    }

    @Test
    void shouldForgiveUnsignaledRequestsWhenTold() {
        try (Pair pair = new Pair()) {
            pair.a.faults.forgiveUnsignaled(true);
            for (int i = 0; i < 100; i++) {
                pair.receive(i, 0, 8);
                pair.send(pair.a.send(i, Ibv.IBV_WR_SEND, 0, pair.bufferA, 8, pair.keyA));
                assertThat(pair.b.poll(pair.recvCqB, 1)).hasSize(1);
            }
        }
    }
}
