package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_qp;
import io.dxnet.ibverbs.raw.ibv_qp_attr;
import io.dxnet.ibverbs.raw.ibv_qp_init_attr;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A queue pair ({@code struct ibv_qp}; {@code man ibv_create_qp},
 * {@code man ibv_modify_qp}, {@code man ibv_post_send}). Any thread may post,
 * each with its own chain; changes of state are one at a time.
 *
 * <p>The object knows the state it was put into and refuses posts that state
 * forbids, because drivers do not all refuse them: rxe keeps a send posted too
 * early and sends it later. A device moves a failed queue pair to
 * {@link QpState#ERR} by itself; that shows in completions and in {@link #query()}.
 *
 * <p>Closing it closes the memory windows whose last bind it posted.
 *
 * <p>It has more than 400 lines: one method for each verb of a queue pair, with its documentation.
 */
public final class QueuePair extends Resource {
    private static final VarHandle UNSIGNALED;

    static {
        try {
            UNSIGNALED = MethodHandles.lookup().findVarHandle(QueuePair.class, "unsignaled", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ProtectionDomain domain;
    private final Context context;
    private final QpOptions options;
    private final long address;
    private final int number;
    private final QpCapabilities capabilities;
    private final long sendFunction;
    private final DataPath dataPath;
    private final boolean datagram;
    private final int maxSendSge;
    private final int maxInline;

    /** The most requests in a row without a signaled one: half of the send queue. */
    private final int maxUnsignaled;

    /** Written by the modifying thread, under {@code this}' monitor. */
    private volatile QpState state = QpState.RESET;

    /**
     * The {@link SendChain#demand()} up to which a chain may be posted with a critical
     * call and without a second check. It is -1 where the state forbids sends, the
     * queue pair is closed, or sends carry address handles or enter the kernel. One
     * comparison on the data path stands for all of that, and for whether requests
     * without a completion must be counted. Written with the state and by close.
     */
    private volatile int sendLimit = -1;

    /**
     * Requests posted since the last signaled one. A post without any signaled request adds to it
     * before its call, atomically; another sets it after its call, which loses what others add
     * meanwhile: less than half of the queue, so the other half still gets a signal.
     */
    private int unsignaled;

    /**
     * Starts the options of a queue pair.
     *
     * @param type its service
     * @param sendQueue where its sends complete
     * @param receiveQueue where its receives complete; may be the same
     * @return the options
     */
    public static QpOptions options(QpType type, CompletionQueue sendQueue, CompletionQueue receiveQueue) {
        return new QpOptions(type, sendQueue, receiveQueue);
    }

    private QueuePair(
            ProtectionDomain domain, QpOptions options, long address, QpCapabilities capabilities, Resource[] parents) {
        super(parents);
        this.domain = domain;
        this.context = domain.context();
        this.options = options;
        this.address = address;
        this.number = Memory.getInt(address + ibv_qp.qp_num$offset());
        this.capabilities = capabilities;
        this.dataPath = context.dataPath();
        this.sendFunction = dataPath.postSend;
        this.datagram = options.type == QpType.UD;
        this.maxSendSge = capabilities.maxSendSge();
        this.maxInline = capabilities.maxInline();
        this.maxUnsignaled = options.signalAll ? Integer.MAX_VALUE : Math.max(1, capabilities.maxSendRequests() / 2);
    }

    static QueuePair create(ProtectionDomain domain, QpOptions options) {
        Context context = domain.context();
        SharedReceiveQueue shared = options.sharedReceiveQueue;
        Resource[] parents = shared == null
                ? new Resource[] {domain, options.sendQueue, options.receiveQueue}
                : new Resource[] {domain, options.sendQueue, options.receiveQueue, shared};
        if (options.sendQueue.context() != context
                || options.receiveQueue.context() != context
                || shared != null && shared.context() != context) {
            throw new IllegalArgumentException("a queue pair's queues belong to one context");
        }
        enterAll(parents);
        try (Arena arena = Arena.ofConfined()) {
            QpCapabilities wanted = new QpCapabilities(
                    options.maxSendRequests,
                    shared == null ? options.maxReceiveRequests : 0,
                    options.maxSendSge,
                    shared == null ? options.maxReceiveSge : 0,
                    options.maxInline);
            long init = arena.allocate(ibv_qp_init_attr.layout()).address();
            Memory.putLong(init + ibv_qp_init_attr.send_cq$offset(), options.sendQueue.address());
            Memory.putLong(init + ibv_qp_init_attr.recv_cq$offset(), options.receiveQueue.address());
            Memory.putLong(init + ibv_qp_init_attr.srq$offset(), shared == null ? 0 : shared.address());
            Memory.putInt(init + ibv_qp_init_attr.qp_type$offset(), options.type.code());
            Memory.putInt(init + ibv_qp_init_attr.sq_sig_all$offset(), options.signalAll ? 1 : 0);
            wanted.write(init + ibv_qp_init_attr.cap$offset());
            long address = context.library()
                    .createQp
                    .pointer(
                            errno -> options.type + " with " + wanted + " (see Context.attributes)",
                            domain.address(),
                            init);
            return attached(context.library().destroyQp, address, () -> {
                Abi.checkOwner("ibv_qp", context.address(), Memory.getLong(address + ibv_qp.context$offset()));
                QpCapabilities given = QpCapabilities.read(init + ibv_qp_init_attr.cap$offset());
                return new QueuePair(domain, options, address, given, parents);
            });
        } finally {
            exitAll(parents);
        }
    }

    /**
     * Changes the state ({@code man ibv_modify_qp}). The transition and
     * its attributes are checked before the device is asked.
     *
     * @param attributes the target state and what the transition needs
     * @throws VerbsException with {@code EINVAL} naming what is
     *     missing or too much, or with what the device reports
     */
    public synchronized void modify(QpAttributes attributes) {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            QpTransitions.check(options.type, state, attributes);
            QpState before = state;
            QpState target = attributes.state();
            if (target == QpState.RESET || target == QpState.ERR) {
                // From now on no post may slip in between the device's change and ours.
                setState(target);
            }
            long memory = arena.allocate(ibv_qp_attr.layout()).address();
            attributes.write(memory);
            NativeFunction modify = context.library().modifyQp;
            int errno = modify.errnoOf(address, memory, attributes.mask());
            setState(errno == 0 ? target : before);
            if (errno != 0) {
                throw modify.failure(errno, e -> options.type + " to " + target + whatToDo(e));
            }
            unsignaled = 0;
        } finally {
            exit();
        }
    }

    private static String whatToDo(int errno) {
        if (errno == verbs_h.ENODATA()) {
            return ": the source GID's entry is empty (was its address removed?)";
        }
        if (errno == verbs_h.ENETUNREACH() || errno == verbs_h.EHOSTUNREACH()) {
            return ": no route to the destination's address";
        }
        return "";
    }

    /**
     * Returns what the other side needs to connect.
     *
     * @param local the local GID, of {@link Context#chooseGid(int)}
     * @param psn the first packet number this side will send, 24 bits
     * @return the address for the other side
     */
    public QpAddress addressFor(GidEntry local, int psn) {
        return new QpAddress(number, psn & 0xff_ffff, context.port(local.port()).lid(), local.gid());
    }

    /**
     * Moves a reliable queue pair from {@link QpState#RESET} to {@link QpState#RTS}.
     *
     * @param local the local GID
     * @param psn the first packet number this side sends, as sent to the other side
     * @param remote what the other side sent
     * @param connect how the connection behaves
     */
    public void connect(GidEntry local, int psn, QpAddress remote, ConnectOptions connect) {
        PortAttributes port = context.port(local.port());
        DeviceAttributes device = context.attributes();
        boolean byLid = port.linkLayer() == LinkLayer.INFINIBAND && remote.lid() != 0;
        AddressVector path = new AddressVector(
                local.port(),
                remote.lid(),
                byLid ? null : remote.gid(),
                local.index(),
                64,
                connect.trafficClass,
                connect.serviceLevel);
        modify(QpAttributes.to(QpState.INIT).pkeyIndex(0).port(local.port()).access(connect.access));
        modify(QpAttributes.to(QpState.RTR)
                .path(path)
                .mtu(connect.mtu == null ? port.activeMtu() : connect.mtu)
                .destination(remote.qpNumber())
                .receivePsn(remote.psn())
                .maxReadAtomicAsTarget(Math.min(connect.maxReadAtomic, device.maxReadAtomic()))
                .minRnrTimer(connect.minRnrTimer));
        modify(QpAttributes.to(QpState.RTS)
                .timeout(connect.timeout)
                .retryCount(connect.retryCount)
                .rnrRetry(connect.rnrRetry)
                .sendPsn(psn)
                .maxReadAtomic(Math.min(connect.maxReadAtomic, device.maxInitiatedReadAtomic())));
    }

    /**
     * Moves a datagram queue pair from {@link QpState#RESET} to {@link QpState#RTS}.
     *
     * @param port the port, from 1
     * @param qkey the key that datagrams to it must carry
     * @param psn the first packet number it sends
     */
    public void activate(int port, int qkey, int psn) {
        modify(QpAttributes.to(QpState.INIT).pkeyIndex(0).port(port).qkey(qkey));
        modify(QpAttributes.to(QpState.RTR));
        modify(QpAttributes.to(QpState.RTS).sendPsn(psn));
    }

    /**
     * Posts requests with one call ({@code man ibv_post_send}). Never waits and allocates nothing.
     * In a chain without any signaled request, each that is half a send queue behind the last
     * signaled one is made signaled: without a completion in sight the queue would fill up for
     * ever.
     * A chain with a signaled request is posted as it is: longer than half of the queue, it needs
     * one in each half, because the device may accept only its first requests.
     *
     * @param chain the requests; may be filled anew afterwards
     * @return how many were accepted, from the first; fewer than all where the queue is full
     *     ({@link RequestChain#errno()} reports it)
     * @throws IllegalStateException if the queue pair is closed, or its state is not
     *     {@link QpState#RTS}, {@code SQD}, {@code SQE} or {@link QpState#ERR}
     * @throws IllegalArgumentException if a request is not of this queue pair's service or sizes
     * @throws PostException if the library refuses a request; those before it were accepted
     */
    public int postSend(SendChain chain) {
        chain.enter(address);
        try {
            if (chain.demand() > sendLimit) {
                return postSendWithCare(chain, 0);
            }
            int result = CriticalCalls.postSend(sendFunction, address, chain.firstRequest(), chain.badRequest());
            if (result != 0) {
                return refusedSend(chain, 0, 0, result);
            }
            unsignaled = 0;
            chain.allAccepted();
            return chain.size();
        } finally {
            chain.exit();
        }
    }

    /**
     * Posts the rest of a chain, for instance of one that did not fit before.
     *
     * @param chain the requests
     * @param first the first to post
     * @return how many were accepted, from {@code first}; fewer than all where the queue is full
     * @throws IllegalStateException as {@link #postSend(SendChain)}
     * @throws IllegalArgumentException as {@link #postSend(SendChain)}
     * @throws PostException as {@link #postSend(SendChain)}
     */
    public int postSend(SendChain chain, int first) {
        Objects.checkIndex(first, chain.size() + 1);
        chain.enter(address);
        try {
            return postSendWithCare(chain, first);
        } finally {
            chain.exit();
        }
    }

    /**
     * Any chain, which is entered already: an empty one too, or
     * one that ends in requests without a completion.
     */
    private int postSendWithCare(SendChain chain, int first) {
        int count = chain.size() - first;
        if (count == 0) {
            return 0;
        }
        boolean critical = chain.demandOfRequests() <= sendLimit;
        if (!critical) {
            checkSend(chain, first);
            critical = dataPath.criticalSend;
        }
        int added = chain.lastSignaled() < first ? count : 0;
        if (added != 0) {
            int before = (int) UNSIGNALED.getAndAdd(this, added);
            if (before + added >= maxUnsignaled) {
                chain.signalEach(first, before, maxUnsignaled);
            }
        }
        long request = chain.request(first);
        int result = critical
                ? CriticalCalls.postSend(sendFunction, address, request, chain.badRequest())
                : dataPath.postSend(address, request, chain.badRequest());
        if (chain.binds() != null) {
            chain.binds().posted(this, first, first + chain.accepted(first, result));
        }
        if (result != 0) {
            return refusedSend(chain, first, added, result);
        }
        // Of threads that signal at once, a late one leaves what others have counted since.
        if (chain.lastSignaled() >= first && (added == 0 || unsignaled >= maxUnsignaled)) {
            unsignaled = chain.size() - 1 - chain.lastSignaled();
        }
        chain.allAccepted();
        return count;
    }

    /** Counts what was accepted instead of {@code added}. */
    private int refusedSend(SendChain chain, int first, int added, int result) {
        int accepted = chain.acceptedOfRefused(first, result);
        int end = first + accepted;
        int signaled = chain.lastSignaledBefore(end);
        if (signaled >= first) {
            unsignaled = end - 1 - signaled;
        } else {
            UNSIGNALED.getAndAdd(this, accepted - added);
        }
        if (chain.errno() != verbs_h.ENOMEM()) {
            throw new PostException("ibv_post_send", chain.errno(), accepted);
        }
        return accepted;
    }

    /** Called while the chain is entered: a close waits for the post, or is seen here. */
    private void checkSend(SendChain chain, int first) {
        RuntimeException failure = sendFailure(chain, first);
        if (failure != null) {
            throw failure;
        }
    }

    private RuntimeException sendFailure(SendChain chain, int first) {
        QpState now = state;
        if (chain.datagrams() != (datagram ? chain.size() : 0)) {
            return new IllegalArgumentException(
                    datagram ? "a UD queue pair sends datagrams only" : "only a UD queue pair sends datagrams");
        }
        if (chain.longestSgeList() > maxSendSge || chain.longestInline() > maxInline) {
            return new IllegalArgumentException("a request has " + chain.longestSgeList() + " elements and "
                    + chain.longestInline() + " inline bytes, the queue pair accepts " + maxSendSge + " and "
                    + maxInline);
        }
        if (isClosed()) {
            return closedException();
        }
        if (forbidsSends(now)) {
            return new IllegalStateException("sends cannot be posted in state " + now);
        }
        if (datagram) {
            return chain.handleFailure(context);
        }
        return chain.binds() == null ? null : chain.binds().failure(context, first);
    }

    private static boolean forbidsSends(QpState state) {
        return state == QpState.RESET || state == QpState.INIT || state == QpState.RTR;
    }

    /** Under {@code this}' monitor. */
    private void setState(QpState now) {
        state = now;
        sendLimit = datagram || !dataPath.criticalSend || isClosed() || forbidsSends(now) ? -1 : maxSendSge;
    }

    /**
     * Posts receives with one call ({@code man ibv_post_recv}). Never waits and allocates nothing.
     *
     * @param chain the receives; may be filled anew afterwards
     * @return how many were accepted, from the first; fewer than all where the queue is full
     * @throws IllegalStateException if the queue pair is closed, has a
     *     shared receive queue, or is in state {@link QpState#RESET}
     * @throws PostException if the library refuses a receive; those before it were accepted
     */
    public int postReceive(ReceiveChain chain) {
        if (options.sharedReceiveQueue != null) {
            throw new IllegalStateException("the queue pair uses the receives of a shared queue: post there");
        }
        if (chain.size() == 0) {
            return 0;
        }
        if (chain.longestSgeList() > capabilities.maxReceiveSge()) {
            throw new IllegalArgumentException("a receive has " + chain.longestSgeList()
                    + " elements, the queue pair accepts " + capabilities.maxReceiveSge());
        }
        chain.enter(address);
        try {
            if (isClosed() || state == QpState.RESET) {
                throw isClosed()
                        ? closedException()
                        : new IllegalStateException("receives cannot be posted in state RESET");
            }
            long request = chain.request(0);
            int result = dataPath.criticalReceive
                    ? CriticalCalls.postReceive(dataPath.postReceive, address, request, chain.badRequest())
                    : dataPath.postReceive(address, request, chain.badRequest());
            int accepted = chain.accepted(0, result);
            if (result != 0 && chain.errno() != verbs_h.ENOMEM()) {
                throw new PostException("ibv_post_recv", chain.errno(), accepted);
            }
            return accepted;
        } finally {
            chain.exit();
        }
    }

    /**
     * Asks the device ({@code man ibv_query_qp}).
     *
     * @return what it reports
     */
    public QpStatus query() {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(ibv_qp_attr.layout()).address();
            long init = arena.allocate(ibv_qp_init_attr.layout()).address();
            int mask = verbs_h.IBV_QP_STATE()
                    | verbs_h.IBV_QP_PATH_MTU()
                    | verbs_h.IBV_QP_DEST_QPN()
                    | verbs_h.IBV_QP_SQ_PSN()
                    | verbs_h.IBV_QP_RQ_PSN()
                    | verbs_h.IBV_QP_TIMEOUT()
                    | verbs_h.IBV_QP_RETRY_CNT()
                    | verbs_h.IBV_QP_RNR_RETRY()
                    | verbs_h.IBV_QP_CAP();
            context.library().queryQp.status(errno -> "", address, at, mask, init);
            return new QpStatus(
                    QpState.of(Memory.getInt(at + ibv_qp_attr.qp_state$offset())),
                    Memory.getInt(at + ibv_qp_attr.path_mtu$offset()),
                    Memory.getInt(at + ibv_qp_attr.dest_qp_num$offset()),
                    Memory.getInt(at + ibv_qp_attr.sq_psn$offset()),
                    Memory.getInt(at + ibv_qp_attr.rq_psn$offset()),
                    Byte.toUnsignedInt(Memory.getByte(at + ibv_qp_attr.timeout$offset())),
                    Byte.toUnsignedInt(Memory.getByte(at + ibv_qp_attr.retry_cnt$offset())),
                    Byte.toUnsignedInt(Memory.getByte(at + ibv_qp_attr.rnr_retry$offset())),
                    QpCapabilities.read(at + ibv_qp_attr.cap$offset()));
        } finally {
            exit();
        }
    }

    /**
     * Returns the state.
     *
     * @return the state this side put it into last
     */
    public QpState state() {
        return state;
    }

    /**
     * Returns the number that completions and peers name it by.
     *
     * @return 24 bits; used again for others after closing
     */
    public int number() {
        return number;
    }

    /**
     * Returns the service.
     *
     * @return what it was made as
     */
    public QpType type() {
        return options.type;
    }

    /**
     * Returns the sizes that creating it returned; drivers round up,
     * and some report the result only to {@link #query()}.
     *
     * @return the sizes, at least what was asked for
     */
    public QpCapabilities capabilities() {
        return capabilities;
    }

    long address() {
        return address;
    }

    @Override
    void awaitDataPath() {
        // No change of state is under way any more, and none can begin.
        sendLimit = -1;
        Quiescence.awaitUnused(address);
        // A bind that was under way when the other children were closed.
        closeChildren();
    }

    @Override
    void destroy() {
        context.library().destroyQp.status(errno -> "", address);
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
        return type() + " queue pair " + number + " of "
                + domain.context().device().name();
    }
}
