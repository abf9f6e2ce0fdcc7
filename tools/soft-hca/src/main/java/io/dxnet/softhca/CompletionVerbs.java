package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_comp_channel;
import io.dxnet.ibverbs.raw.ibv_cq_init_attr_ex;

/** Completion channels and completion queues. */
final class CompletionVerbs {
    /** How long a destroy waits for events to be acknowledged; libibverbs waits for ever. */
    static final long ACKNOWLEDGE_LIMIT_NS = 2_000_000_000L;

    private CompletionVerbs() {}

    static long ibv_create_comp_channel(long context) {
        try (var _ = Fabric.control()) {
            SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
            open.enter("ibv_create_comp_channel");
            return Fabric.CHANNELS.add(new SoftChannel(open)).address();
        }
    }

    static int ibv_destroy_comp_channel(long channel) {
        try (var _ = Fabric.control()) {
            SoftChannel found = VerbError.live(Fabric.CHANNELS.at(channel));
            found.requireUnused();
            destroy(found);
            return 0;
        }
    }

    static void destroy(SoftChannel channel) {
        Fabric.CHANNELS.remove(channel);
        channel.events().close();
    }

    static long ibv_create_cq(long context, int entries, long cqContext, long channel, int vector) {
        return create(context, entries, cqContext, channel, vector, false);
    }

    /** The operation of {@code verbs_context}. */
    static long create_cq_ex(long context, long attr) {
        int mask = Memory.getInt(attr + ibv_cq_init_attr_ex.comp_mask$offset());
        int flags = (mask & Ibv.IBV_CQ_INIT_ATTR_MASK_FLAGS) == 0
                ? 0
                : Memory.getInt(attr + ibv_cq_init_attr_ex.flags$offset());
        int known = Ibv.IBV_CREATE_CQ_ATTR_SINGLE_THREADED | Ibv.IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
        long wcFlags = Memory.getLong(attr + ibv_cq_init_attr_ex.wc_flags$offset());
        boolean offered = (mask & ~Ibv.IBV_CQ_INIT_ATTR_MASK_FLAGS) == 0
                && (flags & ~known) == 0
                && (wcFlags & ~(long) Ibv.IBV_WC_STANDARD_FLAGS) == 0;
        if (!offered) {
            throw new VerbError(Ibv.EOPNOTSUPP);
        }
        long queue = create(
                context,
                Memory.getInt(attr + ibv_cq_init_attr_ex.cqe$offset()),
                Memory.getLong(attr + ibv_cq_init_attr_ex.cq_context$offset()),
                Memory.getLong(attr + ibv_cq_init_attr_ex.channel$offset()),
                Memory.getInt(attr + ibv_cq_init_attr_ex.comp_vector$offset()),
                (flags & Ibv.IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN) != 0);
        ExtendedPollVerbs.writeOperations(queue);
        return queue;
    }

    private static long create(
            long context, int entries, long cqContext, long channel, int vector, boolean ignoreOverrun) {
        try (var _ = Fabric.control()) {
            SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
            open.enter("ibv_create_cq");
            VerbError.require(entries > 0 && entries <= SoftDevice.MAX_CQE);
            VerbError.require(vector >= 0 && vector < SoftDevice.COMPLETION_VECTORS);
            SoftChannel found = channel == 0 ? null : VerbError.live(Fabric.CHANNELS.at(channel));
            VerbError.require(found == null || found.context == open);
            SoftCompletionQueue queue = Fabric.COMPLETION_QUEUES.add(
                    new SoftCompletionQueue(open, found, cqContext, entries, ignoreOverrun));
            if (found != null) {
                found.addUser();
                countUser(found, 1);
            }
            return queue.address();
        }
    }

    /** libibverbs counts a channel's queues in the structure. */
    private static void countUser(SoftChannel channel, int change) {
        long at = channel.address() + ibv_comp_channel.refcnt$offset();
        Memory.putInt(at, Memory.getInt(at) + change);
    }

    static int ibv_resize_cq(long cq, int entries) {
        try (var _ = Fabric.control()) {
            SoftCompletionQueue queue = VerbError.live(Fabric.COMPLETION_QUEUES.at(cq));
            queue.context.enter("ibv_resize_cq");
            VerbError.require(entries > 0 && entries <= SoftDevice.MAX_CQE);
            queue.resize(entries);
            return 0;
        }
    }

    static int ibv_destroy_cq(long cq) {
        SoftCompletionQueue queue = VerbError.live(Fabric.COMPLETION_QUEUES.at(cq));
        queue.requireUnused();
        queue.forgetEvents();
        queue.awaitAcknowledgements(ACKNOWLEDGE_LIMIT_NS);
        try (var _ = Fabric.control()) {
            VerbError.require(!queue.isGone());
            queue.requireUnused();
            destroy(queue);
            return 0;
        }
    }

    static void destroy(SoftCompletionQueue queue) {
        Fabric.COMPLETION_QUEUES.remove(queue);
        queue.release();
        queue.forgetEvents();
        if (queue.channel() != null) {
            queue.channel().removeUser();
            countUser(queue.channel(), -1);
        }
    }

    static int ibv_get_cq_event(long channel, long cq, long cqContext) {
        SoftCompletionQueue queue =
                VerbError.live(Fabric.CHANNELS.at(channel)).events().take(SoftCompletionQueue::eventTaken);
        Memory.putLong(cq, queue.address());
        Memory.putLong(cqContext, queue.cqContext());
        return 0;
    }

    static void ibv_ack_cq_events(long cq, int count) {
        VerbError.live(Fabric.COMPLETION_QUEUES.at(cq)).eventsAcknowledged(count);
    }
}
