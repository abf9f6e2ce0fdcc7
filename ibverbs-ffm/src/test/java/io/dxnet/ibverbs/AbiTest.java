package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.raw.ibv_ah_attr;
import io.dxnet.ibverbs.raw.ibv_async_event;
import io.dxnet.ibverbs.raw.ibv_comp_channel;
import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.raw.ibv_cq;
import io.dxnet.ibverbs.raw.ibv_device;
import io.dxnet.ibverbs.raw.ibv_gid_entry;
import io.dxnet.ibverbs.raw.ibv_grh;
import io.dxnet.ibverbs.raw.ibv_mr;
import io.dxnet.ibverbs.raw.ibv_pd;
import io.dxnet.ibverbs.raw.ibv_qp;
import io.dxnet.ibverbs.raw.ibv_qp_attr;
import io.dxnet.ibverbs.raw.ibv_qp_init_attr;
import io.dxnet.ibverbs.raw.ibv_recv_wr;
import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.ibv_sge;
import io.dxnet.ibverbs.raw.ibv_srq;
import io.dxnet.ibverbs.raw.ibv_srq_init_attr;
import io.dxnet.ibverbs.raw.ibv_wc;
import io.dxnet.ibverbs.raw.verbs_context;
import java.lang.foreign.Arena;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The layout as numbers, and the guard against a library that has another. */
class AbiTest {
    private static final long DEVICE = 0x1234_5678L;

    @Test
    @DisplayName("sizes are those measured with verbs.h of rdma-core 39 to 65")
    void shouldHaveMeasuredSizes() {
        assertThat(ibv_context.sizeof()).isEqualTo(328);
        assertThat(verbs_context.sizeof()).isEqualTo(648);
        assertThat(ibv_qp.sizeof()).isEqualTo(160);
        assertThat(ibv_cq.sizeof()).isEqualTo(128);
        assertThat(ibv_srq.sizeof()).isEqualTo(128);
        assertThat(ibv_pd.sizeof()).isEqualTo(16);
        assertThat(ibv_mr.sizeof()).isEqualTo(48);
        assertThat(ibv_comp_channel.sizeof()).isEqualTo(16);
        assertThat(ibv_sge.sizeof()).isEqualTo(16);
        assertThat(ibv_recv_wr.sizeof()).isEqualTo(32);
        assertThat(ibv_send_wr.sizeof()).isEqualTo(128);
        assertThat(ibv_wc.sizeof()).isEqualTo(48);
        assertThat(ibv_qp_attr.sizeof()).isEqualTo(144);
        assertThat(ibv_qp_init_attr.sizeof()).isEqualTo(64);
        assertThat(ibv_srq_init_attr.sizeof()).isEqualTo(24);
        assertThat(ibv_gid_entry.sizeof()).isEqualTo(32);
        assertThat(ibv_async_event.sizeof()).isEqualTo(16);
        assertThat(ibv_device.sizeof()).isEqualTo(664);
        assertThat(ibv_grh.sizeof()).isEqualTo(40);
        assertThat(ibv_ah_attr.sizeof()).isEqualTo(32);
    }

    @Test
    @DisplayName("offsets of the data path are those measured with verbs.h of rdma-core 39 to 65")
    void shouldHaveMeasuredOffsets() {
        long ops = ibv_context.ops$offset();
        assertThat(ops).isEqualTo(8);
        assertThat(ops + ibv_context_ops.poll_cq$offset()).isEqualTo(96);
        assertThat(ops + ibv_context_ops.req_notify_cq$offset()).isEqualTo(104);
        assertThat(ops + ibv_context_ops.post_srq_recv$offset()).isEqualTo(168);
        assertThat(ops + ibv_context_ops.post_send$offset()).isEqualTo(208);
        assertThat(ops + ibv_context_ops.post_recv$offset()).isEqualTo(216);
        assertThat(ibv_context.async_fd$offset()).isEqualTo(268);
        assertThat(ibv_context.num_comp_vectors$offset()).isEqualTo(272);
        assertThat(ibv_context.abi_compat$offset()).isEqualTo(320);
        assertThat(ibv_qp.qp_num$offset()).isEqualTo(52);
        assertThat(ibv_cq.cqe$offset()).isEqualTo(28);
        assertThat(ibv_mr.lkey$offset()).isEqualTo(36);
        assertThat(ibv_mr.rkey$offset()).isEqualTo(40);
        assertThat(ibv_comp_channel.fd$offset()).isEqualTo(8);
        assertThat(ibv_send_wr.opcode$offset()).isEqualTo(28);
        assertThat(ibv_send_wr.imm_data$offset()).isEqualTo(36);
        assertThat(ibv_send_wr.wr$offset()).isEqualTo(40);
        assertThat(ibv_wc.status$offset()).isEqualTo(8);
        assertThat(ibv_wc.byte_len$offset()).isEqualTo(20);
        assertThat(ibv_wc.imm_data$offset()).isEqualTo(24);
        assertThat(ibv_wc.qp_num$offset()).isEqualTo(28);
        assertThat(ibv_wc.wc_flags$offset()).isEqualTo(36);
        assertThat(ibv_qp_attr.ah_attr$offset()).isEqualTo(56);
        assertThat(ibv_qp_attr.retry_cnt$offset()).isEqualTo(131);
        assertThat(ibv_device.name$offset()).isEqualTo(24);
    }

    @Test
    @DisplayName("operations lie at constant negative offsets from the context")
    void shouldHaveMeasuredOperationOffsets() {
        assertThat(Context.offsetInContext(verbs_context.sz$offset())).isEqualTo(-8);
        assertThat(Context.offsetInContext(verbs_context.create_cq_ex$offset())).isEqualTo(-120);
        assertThat(Context.offsetInContext(verbs_context.alloc_td$offset())).isEqualTo(-192);
        assertThat(Context.offsetInContext(verbs_context.dealloc_td$offset())).isEqualTo(-200);
        assertThat(Context.offsetInContext(verbs_context.alloc_parent_domain$offset()))
                .isEqualTo(-208);
        assertThat(Context.offsetInContext(verbs_context.query_port$offset())).isEqualTo(-320);
    }

    private static void withContext(Consumer<Long> body) {
        try (Arena arena = Arena.ofConfined()) {
            long context = arena.allocate(verbs_context.sizeof() + 64, 8).address() + verbs_context.context$offset();
            Memory.putLong(context + ibv_context.device$offset(), DEVICE);
            Memory.putLong(context + Abi.ABI_COMPAT_OFFSET, -1);
            Memory.putLong(context - 8, verbs_context.sizeof());
            Memory.putInt(context + ibv_context.num_comp_vectors$offset(), 1);
            body.accept(context);
        }
    }

    @Test
    @DisplayName("a context as libibverbs makes it passes")
    void shouldAcceptTheKnownLayout() {
        withContext(context -> assertThatCode(() -> Abi.check(DEVICE, context)).doesNotThrowAnyException());
    }

    @Test
    @DisplayName("a context of another layout fails at start, with what is wrong")
    void shouldRefuseOtherLayouts() {
        refused("ibv_context.device", context -> Memory.putLong(context, DEVICE + 8));
        refused("abi_compat", context -> Memory.putLong(context + Abi.ABI_COMPAT_OFFSET, 0));
        refused("verbs_context.sz is 12", context -> Memory.putLong(context - 8, 12));
        refused("verbs_context.sz", context -> Memory.putLong(context - 8, 1 << 20));
        refused("completion vector", context -> Memory.putInt(context + ibv_context.num_comp_vectors$offset(), 0));
        refused("event descriptor", context -> Memory.putInt(context + ibv_context.async_fd$offset(), -1));
    }

    private static void refused(String why, Consumer<Long> damage) {
        withContext(context -> {
            damage.accept(context);
            assertThatThrownBy(() -> Abi.check(DEVICE, context))
                    .isInstanceOfSatisfying(
                            VerbsUnavailableException.class,
                            e -> assertThat(e.kind()).isEqualTo(VerbsUnavailableException.Cause.INCOMPATIBLE))
                    .hasMessageContaining(why);
        });
    }

    @Test
    @DisplayName("an operation is read only where the loaded library's verbs_context reaches that far")
    void shouldNotReadOperationsOfNewerLibraries() {
        withContext(context -> {
            long offset = verbs_context.query_port$offset();
            Memory.putLong(context + Context.offsetInContext(offset), 77);
            assertThat(Abi.operation(context, offset)).isEqualTo(77);
            Memory.putLong(context - 8, verbs_context.sizeof() - 8);
            assertThat(Abi.operation(context, offset)).isZero();
        });
    }
}
