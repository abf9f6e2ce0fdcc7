package io.dxnet.ibverbs.spi;

import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/**
 * Where the binding finds libibverbs' functions. The built-in provider opens
 * {@code libibverbs.so.1}; others are found with {@link java.util.ServiceLoader} and
 * are asked first, by device name.
 *
 * <p>An implementation presents the C ABI of rdma-core 44
 * ({@code infiniband/verbs.h}), nothing less:
 *
 * <ul>
 *   <li>{@code ibv_open_device} returns the {@code ibv_context} that is the last member of a
 *       {@code verbs_context}, with {@code abi_compat} = {@code (void *) -1} and
 *       {@code verbs_context.sz} set; an operation that is not offered is a null pointer there, and
 *       a missing optional function is absent from the lookup.
 *   <li>The hot verbs are the function pointers of {@code ibv_context.ops}: {@code poll_cq},
 *       {@code req_notify_cq}, {@code post_srq_recv}, {@code post_send}, {@code post_recv}.
 *   <li>{@code ibv_context.async_fd} and {@code ibv_comp_channel.fd} are real descriptors that
 *       {@code poll(2)} reports readable while an event waits, and that can be set to
 *       {@code O_NONBLOCK}: {@code ibv_get_async_event} and {@code ibv_get_cq_event} then fail with
 *       {@code EAGAIN} instead of waiting.
 *   <li>Every structure that a function returns has its public fields filled as libibverbs fills
 *       them ({@code context}, {@code handle}, {@code qp_num}, {@code lkey} and so on): the binding
 *       checks them to detect a wrong layout at start.
 *   <li>Each function keeps its own convention for errors: null and {@code errno}, the error number
 *       returned, or -1 and {@code errno} (see {@link #errno(int)}).
 * </ul>
 *
 * <p>All methods may be called by any thread.
 */
public interface VerbsProvider {
    /**
     * Names the provider in messages and reports.
     *
     * @return a short name, for instance {@code libibverbs}
     */
    String name();

    /**
     * Returns whether a device is this provider's. A provider that returns true must have the
     * device in its {@code ibv_get_device_list} from then on.
     *
     * @param deviceName a device's name, for instance {@code soft0} or {@code mlx5_0}
     * @return whether {@code symbols()} leads to this device
     */
    boolean offers(String deviceName);

    /**
     * Returns the exported functions by their C names. The lookup and what it finds
     * stay valid until the JVM ends.
     *
     * @return the lookup, the same at every call
     * @throws UnsupportedOperationException if the provider cannot work here; the
     *     message states why and what to do
     */
    SymbolLookup symbols();

    /**
     * Returns whether the functions are Java upcalls. They must then never be called with
     * {@link java.lang.foreign.Linker.Option#critical(boolean)}, which the binding uses for
     * verbs that stay in user space.
     *
     * @return whether calls come back into the JVM
     */
    boolean upcalls();

    /**
     * Returns whether posting sends and arming notifications return at once, without the kernel.
     * They are then called with {@link java.lang.foreign.Linker.Option#critical(boolean)}, which
     * costs a third, and lets the garbage collector wait for the call.
     *
     * @param deviceName one of this provider's devices
     * @return by default whether there are no upcalls
     */
    default boolean sendsStayInUserSpace(String deviceName) {
        return !upcalls();
    }

    /**
     * Returns the same for polling and of posting receives.
     *
     * @param deviceName one of this provider's devices
     * @return by default whether there are no upcalls
     */
    default boolean receivesStayInUserSpace(String deviceName) {
        return !upcalls();
    }

    /**
     * Returns the hot verbs as Java methods, where the driver is Java in this JVM.
     *
     * @param deviceName one of this provider's devices
     * @return by default none: the functions are called through their pointers
     */
    default Optional<LocalVerbs> localVerbs(String deviceName) {
        return Optional.empty();
    }

    /**
     * Corrects the error number after a failed call, on the thread that made it. The JVM itself may
     * change {@code errno} between the end of an upcall and the end of the downcall that made it,
     * so a provider made of upcalls keeps the number per thread and returns it here.
     *
     * @param captured {@code errno} as it was right after the call
     * @return the call's error number
     */
    default int errno(int captured) {
        return captured;
    }
}
