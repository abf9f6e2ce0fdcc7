package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_cq;
import io.dxnet.ibverbs.raw.ibv_cq_init_attr_ex;
import io.dxnet.ibverbs.raw.verbs_context;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;

/**
 * A completion queue ({@code struct ibv_cq}; {@code man ibv_create_cq}, {@code man ibv_poll_cq}).
 * Any thread may poll, each with its own {@link WorkCompletion}; unless the queue was made for a
 * single thread. Polling a closed queue throws.
 */
public final class CompletionQueue extends Resource {
    private final Context context;
    private final CompletionChannel channel;
    private final long address;
    private final long pollFunction;
    private final boolean criticalPoll;
    private final DataPath dataPath;
    private final boolean singleThreaded;

    private CompletionQueue(
            Context context, Options options, long address, boolean singleThreaded, Resource... parents) {
        super(parents);
        this.context = context;
        this.channel = options.channel;
        this.address = address;
        this.singleThreaded = singleThreaded;
        this.dataPath = context.dataPath();
        this.pollFunction = dataPath.pollCq;
        this.criticalPoll = dataPath.criticalReceive;
    }

    /** What a completion queue is made with. Not thread-safe. */
    public static final class Options {
        private final int entries;
        private CompletionChannel channel;
        private int vector;
        private boolean singleThreaded;

        private Options(int entries) {
            this.entries = entries;
        }

        /**
         * Announces completions on a channel.
         *
         * @param channel a channel of the same context
         * @return this
         */
        public Options channel(CompletionChannel channel) {
            this.channel = channel;
            return this;
        }

        /**
         * Chooses the interrupt line.
         *
         * @param vector from 0 to {@link Context#completionVectors()} - 1
         * @return this
         */
        public Options vector(int vector) {
            this.vector = vector;
            return this;
        }

        /**
         * Promises that one thread at a time polls, which saves a lock where
         * {@code ibv_create_cq_ex} offers that flag, and nothing elsewhere
         * ({@link CompletionQueue#isSingleThreaded()} returns which).
         *
         * @return this
         */
        public Options singleThreaded() {
            this.singleThreaded = true;
            return this;
        }
    }

    /**
     * Starts the options of a queue.
     *
     * @param entries the completions it must hold at least; devices round up
     * @return the options
     */
    public static Options options(int entries) {
        return new Options(entries);
    }

    static CompletionQueue create(Context context, Options options) {
        Resource[] parents =
                options.channel == null ? new Resource[] {context} : new Resource[] {context, options.channel};
        if (options.channel != null && options.channel.context() != context) {
            throw new IllegalArgumentException("the completion channel belongs to another context");
        }
        enterAll(parents);
        try {
            long channelAddress = options.channel == null ? 0 : options.channel.address();
            long single = options.singleThreaded ? createSingleThreaded(context, options, channelAddress) : 0;
            boolean singleThreaded = single != 0;
            long address = singleThreaded ? single : createOrdinary(context, options, channelAddress);
            return attached(context.library().destroyCq, address, () -> {
                Abi.checkOwner("ibv_cq", context.address(), Memory.getLong(address + ibv_cq.context$offset()));
                return new CompletionQueue(context, options, address, singleThreaded, parents);
            });
        } finally {
            exitAll(parents);
        }
    }

    private static long createOrdinary(Context context, Options options, long channel) {
        return context.library()
                .createCq
                .pointer(
                        errno -> options.entries + " entries, vector " + options.vector
                                + " (see DeviceAttributes.maxCompletions and Context.completionVectors)",
                        context.address(),
                        options.entries,
                        0,
                        channel,
                        options.vector);
    }

    /**
     * Returns 0 where the device does not offer the flag; every other failure shows
     * again in {@code ibv_create_cq}.
     */
    private static long createSingleThreaded(Context context, Options options, long channel) {
        NativeFunction create = context.operation(
                "ibv_create_cq_ex", verbs_context.create_cq_ex$offset(), verbs_context.create_cq_ex.descriptor());
        if (create == null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            long init = arena.allocate(ibv_cq_init_attr_ex.layout()).address();
            Memory.putInt(init + ibv_cq_init_attr_ex.cqe$offset(), options.entries);
            Memory.putLong(init + ibv_cq_init_attr_ex.channel$offset(), channel);
            Memory.putInt(init + ibv_cq_init_attr_ex.comp_vector$offset(), options.vector);
            Memory.putLong(
                    init + ibv_cq_init_attr_ex.wc_flags$offset(),
                    Integer.toUnsignedLong(verbs_h.IBV_WC_STANDARD_FLAGS()));
            Memory.putInt(init + ibv_cq_init_attr_ex.comp_mask$offset(), verbs_h.IBV_CQ_INIT_ATTR_MASK_FLAGS());
            Memory.putInt(init + ibv_cq_init_attr_ex.flags$offset(), verbs_h.IBV_CREATE_CQ_ATTR_SINGLE_THREADED());
            return create.call(context.address(), init);
        }
    }

    /**
     * Polls completions ({@code man ibv_poll_cq}). Never waits and allocates nothing.
     *
     * @param into their place; its capacity is the most that is
     *     polled. One thread at a time uses it.
     * @return how many were polled, 0 where there are none
     * @throws IllegalStateException if the queue is closed
     * @throws VerbsException if the queue is broken, for instance after an overrun
     */
    public int poll(WorkCompletion into) {
        into.enter(address);
        try {
            if (isClosed()) {
                throw closedException();
            }
            int count = criticalPoll
                    ? CriticalCalls.poll(pollFunction, address, into.capacity(), into.base())
                    : dataPath.pollCq(address, into.capacity(), into.base());
            into.taken(Math.max(0, count));
            if (count < 0) {
                throw new VerbsException(
                        "ibv_poll_cq", 0, "the completion queue is broken (overrun?), result " + count);
            }
            return count;
        } finally {
            into.exit();
        }
    }

    /**
     * Arms the queue: the next completion is announced on its channel,
     * once ({@code man ibv_req_notify_cq}). Poll once more afterwards:
     * what came before is not announced.
     *
     * @param solicitedOnly announce only completions whose sender asked for it. Failures count as
     *     solicited by the specification, but not on rxe: do not rely on it there.
     */
    public void requestNotification(boolean solicitedOnly) {
        enter();
        try {
            if (channel == null) {
                throw new IllegalStateException("the completion queue has no completion channel");
            }
            int only = solicitedOnly ? 1 : 0;
            int errno = dataPath.criticalSend
                    ? CriticalCalls.requestNotification(dataPath.requestNotification, address, only)
                    : dataPath.requestNotification(address, only);
            if (errno != 0) {
                throw new VerbsException("ibv_req_notify_cq", Math.abs(errno), "");
            }
        } finally {
            exit();
        }
    }

    /**
     * Changes the size ({@code man ibv_resize_cq}).
     *
     * @param entries the completions it must hold at least
     * @throws VerbsException where the device cannot, or more completions wait than would fit
     */
    public void resize(int entries) {
        enter();
        try {
            context.library().resizeCq.status(errno -> entries + " entries", address, entries);
        } finally {
            exit();
        }
    }

    /**
     * Returns the size.
     *
     * @return the completions it holds, at least what was asked for
     */
    public int capacity() {
        enter();
        try {
            return Memory.getInt(address + ibv_cq.cqe$offset());
        } finally {
            exit();
        }
    }

    /**
     * Returns the channel.
     *
     * @return where completions are announced, or null
     */
    public CompletionChannel channel() {
        return channel;
    }

    /**
     * Returns whether the library accepted the promise of {@link Options#singleThreaded()}.
     *
     * @return whether only one thread at a time may poll
     */
    public boolean isSingleThreaded() {
        return singleThreaded;
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
        context.library().destroyCq.status(errno -> "a queue pair still uses it", address);
    }

    @Override
    void remember() {
        context.remember(address, this);
        if (channel != null) {
            channel.remember(this);
        }
    }

    @Override
    void forget() {
        context.forget(address, this);
        if (channel != null) {
            channel.forget(this);
        }
    }

    @Override
    public String toString() {
        return "completion queue of " + context.device().name();
    }
}
