package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_srq;
import io.dxnet.ibverbs.raw.ibv_srq_attr;
import io.dxnet.ibverbs.raw.ibv_srq_init_attr;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;

/**
 * Receives that several queue pairs share ({@code struct ibv_srq};
 * {@code man ibv_create_srq}). Any thread may post, each with its own chain. The queue
 * pair that a message came to is in {@link WorkCompletion#qpNumber()}.
 */
public final class SharedReceiveQueue extends Resource {
    private final ProtectionDomain domain;
    private final Context context;
    private final long address;
    private final int maxSge;
    private final long postFunction;
    private final boolean critical;
    private final DataPath dataPath;

    /**
     * The queue's sizes in force.
     *
     * @param maxRequests the receives it holds
     * @param maxSge the elements of one receive
     * @param limit below how many receives it sends
     *     {@link AsyncEventType#SRQ_LIMIT_REACHED}, 0 for never
     */
    public record Attributes(int maxRequests, int maxSge, int limit) {}

    private SharedReceiveQueue(ProtectionDomain domain, long address, int maxSge) {
        super(domain);
        this.domain = domain;
        this.context = domain.context();
        this.address = address;
        this.maxSge = maxSge;
        this.dataPath = context.dataPath();
        this.postFunction = dataPath.postSrqReceive;
        this.critical = dataPath.criticalReceive;
    }

    static SharedReceiveQueue create(ProtectionDomain domain, int maxRequests, int maxSge) {
        domain.enter();
        try (Arena arena = Arena.ofConfined()) {
            Context context = domain.context();
            long init = arena.allocate(ibv_srq_init_attr.layout()).address();
            long attributes = init + ibv_srq_init_attr.attr$offset();
            Memory.putInt(attributes + ibv_srq_attr.max_wr$offset(), maxRequests);
            Memory.putInt(attributes + ibv_srq_attr.max_sge$offset(), maxSge);
            long address = context.library()
                    .createSrq
                    .pointer(
                            errno -> maxRequests + " requests of " + maxSge
                                    + " elements (see DeviceAttributes.maxSharedReceiveRequests and .maxSharedReceiveSge)",
                            domain.address(),
                            init);
            return attached(context.library().destroySrq, address, () -> {
                Abi.checkOwner("ibv_srq", context.address(), Memory.getLong(address + ibv_srq.context$offset()));
                return new SharedReceiveQueue(domain, address, maxSge);
            });
        } finally {
            domain.exit();
        }
    }

    /**
     * Posts receives with one call ({@code man ibv_post_srq_recv}).
     * Never waits and allocates nothing.
     *
     * @param chain the receives; may be filled anew afterwards
     * @return how many were accepted, from the first; fewer than all where the queue is full
     * @throws IllegalStateException if the queue is closed
     * @throws VerbsException if the library refuses a receive; those before it were accepted
     */
    public int post(ReceiveChain chain) {
        return post(chain, 0);
    }

    /**
     * Posts the rest of a chain, for instance of one that did not fit before.
     *
     * @param chain the receives
     * @param first the first to post
     * @return how many were accepted, from {@code first}; fewer than all where the queue is full
     * @throws IllegalStateException if the queue is closed
     * @throws VerbsException if the library refuses a receive; those before it were accepted
     */
    public int post(ReceiveChain chain, int first) {
        if (first == chain.size()) {
            return 0;
        }
        if (chain.longestSgeList() > maxSge) {
            throw new IllegalArgumentException(
                    "a receive has " + chain.longestSgeList() + " elements, the queue accepts " + maxSge);
        }
        long request = chain.request(first);
        chain.enter(address);
        try {
            if (isClosed()) {
                throw closedException();
            }
            int result = critical
                    ? CriticalCalls.postSharedReceive(postFunction, address, request, chain.badRequest())
                    : dataPath.postSharedReceive(address, request, chain.badRequest());
            int accepted = chain.accepted(first, result);
            if (result != 0 && chain.errno() != verbs_h.ENOMEM()) {
                throw new PostException("ibv_post_srq_recv", chain.errno(), accepted);
            }
            return accepted;
        } finally {
            chain.exit();
        }
    }

    /**
     * Asks for one {@link AsyncEventType#SRQ_LIMIT_REACHED} when fewer receives are left
     * ({@code man ibv_modify_srq}). The event turns the limit off. Some devices check it only when
     * a receive is used: with fewer posted already no event comes at once.
     *
     * @param limit the receives, 0 for never
     */
    public void armLimit(int limit) {
        modify(verbs_h.IBV_SRQ_LIMIT(), 0, limit, "limit " + limit);
    }

    /**
     * Changes the size ({@code man ibv_modify_srq}).
     *
     * @param maxRequests the receives it must hold at least
     * @throws VerbsException where the device cannot
     */
    public void resize(int maxRequests) {
        modify(verbs_h.IBV_SRQ_MAX_WR(), maxRequests, 0, maxRequests + " requests");
    }

    private void modify(int mask, int maxRequests, int limit, String what) {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(ibv_srq_attr.layout()).address();
            Memory.putInt(attributes + ibv_srq_attr.max_wr$offset(), maxRequests);
            Memory.putInt(attributes + ibv_srq_attr.srq_limit$offset(), limit);
            context.library().modifySrq.status(errno -> what, address, attributes, mask);
        } finally {
            exit();
        }
    }

    /**
     * Asks for the sizes in force ({@code man ibv_query_srq}).
     *
     * @return the sizes, at least what was asked for
     */
    public Attributes attributes() {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(ibv_srq_attr.layout()).address();
            context.library().querySrq.status(errno -> "", address, attributes);
            return new Attributes(
                    Memory.getInt(attributes + ibv_srq_attr.max_wr$offset()),
                    Memory.getInt(attributes + ibv_srq_attr.max_sge$offset()),
                    Memory.getInt(attributes + ibv_srq_attr.srq_limit$offset()));
        } finally {
            exit();
        }
    }

    Context context() {
        return context;
    }

    long address() {
        return address;
    }

    @Override
    void awaitDataPath() {
        Quiescence.awaitUnused(address);
    }

    @Override
    void destroy() {
        context.library().destroySrq.status(errno -> "a queue pair still uses it", address);
    }

    @Override
    void remember() {
        context.remember(address, this);
    }

    @Override
    void forget() {
        context.forget(address, this);
    }

    @Override
    public String toString() {
        return "shared receive queue of " + domain.context().device().name();
    }
}
