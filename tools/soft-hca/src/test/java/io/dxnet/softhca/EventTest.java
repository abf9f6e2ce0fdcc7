package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.raw.ibv_cq_ex;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventTest {
    private static boolean readable(long channel) {
        return LibC.awaitReadable(Memory.getInt(channel + 8), 0);
    }

    /** Returns when some thread waits inside a verb for its descriptor to become readable. */
    private static void awaitThreadIn(String verb) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (Thread.getAllStackTraces().values().stream()
                .noneMatch(frames -> hasMethod(frames, "awaitReadable") && hasMethod(frames, verb))) {
            assertThat(System.nanoTime()).as("no thread is in %s", verb).isLessThan(deadline);
        }
    }

    private static boolean hasMethod(StackTraceElement[] frames, String method) {
        return Arrays.stream(frames).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    /** Reads an event, checks that it is about {@code cq}, and acknowledges it. */
    private static void assertEvent(Node node, long channel, long cq) {
        long out = node.memory(16);
        assertThat(C.status("ibv_get_cq_event", channel, out, out + 8)).isZero();
        assertThat(Memory.getLong(out)).isEqualTo(cq);
        assertThat(Memory.getLong(out + 8)).isEqualTo(77);
        C.run("ibv_ack_cq_events", cq, 1);
    }

    /** A loop from a queue pair to itself with a channel. */
    private static final class Loop implements AutoCloseable {
        final Node node = new Node("soft0");
        final long channel = C.pointer("ibv_create_comp_channel", node.context);
        final long recvCq = node.cq(4, channel);
        final long sendCq = node.cq(4);
        final long qp = node.rc(sendCq, recvCq, 0);

        Loop() {
            node.toInit(qp);
            node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
            node.toRts(qp, Node.Tuning.DEFAULT);
        }

        void send(int flags) {
            assertThat(Node.postRecv(qp, node.recv(1), 0)).isZero();
            assertThat(Node.postSend(qp, node.send(1, Ibv.IBV_WR_SEND, flags), 0))
                    .isZero();
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @Test
    void shouldWakeOncePerArming() {
        try (Loop loop = new Loop()) {
            loop.send(0);
            assertThat(Node.arm(loop.recvCq, false)).isZero();
            assertThat(readable(loop.channel))
                    .as("a completion of before is no event")
                    .isFalse();
            assertThat(Node.arm(loop.recvCq, false)).isZero();
            loop.send(0);
            loop.send(0);
            assertThat(readable(loop.channel)).isTrue();
            assertEvent(loop.node, loop.channel, loop.recvCq);
            assertThat(readable(loop.channel)).isFalse();
            assertThat(loop.node.poll(loop.recvCq, 8)).hasSize(3);
        }
    }

    @Test
    void shouldWakeForSolicitedAndFailedOnesOnly() {
        try (Loop loop = new Loop()) {
            assertThat(Node.arm(loop.recvCq, true)).isZero();
            loop.send(0);
            assertThat(readable(loop.channel)).isFalse();
            loop.send(Ibv.IBV_SEND_SOLICITED);
            assertThat(readable(loop.channel)).isTrue();
            assertEvent(loop.node, loop.channel, loop.recvCq);
            assertThat(Node.arm(loop.recvCq, true)).isZero();
            assertThat(Node.postRecv(loop.qp, loop.node.recv(1), 0)).isZero();
            assertThat(loop.node.toState(loop.qp, Ibv.IBV_QPS_ERR)).isZero();
            assertThat(readable(loop.channel)).isTrue();
        }
    }

    @Test
    void shouldNotWaitWhereTheDescriptorIsNonBlocking() {
        try (Loop loop = new Loop()) {
            LibC.setNonBlocking(Memory.getInt(loop.channel + 8));
            long out = loop.node.memory(16);
            assertThat(C.status("ibv_get_cq_event", loop.channel, out, out + 8)).isEqualTo(-1);
            assertThat(C.errno()).isEqualTo(Ibv.EAGAIN);
        }
    }

    @Test
    void shouldBlockUntilTheEventComes() throws Exception {
        try (Loop loop = new Loop()) {
            assertThat(Node.arm(loop.recvCq, false)).isZero();
            long out = loop.node.memory(16);
            CompletableFuture<Integer> waiter =
                    CompletableFuture.supplyAsync(() -> C.status("ibv_get_cq_event", loop.channel, out, out + 8));
            awaitThreadIn("ibv_get_cq_event");
            assertThat(waiter).isNotDone();
            loop.send(0);
            assertThat(waiter.get(10, TimeUnit.SECONDS)).isZero();
            C.run("ibv_ack_cq_events", loop.recvCq, 1);
        }
    }

    @Test
    void shouldEndAWaitWhenTheContextCloses() throws Exception {
        Loop loop = new Loop();
        long event = LibC.calloc(16);
        CompletableFuture<Integer> waiter =
                CompletableFuture.supplyAsync(() -> C.status("ibv_get_async_event", loop.node.context, event));
        awaitThreadIn("ibv_get_async_event");
        loop.close();
        assertThat(waiter.get(10, TimeUnit.SECONDS)).isEqualTo(-1);
        LibC.free(event);
    }

    @Test
    void shouldNotDestroyAQueueWithUnacknowledgedEvents() {
        try (Loop loop = new Loop()) {
            assertThat(Node.arm(loop.recvCq, false)).isZero();
            loop.send(0);
            long out = loop.node.memory(16);
            assertThat(C.status("ibv_get_cq_event", loop.channel, out, out + 8)).isZero();
            assertThat(C.status("ibv_destroy_qp", loop.qp)).isZero();
            assertThat(C.status("ibv_destroy_cq", loop.recvCq)).isEqualTo(Ibv.EBUSY);
            C.run("ibv_ack_cq_events", loop.recvCq, 1);
            assertThat(C.status("ibv_destroy_cq", loop.recvCq)).isZero();
        }
    }

    @Test
    void shouldForgetTheEventsOfADestroyedQueue() {
        try (Loop loop = new Loop()) {
            assertThat(Node.arm(loop.recvCq, false)).isZero();
            loop.send(0);
            assertThat(readable(loop.channel)).isTrue();
            assertThat(C.status("ibv_destroy_qp", loop.qp)).isZero();
            assertThat(C.status("ibv_destroy_cq", loop.recvCq)).isZero();
            assertThat(readable(loop.channel)).isFalse();
            assertThat(C.status("ibv_destroy_comp_channel", loop.channel)).isZero();
        }
    }

    @Test
    void shouldReportAnOverrunAndStopItsQueuePairs() {
        try (Loop loop = new Loop()) {
            for (int i = 0; i < 5; i++) {
                loop.send(0);
            }
            assertThat(loop.node.asyncEvent()).containsExactly(Ibv.IBV_EVENT_CQ_ERR, loop.recvCq);
            assertThat(loop.node.asyncEvent()).containsExactly(Ibv.IBV_EVENT_QP_FATAL, loop.qp);
            assertThat(Pair.state(loop.qp)).isEqualTo(Ibv.IBV_QPS_ERR);
            assertThat(loop.node.poll(loop.recvCq, 8)).hasSize(4);
        }
    }

    @Test
    void shouldResizeAQueueWithItsCompletions() {
        try (Loop loop = new Loop()) {
            for (int i = 0; i < 3; i++) {
                loop.send(0);
            }
            assertThat(C.status("ibv_resize_cq", loop.recvCq, 2)).isEqualTo(Ibv.EINVAL);
            assertThat(C.status("ibv_resize_cq", loop.recvCq, 100)).isZero();
            assertThat(Memory.getInt(loop.recvCq + 28)).isEqualTo(128);
            loop.send(0);
            loop.send(0);
            assertThat(loop.node.poll(loop.recvCq, 8)).hasSize(5);
        }
    }

    @Test
    void shouldCreateExtendedQueues() {
        try (Node node = new Node("soft0")) {
            long attr = node.memory(56);
            Memory.putInt(attr, 10);
            Memory.putInt(attr + 40, Ibv.IBV_CQ_INIT_ATTR_MASK_FLAGS);
            Memory.putInt(attr + 44, Ibv.IBV_CREATE_CQ_ATTR_SINGLE_THREADED);
            long function = Memory.getLong(node.context - 120);
            long cq = C.pointer(function, node.context, attr);
            assertThat(cq).isNotZero();
            assertThat(node.poll(cq, 1)).isEmpty();
            pollExtended(node, cq);
            assertThat(C.status("ibv_destroy_cq", cq)).isZero();
            Memory.putInt(attr + 44, 1 << 10);
            assertThat(C.pointer(function, node.context, attr)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EOPNOTSUPP);
        }
    }

    /** Polls two completions of a loop with the functions of {@code ibv_cq_ex}. */
    private static void pollExtended(Node node, long cq) {
        long qp = node.rc(cq, cq, 0);
        node.toInit(qp);
        node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
        node.toRts(qp, Node.Tuning.DEFAULT);
        long attr = node.memory(8);
        long startPoll = Memory.getLong(cq + ibv_cq_ex.start_poll$offset());
        long nextPoll = Memory.getLong(cq + ibv_cq_ex.next_poll$offset());
        assertThat(C.status(startPoll, cq, attr)).isEqualTo(Ibv.ENOENT);
        long wr = node.send(8, Ibv.IBV_WR_SEND_WITH_IMM, Ibv.IBV_SEND_SIGNALED);
        Memory.putInt(wr + 36, 99);
        assertThat(Node.postRecv(qp, node.recv(7), 0)).isZero();
        assertThat(Node.postSend(qp, wr, 0)).isZero();
        assertThat(C.status(startPoll, cq, attr)).isZero();
        assertThat(Memory.getLong(cq + ibv_cq_ex.wr_id$offset())).isEqualTo(7);
        assertThat(Memory.getInt(cq + ibv_cq_ex.status$offset())).isZero();
        assertThat(C.status(Memory.getLong(cq + ibv_cq_ex.read_opcode$offset()), cq))
                .isEqualTo(Ibv.IBV_WC_RECV);
        assertThat(C.status(Memory.getLong(cq + ibv_cq_ex.read_imm_data$offset()), cq))
                .isEqualTo(99);
        assertThat(C.status(Memory.getLong(cq + ibv_cq_ex.read_qp_num$offset()), cq))
                .isEqualTo(Node.number(qp));
        assertThat(C.status(Memory.getLong(cq + ibv_cq_ex.read_wc_flags$offset()), cq))
                .isEqualTo(Ibv.IBV_WC_WITH_IMM);
        assertThat(C.status(nextPoll, cq)).isZero();
        assertThat(Memory.getLong(cq + ibv_cq_ex.wr_id$offset())).isEqualTo(8);
        assertThat(C.status(nextPoll, cq)).isEqualTo(Ibv.ENOENT);
        assertThat(C.status("ibv_destroy_qp", qp)).isZero();
    }
}
