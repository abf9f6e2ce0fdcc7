package io.dxnet.ibverbs.spi;

/**
 * The hot verbs of a device whose driver is Java in this JVM, as Java methods. The binding calls
 * them without a detour through C. Arguments are the addresses that the C functions get, results
 * are the C functions' results. Any thread; nothing is thrown.
 *
 * <p>They are the functions of {@code ibv_context.ops}, not another way to the device:
 * callers in C, and the binding where {@code io.dxnet.ibverbs.localVerbs} is
 * {@code never}, get the same through the pointers.
 */
public interface LocalVerbs {
    /**
     * {@code poll_cq}.
     *
     * @param queue the {@code ibv_cq}
     * @param entries the most completions to poll
     * @param completions room for as many {@code ibv_wc}
     * @return how many were polled; negative for a broken queue
     */
    int pollCq(long queue, int entries, long completions);

    /**
     * {@code req_notify_cq}.
     *
     * @param queue the {@code ibv_cq}
     * @param solicitedOnly whether only solicited completions are announced, 0 or 1
     * @return 0 or an error number
     */
    int requestNotification(long queue, int solicitedOnly);

    /**
     * {@code post_send}.
     *
     * @param queuePair the {@code ibv_qp}
     * @param request the first {@code ibv_send_wr} of a chain
     * @param badRequest where the address of the first refused one is written
     * @return 0 or an error number
     */
    int postSend(long queuePair, long request, long badRequest);

    /**
     * {@code post_recv}.
     *
     * @param queuePair the {@code ibv_qp}
     * @param request the first {@code ibv_recv_wr} of a chain
     * @param badRequest where the address of the first refused one is written
     * @return 0 or an error number
     */
    int postReceive(long queuePair, long request, long badRequest);

    /**
     * {@code post_srq_recv}.
     *
     * @param queue the {@code ibv_srq}
     * @param request the first {@code ibv_recv_wr} of a chain
     * @param badRequest where the address of the first refused one is written
     * @return 0 or an error number
     */
    int postSharedReceive(long queue, long request, long badRequest);
}
