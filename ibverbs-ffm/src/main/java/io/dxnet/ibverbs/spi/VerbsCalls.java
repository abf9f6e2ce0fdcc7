package io.dxnet.ibverbs.spi;

/**
 * A way to call the C functions of verbs by their addresses. The binding's own is
 * {@code java.lang.foreign}. Another one is found with {@link java.util.ServiceLoader}; where the
 * system property {@code io.dxnet.ibverbs.calls} is its name, it makes each call of a verb in this
 * JVM, of the data path and of the control path, on every device.
 *
 * <p>It exists for comparisons: typed API, transport and engine stay the same, and what differs
 * between two runs is the call. The functions are those of the chosen
 * {@link VerbsProvider}; {@link VerbsProvider#localVerbs} is not used.
 *
 * <p>Pointers are {@code long}. Any thread may call, and nothing is thrown but by
 * {@link #prepare()}.
 */
public interface VerbsCalls {
    /**
     * Names the way of calling.
     *
     * @return a short name, the value of {@code io.dxnet.ibverbs.calls} that chooses it
     */
    String name();

    /**
     * Makes the calls possible; called before the first of them, at least once.
     *
     * @throws UnsupportedOperationException if it cannot work here; the
     *     message states why and what to do
     */
    void prepare();

    /**
     * Calls {@code post_send}, {@code post_recv} or {@code post_srq_recv}.
     *
     * @param function the function
     * @param queue the {@code ibv_qp} or {@code ibv_srq}
     * @param request the first request of a chain
     * @param badRequest where the address of the first refused one is written
     * @return 0 or an error number
     */
    int post(long function, long queue, long request, long badRequest);

    /**
     * Calls {@code poll_cq}.
     *
     * @param function the function
     * @param queue the {@code ibv_cq}
     * @param entries the most completions to poll
     * @param completions room for as many {@code ibv_wc}
     * @return how many were polled; negative for a broken queue
     */
    int poll(long function, long queue, int entries, long completions);

    /**
     * Calls {@code req_notify_cq}.
     *
     * @param function the function
     * @param queue the {@code ibv_cq}
     * @param solicitedOnly whether only solicited completions are announced, 0 or 1
     * @return 0 or an error number
     */
    int requestNotification(long function, long queue, int solicitedOnly);

    /**
     * Calls any other verb: a C function whose arguments are integers and pointers.
     *
     * @param function the function
     * @param arguments address of its arguments, 64 bits each
     * @param count how many, at most six
     * @param errno where {@code errno} is written, an {@code int}, right after the call
     * @return its result; of a function with a narrower result, the upper bits are undefined
     */
    long call(long function, long arguments, int count, long errno);
}
