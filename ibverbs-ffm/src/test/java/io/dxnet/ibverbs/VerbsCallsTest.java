package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.raw.verbs_h;
import io.dxnet.ibverbs.spi.VerbsCalls;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Another way to call verbs: it gets each call, with the function's address and its arguments. */
class VerbsCallsTest {
    private static final int EBADF = 9;

    /** Calls nothing; notes what it was asked for. */
    private static final class Noting implements VerbsCalls {
        final List<String> calls = new ArrayList<>();
        boolean prepared;
        long result;
        int errno;

        @Override
        public String name() {
            return "noting";
        }

        @Override
        public void prepare() {
            prepared = true;
        }

        @Override
        public int post(long function, long queue, long request, long badRequest) {
            calls.add("post " + function + ": " + List.of(queue, request, badRequest));
            return 1;
        }

        @Override
        public int poll(long function, long queue, int entries, long completions) {
            calls.add("poll " + function + ": " + List.of(queue, entries, completions));
            return 2;
        }

        @Override
        public int requestNotification(long function, long queue, int solicitedOnly) {
            calls.add("notify " + function + ": " + List.of(queue, solicitedOnly));
            return 3;
        }

        @Override
        public long call(long function, long arguments, int count, long errnoAt) {
            List<Long> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                values.add(Memory.getLong(arguments + 8L * i));
            }
            calls.add("call " + function + ": " + values);
            Memory.putInt(errnoAt, errno);
            return result;
        }
    }

    /** A driver that offers all that makes a call cheap. */
    private static final class UserSpace implements VerbsProvider {
        @Override
        public String name() {
            return "fake";
        }

        @Override
        public boolean offers(String deviceName) {
            return false;
        }

        @Override
        public SymbolLookup symbols() {
            throw new UnsupportedOperationException("none");
        }

        @Override
        public boolean upcalls() {
            return false;
        }
    }

    private final Arena arena = Arena.ofConfined();
    private final Noting noting = new Noting();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    @DisplayName("each hot verb is called with its own function, and none with a critical call")
    void shouldCallHotVerbs() {
        long context = arena.allocate(ibv_context.layout()).address();
        long ops = context + ibv_context.ops$offset();
        Memory.putLong(ops + ibv_context_ops.poll_cq$offset(), 11);
        Memory.putLong(ops + ibv_context_ops.req_notify_cq$offset(), 12);
        Memory.putLong(ops + ibv_context_ops.post_srq_recv$offset(), 13);
        Memory.putLong(ops + ibv_context_ops.post_send$offset(), 14);
        Memory.putLong(ops + ibv_context_ops.post_recv$offset(), 15);

        DataPath path = new DataPath(context, "fake0", new UserSpace(), noting);

        assertThat(path.criticalSend).isFalse();
        assertThat(path.criticalReceive).isFalse();
        assertThat(path.pollCq(1, 2, 3)).isEqualTo(2);
        assertThat(path.requestNotification(1, 0)).isEqualTo(3);
        assertThat(path.postSharedReceive(1, 2, 3)).isEqualTo(1);
        assertThat(path.postSend(4, 5, 6)).isEqualTo(1);
        assertThat(path.postReceive(7, 8, 9)).isEqualTo(1);
        assertThat(noting.calls)
                .containsExactly(
                        "poll 11: [1, 2, 3]",
                        "notify 12: [1, 0]",
                        "post 13: [1, 2, 3]",
                        "post 14: [4, 5, 6]",
                        "post 15: [7, 8, 9]");
    }

    @Test
    @DisplayName("functions of the control path get all arguments, and their results and errors keep their conventions")
    void shouldCallControlPath() {
        NativeFunction resize = new NativeFunction(
                new UserSpace(),
                noting,
                "ibv_resize_cq",
                MemorySegment.ofAddress(77),
                verbs_h.ibv_resize_cq$descriptor());
        NativeFunction create = new NativeFunction(
                new UserSpace(),
                noting,
                "ibv_alloc_pd",
                MemorySegment.ofAddress(78),
                verbs_h.ibv_alloc_pd$descriptor());

        noting.result = 0xffff_ffffL; // an int of -1 whose register has no more bits
        noting.errno = EBADF;
        assertThat(resize.errnoOf(5, 6)).isEqualTo(EBADF);
        noting.result = 0x7_0000_0001L;
        assertThat(create.pointer(errno -> "", 9)).isEqualTo(0x7_0000_0001L);
        noting.result = 0;
        assertThatThrownBy(() -> create.pointer(errno -> "", 9))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EBADF");

        assertThat(noting.calls).containsExactly("call 77: [5, 6]", "call 78: [9]", "call 78: [9]");
    }

    @Test
    @DisplayName("the calls are chosen by name and prepared; an unknown name is answered with those there are")
    void shouldChooseByName() {
        assertThat(CallsChoice.named("noting", List.of(noting))).isSameAs(noting);
        assertThat(noting.prepared).isTrue();
        assertThatThrownBy(() -> CallsChoice.named("other", List.of(noting)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("-Dio.dxnet.ibverbs.calls=other")
                .hasMessageEndingWith("only noting");
        assertThat(CallsChoice.chosen()).isNull();
    }
}
