package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receivers that have no receive posted when the request comes. */
class NotReadyTest {
    @Test
    void shouldWaitForEverAndKeepTheOrder() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            for (int i = 0; i < 10; i++) {
                Memory.putLong(pair.bufferA + 8L * i, i);
                pair.send(pair.a.signaled(i, pair.bufferA + 8L * i, 8, pair.keyA));
            }
            // No timer runs for a requester that waits for ever: what is not
            // complete when the post returns, waits for a receive.
            assertThat(pair.a.poll(pair.sendCqA, 16)).isEmpty();
            pair.receive(0, 0, 8);
            // The thread that posts the receive completes the send.
            assertThat(pair.a.poll(pair.sendCqA, 16)).hasSize(1);
            for (int i = 1; i < 10; i++) {
                pair.receive(i, 8L * i, 8);
            }
            assertThat(Wc.ids(pair.b.poll(pair.recvCqB, 16))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
            assertThat(Wc.ids(pair.a.poll(pair.sendCqA, 16))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
            pair.assertSame(0, 0, 80);
        }
    }

    @Test
    void shouldServeManyWaitingRequestersInTurn() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            List<Long> senders = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long sender = pair.a.rc(pair.sendCqA, pair.recvCqA, 0);
                long receiver = pair.b.rc(pair.sendCqB, pair.recvCqB, pair.srqB);
                Node.connect(pair.a, sender, pair.b, receiver);
                senders.add(sender);
                for (int k = 0; k < 3; k++) {
                    assertThat(Node.postSend(sender, pair.a.signaled(10 * i + k, pair.bufferA, 8, pair.keyA), 0))
                            .isZero();
                }
            }
            // A waiting sender is destroyed: it must not be resumed.
            assertThat(C.status("ibv_destroy_qp", senders.get(3))).isZero();
            for (int i = 0; i < 21; i++) {
                pair.receive(i, 0, 8);
            }
            List<Long> ids = Wc.ids(pair.a.poll(pair.sendCqA, 64));
            assertThat(ids).hasSize(21).noneMatch(id -> id / 10 == 3);
            assertThat(Wc.ids(pair.b.poll(pair.recvCqB, 64))).hasSize(21).isSorted();
            for (int i = 0; i < 8; i++) {
                int sender = i;
                assertThat(ids.stream().filter(id -> id / 10 == sender)).isSorted();
            }
        }
    }

    @Test
    void shouldGiveUpWhenTheReceiverItWaitsForGoesAway() {
        Node.Tuning quick = new Node.Tuning(8, 1, 7, 12);
        try (Pair pair = new Pair(true, quick)) {
            pair.send(1, 8);
            assertThat(C.status("ibv_destroy_qp", pair.qpB)).isZero();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isEqualTo(Ibv.IBV_WC_RETRY_EXC_ERR);
        }
        try (Pair pair = new Pair(false, quick)) {
            pair.send(1, 8);
            assertThat(pair.b.toState(pair.qpB, Ibv.IBV_QPS_ERR)).isZero();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isEqualTo(Ibv.IBV_WC_RETRY_EXC_ERR);
        }
        try (Pair pair = new Pair(true, quick)) {
            pair.send(1, 8);
            pair.b.faults.portDown();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isEqualTo(Ibv.IBV_WC_RETRY_EXC_ERR);
        }
        try (Pair pair = new Pair(true, quick)) {
            pair.send(1, 8);
            // The peer's own request fails, which moves the peer to the error state.
            assertThat(Node.postSend(pair.qpB, pair.b.signaled(1, 0, 8, 1), 0)).isZero();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isEqualTo(Ibv.IBV_WC_RETRY_EXC_ERR);
        }
    }

    @Test
    void shouldWaitAtTheNextPeerAfterAReset() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            pair.send(1, 8);
            assertThat(pair.a.toState(pair.qpA, Ibv.IBV_QPS_RESET)).isZero();
            long otherCq = pair.b.cq(8);
            long other = pair.b.rc(otherCq, otherCq, 0);
            Node.connect(pair.a, pair.qpA, pair.b, other);
            pair.send(2, 8);
            pair.receive(7, 0, 8);
            assertThat(pair.a.poll(pair.sendCqA, 4)).isEmpty();
            assertThat(Node.postRecv(other, pair.b.recv(8, pair.bufferB, 8, pair.keyB), 0))
                    .isZero();
            assertThat(Wc.ids(pair.a.poll(pair.sendCqA, 4))).containsExactly(2L);
            assertThat(Wc.ids(pair.b.poll(otherCq, 4))).containsExactly(8L);
        }
    }

    @Test
    void shouldGoOnWithinTheRetriesOfAFiniteCount() {
        try (Pair pair = new Pair(false, new Node.Tuning(14, 6, 6, 30))) {
            pair.send(1, 8);
            pair.receive(1, 0, 8);
            assertThat(pair.a.poll(pair.sendCqA, 1)).hasSize(1);
            pair.send(2, 8);
            pair.receive(2, 0, 8);
            assertThat(pair.a.awaitOne(pair.sendCqA).ok()).isTrue();
        }
    }

    @Test
    void shouldRaiseTheSharedQueuesLimitOnce() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            long attr = pair.b.memory(12);
            Memory.putInt(attr + 8, 5);
            for (int i = 0; i < 10; i++) {
                pair.receive(i, 0, 8);
            }
            assertThat(C.status("ibv_modify_srq", pair.srqB, attr, Ibv.IBV_SRQ_LIMIT))
                    .isZero();
            for (int i = 0; i < 5; i++) {
                pair.send(i, 8);
            }
            assertThat(pair.b.asyncEventTypes()).isEmpty();
            pair.send(5, 8);
            pair.send(6, 8);
            assertThat(pair.b.asyncEvent()).containsExactly(Ibv.IBV_EVENT_SRQ_LIMIT_REACHED, pair.srqB);
            assertThat(pair.b.asyncEventTypes()).isEmpty();
            assertThat(C.status("ibv_query_srq", pair.srqB, attr)).isZero();
            assertThat(Memory.getInt(attr)).isEqualTo(16);
            assertThat(Memory.getInt(attr + 8)).isZero();
            Memory.putInt(attr + 8, 17);
            assertThat(C.status("ibv_modify_srq", pair.srqB, attr, Ibv.IBV_SRQ_LIMIT))
                    .isEqualTo(Ibv.EINVAL);
        }
    }

    @Test
    void shouldRefuseMoreReceivesThanFit() {
        try (Pair pair = new Pair(true, Node.Tuning.DEFAULT)) {
            long[] receives = new long[17];
            for (int i = 0; i < 17; i++) {
                receives[i] = pair.b.recv(i, pair.bufferB, 8, pair.keyB);
            }
            long bad = pair.b.memory(8);
            assertThat(Node.postSrqRecv(pair.srqB, Node.chain(receives), bad)).isEqualTo(Ibv.ENOMEM);
            assertThat(Memory.getLong(bad)).isEqualTo(receives[16]);
            long attr = pair.b.memory(12);
            Memory.putInt(attr, 64);
            assertThat(C.status("ibv_modify_srq", pair.srqB, attr, Ibv.IBV_SRQ_MAX_WR))
                    .isZero();
            assertThat(Node.postSrqRecv(pair.srqB, receives[16], bad)).isZero();
            for (int i = 0; i < 16; i++) {
                pair.send(i, 8);
            }
            assertThat(pair.a.poll(pair.sendCqA, 16)).hasSize(16);
            pair.send(16, 8);
            assertThat(Wc.ids(pair.b.await(pair.recvCqB, 17))).isSorted();
            long wide = pair.b.recv(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
            assertThat(Node.postSrqRecv(pair.srqB, wide, bad)).isEqualTo(Ibv.EINVAL);
        }
    }
}
