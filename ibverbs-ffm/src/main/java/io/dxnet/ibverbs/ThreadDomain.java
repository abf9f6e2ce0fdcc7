package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_td_init_attr;
import io.dxnet.ibverbs.raw.verbs_context;
import java.lang.foreign.Arena;

/**
 * A promise that one thread at a time uses some objects ({@code struct ibv_td};
 * {@code man ibv_alloc_td}). Any thread may call.
 */
public final class ThreadDomain extends Resource {
    private final Context context;
    private final long address;

    private ThreadDomain(Context context, long address) {
        super(context);
        this.context = context;
        this.address = address;
    }

    static ThreadDomain allocate(Context context) {
        NativeFunction allocate =
                context.operation("ibv_alloc_td", verbs_context.alloc_td$offset(), verbs_context.alloc_td.descriptor());
        if (allocate == null) {
            throw Context.notOffered("ibv_alloc_td");
        }
        context.enter();
        try (Arena arena = Arena.ofConfined()) {
            long init = arena.allocate(ibv_td_init_attr.layout()).address();
            NativeFunction deallocate = deallocate(context);
            long address = allocate.pointer(errno -> "", context.address(), init);
            return attached(deallocate, address, () -> new ThreadDomain(context, address));
        } finally {
            context.exit();
        }
    }

    Context context() {
        return context;
    }

    long address() {
        return address;
    }

    @Override
    void destroy() {
        deallocate(context).status(errno -> "a parent domain still uses it", address);
    }

    private static NativeFunction deallocate(Context context) {
        NativeFunction deallocate = context.operation(
                "ibv_dealloc_td", verbs_context.dealloc_td$offset(), verbs_context.dealloc_td.descriptor());
        if (deallocate == null) {
            throw Context.notOffered("ibv_dealloc_td");
        }
        return deallocate;
    }

    @Override
    public String toString() {
        return "thread domain of " + context.device().name();
    }
}
