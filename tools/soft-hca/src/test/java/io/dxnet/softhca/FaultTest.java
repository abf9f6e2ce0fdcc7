package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {
    private static final Node.Tuning QUICK = new Node.Tuning(8, 6, 7, 1);
    private static final int RNR_82_MS = 26;

    private static void traffic(Pair pair, int messages) {
        for (int i = 0; i < messages; i++) {
            Memory.putLong(pair.bufferA, i);
            pair.receive(i, 0, 8);
            pair.send(1000 + i, 8);
            assertThat(pair.b.awaitOne(pair.recvCqB).wrId()).isEqualTo(i);
            assertThat(Memory.getLong(pair.bufferB)).isEqualTo(i);
            assertThat(pair.a.awaitOne(pair.sendCqA).wrId()).isEqualTo(1000 + i);
        }
    }

    @Test
    void shouldRetryWhatIsLost() {
        try (Pair pair = new Pair(false, QUICK)) {
            pair.a.faults.loseNext(3);
            traffic(pair, 3);
            pair.a.faults.lose(0.3, 42);
            traffic(pair, 100);
        }
    }

    @Test
    void shouldFailWhenTheLinkStaysCut() {
        try (Pair pair = new Pair(false, new Node.Tuning(8, 2, 7, 1))) {
            pair.a.faults.cutLink(true);
            pair.send(1, 8);
            pair.assertFailure(Ibv.IBV_WC_RETRY_EXC_ERR, -1);
        }
    }

    @Test
    void shouldGoOnWhenTheLinkHealsInTime() {
        try (Pair pair = new Pair(false, new Node.Tuning(16, 6, 7, 1))) {
            pair.a.faults.cutLink(true);
            pair.receive(1, 0, 8);
            // The post itself makes the first attempt, which is lost; the next one
            // comes after a quarter of a second.
            pair.send(1, 8);
            assertThat(pair.a.poll(pair.sendCqA, 1)).isEmpty();
            pair.a.faults.cutLink(false);
            assertThat(pair.a.awaitOne(pair.sendCqA).ok()).isTrue();
        }
    }

    @Test
    void shouldDelayWithoutAddingUpAndKeepTheOrder() {
        try (Pair pair = new Pair(true, QUICK)) {
            pair.a.faults.delay(Duration.ofMillis(500));
            long start = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                pair.receive(i, 8L * i, 8);
                pair.send(i, 8);
            }
            assertThat(Wc.ids(pair.a.await(pair.sendCqA, 10))).isSorted();
            long elapsed = System.nanoTime() - start;
            assertThat(elapsed).isBetween(500_000_000L, 4_500_000_000L);
            pair.a.faults.delay(Duration.ZERO);
            pair.receive(11, 0, 8);
            pair.send(11, 8);
            assertThat(pair.a.poll(pair.sendCqA, 1)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loss 10", "corrupt 5", "delay 2", "reorder 25", "duplicate 10"})
    void shouldDeliverEverythingOverABadLink(String fault) {
        try (Pair pair = new Pair(false, QUICK)) {
            pair.a.faults.play(fault.split(" "));
            traffic(pair, 100);
            pair.a.faults.play("heal");
            traffic(pair, 10);
            assertThatThrownBy(() -> pair.a.faults.play("loss")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> pair.a.faults.play("loss", "101")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRetryReceiversThatAreNotReady() {
        try (Pair pair = new Pair(false, QUICK)) {
            pair.a.faults.receiverNotReadyNext(5);
            traffic(pair, 3);
        }
        try (Pair pair = new Pair(false, new Node.Tuning(8, 6, 2, 1))) {
            pair.receive(1, 0, 8);
            pair.a.faults.receiverNotReadyNext(3);
            pair.send(1, 8);
            pair.assertFailure(Ibv.IBV_WC_RNR_RETRY_EXC_ERR, -1);
        }
    }

    /** The first attempt waits for a post to the receive queue, the second one for a timer. */
    @Test
    void shouldRetryWhenAFaultComesBetweenTheReceiveAndItsRequester() {
        try (Pair pair = new Pair(false, new Node.Tuning(8, 6, 7, RNR_82_MS))) {
            pair.send(1, 8);
            pair.a.faults.receiverNotReadyNext(1);
            pair.receive(1, 0, 8);
            assertThat(pair.a.awaitOne(pair.sendCqA).ok()).isTrue();
        }
    }

    @Test
    void shouldFailRequestsWithAnyStatus() {
        for (int status = 1; status <= 22; status++) {
            try (Pair pair = new Pair(false, QUICK)) {
                pair.receive(1, 0, 8);
                pair.a.faults.failNextRequests(status, 1);
                pair.send(1, 8);
                pair.assertFailure(status, -1);
            }
        }
    }

    @Test
    void shouldFailPostsAndOtherCalls() {
        try (Pair pair = new Pair(true, QUICK)) {
            long bad = pair.a.memory(8);
            long wr = pair.a.signaled(1, pair.bufferA, 8, pair.keyA);
            pair.a.faults.failNextCalls("ibv_post_send", Ibv.ENOMEM, 2);
            for (int i = 0; i < 2; i++) {
                Memory.putLong(bad, 0);
                assertThat(Node.postSend(pair.qpA, wr, bad)).isEqualTo(Ibv.ENOMEM);
                assertThat(Memory.getLong(bad)).isEqualTo(wr);
            }
            assertThat(Node.postSend(pair.qpA, wr, bad)).isZero();
            pair.b.faults.failNextCalls("ibv_post_srq_recv", Ibv.ENOMEM, 1);
            assertThat(Node.postSrqRecv(pair.srqB, pair.b.recv(1), bad)).isEqualTo(Ibv.ENOMEM);
            pair.a.faults.failNextCalls("ibv_req_notify_cq", Ibv.EINVAL, 1);
            assertThat(Node.arm(pair.sendCqA, false)).isEqualTo(Ibv.EINVAL);
            pair.a.faults.failNextCalls("ibv_reg_mr", Ibv.EFAULT, 1);
            assertThat(pair.a.register(pair.bufferA, 8, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EFAULT);
            assertThat(pair.a.register(pair.bufferA, 8, 0)).isNotZero();
            pair.a.faults.failNextCalls("ibv_create_qp", Ibv.ENOMEM, 1);
            assertThat(pair.a.rc(pair.sendCqA, pair.recvCqA, 0)).isZero();
            pair.a.faults.failNextCalls("ibv_modify_qp", Ibv.EIO, 1);
            assertThat(pair.a.toState(pair.qpA, Ibv.IBV_QPS_ERR)).isEqualTo(Ibv.EIO);
            assertThatThrownBy(() -> pair.a.faults.failNextCalls("ibv_nothing", 1, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldReportThePortAndStopTraffic() {
        try (Pair pair = new Pair(false, new Node.Tuning(16, 6, 7, 1))) {
            pair.b.faults.portDown();
            pair.b.faults.portDown();
            assertThat(pair.b.asyncEvent()).containsExactly(Ibv.IBV_EVENT_PORT_ERR, 1);
            pair.receive(1, 0, 8);
            pair.send(1, 8);
            assertThat(pair.a.poll(pair.sendCqA, 1)).isEmpty();
            pair.b.faults.portUp();
            assertThat(pair.b.asyncEvent()).containsExactly(Ibv.IBV_EVENT_PORT_ACTIVE, 1);
            assertThat(pair.a.awaitOne(pair.sendCqA).ok()).isTrue();
        }
    }

    @Test
    void shouldLimitRegisteredMemory() {
        try (Node node = new Node("soft0")) {
            long memory = node.memory(8192);
            long before = SoftHca.census().registeredBytes();
            node.faults.limitRegisteredBytes(before + 4096);
            long mr = node.register(memory, 4096, 0);
            assertThat(mr).isNotZero();
            assertThat(node.register(memory, 1, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.ENOMEM);
            assertThat(C.status("ibv_dereg_mr", mr)).isZero();
            node.faults.limitRegisteredBytes(0);
            assertThat(node.register(memory, 1, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EPERM);
        }
    }

    @Test
    void shouldTakeTheDeviceAway() {
        try (Pair pair = new Pair(false, QUICK)) {
            pair.receive(1, 0, 8);
            pair.b.faults.remove();
            assertThat(pair.b.asyncEvent()[0]).isEqualTo(Ibv.IBV_EVENT_DEVICE_FATAL);
            assertThat(pair.b.awaitOne(pair.recvCqB).status()).isEqualTo(Ibv.IBV_WC_WR_FLUSH_ERR);
            assertThat(new SoftVerbsProvider().offers("soft1")).isFalse();
            assertThat(C.pointer("ibv_alloc_pd", pair.b.context)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EIO);
            assertThat(Node.postRecv(pair.qpB, pair.b.recv(1), 0)).isEqualTo(Ibv.EIO);
            pair.send(1, 8);
            pair.assertFailure(Ibv.IBV_WC_RETRY_EXC_ERR, -1);
            assertThat(C.status("ibv_destroy_qp", pair.qpB)).isZero();
            pair.b.faults.restore();
            assertThat(new SoftVerbsProvider().offers("soft1")).isTrue();
        }
    }
}
