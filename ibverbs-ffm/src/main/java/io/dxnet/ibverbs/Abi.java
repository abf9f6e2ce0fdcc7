package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.verbs_context;

/**
 * Compares what the loaded library does with the layouts that this binding was
 * made for. The {@code ibv_context} is the last member of {@code verbs_context},
 * which grows at its head: operations have constant negative offsets from the
 * context, and {@code sz} shows how many of them the loaded library has.
 */
final class Abi {
    /** {@code __VERBS_ABI_IS_EXTENDED}. */
    private static final long EXTENDED = -1;

    /**
     * aarch64's {@code pthread_mutex_t} is eight bytes longer
     * than the one the layouts were generated with.
     */
    private static final long MUTEX_EXTRA = System.getProperty("os.arch").equals("aarch64") ? 8 : 0;

    static final long ABI_COMPAT_OFFSET = ibv_context.abi_compat$offset() + MUTEX_EXTRA;
    static final long CONTEXT_BYTES = ibv_context.sizeof() + MUTEX_EXTRA;
    private static final long SZ_OFFSET = Context.offsetInContext(verbs_context.sz$offset());

    /** rdma-core 65 has 696 bytes. More than this is no size. */
    private static final long MAX_VERBS_CONTEXT_BYTES = 4096;

    private Abi() {}

    static void check(long device, long context) {
        long deviceField = Memory.getLong(context + ibv_context.device$offset());
        if (deviceField != device) {
            throw Context.incompatible("ibv_context.device is not the device that was opened");
        }
        if (Memory.getLong(context + ABI_COMPAT_OFFSET) != EXTENDED) {
            throw Context.incompatible("ibv_context.abi_compat does not announce a verbs_context");
        }
        long size = Memory.getLong(context + SZ_OFFSET);
        if (size < CONTEXT_BYTES + Long.BYTES || size > MAX_VERBS_CONTEXT_BYTES || size % Long.BYTES != 0) {
            throw Context.incompatible("verbs_context.sz is " + size);
        }
        if (Memory.getInt(context + ibv_context.async_fd$offset()) < 0
                || Memory.getInt(context + ibv_context.num_comp_vectors$offset()) < 1) {
            throw Context.incompatible("ibv_context has no event descriptor or no completion vector");
        }
    }

    /**
     * The function at {@code offset} of {@code verbs_context},
     * 0 where the loaded library has no such field.
     */
    static long operation(long context, long offset) {
        long relative = Context.offsetInContext(offset);
        long size = Memory.getLong(context + SZ_OFFSET);
        return size < CONTEXT_BYTES - relative ? 0 : Memory.getLong(context + relative);
    }

    /** An object that the library made must name the context it was made in. */
    static void checkOwner(String structure, long context, long field) {
        if (field != context) {
            throw Context.incompatible(structure + ".context is not the context it was made in");
        }
    }
}
