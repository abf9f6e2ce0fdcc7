package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;

/**
 * The calls that make and free memory windows, which {@code verbs.h} defines inline: the fields
 * {@code alloc_mw} and {@code dealloc_mw} of {@code ibv_context.ops}. Both are null where the
 * driver has none.
 */
record WindowCalls(NativeFunction allocate, NativeFunction free) {
    static WindowCalls of(Context context) {
        return new WindowCalls(
                operation(
                        context,
                        "ibv_alloc_mw",
                        ibv_context_ops.alloc_mw$offset(),
                        ibv_context_ops.alloc_mw.descriptor()),
                operation(
                        context,
                        "ibv_dealloc_mw",
                        ibv_context_ops.dealloc_mw$offset(),
                        ibv_context_ops.dealloc_mw.descriptor()));
    }

    private static NativeFunction operation(Context context, String name, long offset, FunctionDescriptor descriptor) {
        long address = Memory.getLong(context.address() + ibv_context.ops$offset() + offset);
        return context.library().operation(name, address, descriptor);
    }
}
