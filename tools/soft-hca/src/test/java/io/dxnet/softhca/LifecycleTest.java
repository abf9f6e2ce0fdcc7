package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    @Test
    void shouldRefuseToDestroyWhatIsUsed() {
        try (Node node = new Node("soft0")) {
            long channel = C.pointer("ibv_create_comp_channel", node.context);
            long cq = node.cq(8, channel);
            long srq = node.srq(8, 1);
            long qp = node.rc(cq, cq, srq);
            long mr = node.register(node.memory(8), 8, 0);
            assertThat(C.status("ibv_destroy_comp_channel", channel)).isEqualTo(Ibv.EBUSY);
            assertThat(C.status("ibv_destroy_cq", cq)).isEqualTo(Ibv.EBUSY);
            assertThat(C.status("ibv_destroy_srq", srq)).isEqualTo(Ibv.EBUSY);
            assertThat(C.status("ibv_dealloc_pd", node.pd)).isEqualTo(Ibv.EBUSY);
            assertThat(C.status("ibv_destroy_qp", qp)).isZero();
            assertThat(C.status("ibv_destroy_qp", qp)).isEqualTo(Ibv.EINVAL);
            assertThat(C.status("ibv_destroy_srq", srq)).isZero();
            assertThat(C.status("ibv_destroy_cq", cq)).isZero();
            assertThat(C.status("ibv_destroy_comp_channel", channel)).isZero();
            assertThat(C.status("ibv_dealloc_pd", node.pd)).isEqualTo(Ibv.EBUSY);
            assertThat(C.status("ibv_dereg_mr", mr)).isZero();
            assertThat(C.status("ibv_dereg_mr", mr)).isEqualTo(Ibv.EINVAL);
            assertThat(C.status("ibv_dealloc_pd", node.pd)).isZero();
            // All of it is gone, and calls with what is left of it are harmless.
            assertThat(DataVerbs.post_send(qp, 0, 0)).isEqualTo(Ibv.EINVAL);
            assertThat(DataVerbs.post_srq_recv(srq, 0, 0)).isEqualTo(Ibv.EINVAL);
            assertThat(DataVerbs.poll_cq(cq, 1, 0)).isNegative();
            assertThat(DataVerbs.req_notify_cq(cq, 0)).isEqualTo(Ibv.EINVAL);
        }
    }

    @Test
    void shouldRefuseWhatCannotBeMade() {
        try (Node node = new Node("soft0");
                Node other = new Node("soft1")) {
            assertThat(node.cq(0)).isZero();
            assertThat(node.cq(SoftDevice.MAX_CQE + 1)).isZero();
            assertThat(C.pointer("ibv_create_cq", node.context, 1, 0L, 0L, SoftDevice.COMPLETION_VECTORS))
                    .isZero();
            assertThat(node.srq(0, 1)).isZero();
            assertThat(node.srq(1, SoftDevice.MAX_SGE + 1)).isZero();
            long cq = node.cq(8);
            assertThat(node.qp(Ibv.IBV_QPT_RC, cq, cq, 0, SoftDevice.MAX_QUEUE_WRS + 1, 1, 0))
                    .isZero();
            assertThat(node.qp(Ibv.IBV_QPT_RC, cq, cq, 0, 1, SoftDevice.MAX_SGE + 1, 0))
                    .isZero();
            assertThat(node.qp(Ibv.IBV_QPT_RC, cq, cq, 0, 1, 1, SoftDevice.MAX_INLINE + 1))
                    .isZero();
            assertThat(node.qp(Ibv.IBV_QPT_RC, cq, other.cq(8), 0, 1, 1, 0)).isZero();
            assertThat(node.qp(Ibv.IBV_QPT_RC, 0, cq, 0, 1, 1, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
            assertThat(node.qp(Ibv.IBV_QPT_UC, cq, cq, 0, 1, 1, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EOPNOTSUPP);
            long secondPd = C.pointer("ibv_alloc_pd", node.context);
            long init = node.memory(24);
            Memory.putInt(init + 8, 8);
            long foreignSrq = C.pointer("ibv_create_srq", secondPd, init);
            assertThat(foreignSrq).isNotZero();
            assertThat(node.rc(cq, cq, foreignSrq))
                    .as("a shared queue of another domain")
                    .isZero();
            assertThat(node.qp(Ibv.IBV_QPT_RC, cq, cq, 0, 0, 0, 0))
                    .as("a queue pair without queues")
                    .isNotZero();
        }
    }

    @Test
    void shouldRefuseMemoryThatCannotBeRegistered() {
        try (Node node = new Node("soft0")) {
            long memory = node.memory(4096);
            assertThat(node.register(memory, 0, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
            assertThat(node.register(16, 4096, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EFAULT);
            assertThat(node.register(memory, Long.MAX_VALUE, 0)).isZero();
            assertThat(node.register(memory, 8, Ibv.IBV_ACCESS_REMOTE_WRITE)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EINVAL);
            assertThat(node.register(memory, 8, Ibv.IBV_ACCESS_ON_DEMAND)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EOPNOTSUPP);
            assertThat(node.register(memory, 8, Ibv.IBV_ACCESS_RELAXED_ORDERING))
                    .isNotZero();
        }
    }

    @Test
    void shouldRegisterMoreThanFourGibibytesWithoutTouchingThem() {
        try (Node node = new Node("soft0")) {
            long bytes = 5L << 30;
            long memory = node.memory(bytes);
            long mr = node.register(memory, bytes, Node.ALL_ACCESS);
            assertThat(mr).isNotZero();
            assertThat(Memory.getLong(mr + 24)).isEqualTo(bytes);
            assertThat(node.register(memory, 1L << 46, 0)).isZero();
            assertThat(C.errno()).isEqualTo(Ibv.EFAULT);
            long cq = node.cq(8);
            long qp = node.rc(cq, cq, 0);
            node.toInit(qp);
            node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
            node.toRts(qp, Node.Tuning.DEFAULT);
            long last = memory + bytes - 8;
            Memory.putLong(memory, 77);
            assertThat(Node.postSend(
                            qp, node.rdma(1, Ibv.IBV_WR_RDMA_WRITE, last, Node.key(mr), memory, 8, Node.key(mr)), 0))
                    .isZero();
            assertThat(node.awaitOne(cq).ok()).isTrue();
            assertThat(Memory.getLong(last)).isEqualTo(77);
        }
    }

    @Test
    void shouldOfferThreadDomainsAndParentDomains() {
        try (Pair pair = new Pair()) {
            Node node = pair.a;
            long attr = node.memory(48);
            long td = C.pointer(Memory.getLong(node.context - 192), node.context, attr);
            assertThat(td).isNotZero();
            Memory.putLong(attr, node.pd);
            Memory.putLong(attr + 8, td);
            long parent = C.pointer(Memory.getLong(node.context - 208), node.context, attr);
            assertThat(parent).isNotZero();
            assertThat(C.status(Memory.getLong(node.context - 200), td)).isEqualTo(Ibv.EBUSY);
            // Keys of the domain are good in its parent domain, and the other way round.
            long mr = C.pointer("ibv_reg_mr", parent, pair.bufferA, 64L, 0);
            pair.receive(1, 0, 8);
            pair.send(node.signaled(1, pair.bufferA, 8, Node.key(mr)));
            assertThat(node.awaitOne(pair.sendCqA).ok()).isTrue();
            assertThat(C.status("ibv_dereg_mr", mr)).isZero();
            assertThat(C.status("ibv_dealloc_pd", parent)).isZero();
            assertThat(C.status(Memory.getLong(node.context - 200), td)).isZero();
        }
    }

    @Test
    void shouldNotReuseNumbersAndKeysAtOnce() {
        try (Node node = new Node("soft0")) {
            long cq = node.cq(8);
            long memory = node.memory(8);
            long qp = node.rc(cq, cq, 0);
            int number = Node.number(qp);
            long mr = node.register(memory, 8, 0);
            int key = Node.key(mr);
            for (int i = 0; i < 300; i++) {
                assertThat(C.status("ibv_destroy_qp", qp)).isZero();
                assertThat(C.status("ibv_dereg_mr", mr)).isZero();
                qp = node.rc(cq, cq, 0);
                mr = node.register(memory, 8, 0);
                assertThat(Node.number(qp)).isNotEqualTo(number);
                assertThat(Node.key(mr)).isNotEqualTo(key);
            }
        }
    }

    @Test
    void shouldLeaveNothingBehind() throws IOException {
        SoftHca.Census before = SoftHca.census();
        cycle(100);
        long memoryBefore = residentBytes();
        long descriptorsBefore = descriptors();
        cycle(1000);
        assertThat(SoftHca.census()).isEqualTo(before);
        assertThat(descriptors()).isLessThanOrEqualTo(descriptorsBefore + 2);
        assertThat(residentBytes() - memoryBefore).isLessThan(64 << 20);
    }

    /** Opens, registers, connects, sends, and closes: every second time piece by piece. */
    private static void cycle(int times) {
        for (int i = 0; i < times; i++) {
            Node node = new Node("soft0");
            long channel = C.pointer("ibv_create_comp_channel", node.context);
            long cq = node.cq(1000, channel);
            long srq = node.srq(1000, 4);
            long qp = node.qp(Ibv.IBV_QPT_RC, cq, cq, srq, 100, 4, 100);
            node.toInit(qp);
            node.toRtr(qp, node, Node.number(qp), Node.Tuning.DEFAULT);
            node.toRts(qp, Node.Tuning.DEFAULT);
            long buffer = node.memory(64);
            long mr = node.register(buffer, 64, Node.ALL_ACCESS);
            assertThat(Node.postSend(qp, node.signaled(1, buffer, 8, Node.key(mr)), 0))
                    .isZero();
            if (i % 2 == 0) {
                assertThat(C.status("ibv_destroy_qp", qp)).isZero();
                assertThat(C.status("ibv_destroy_srq", srq)).isZero();
                assertThat(C.status("ibv_destroy_cq", cq)).isZero();
                assertThat(C.status("ibv_destroy_comp_channel", channel)).isZero();
                assertThat(C.status("ibv_dereg_mr", mr)).isZero();
                assertThat(C.status("ibv_dealloc_pd", node.pd)).isZero();
            }
            node.close();
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static long residentBytes() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
    }
}
