package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_mw_bind_info;
import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A chain of requests for the send queue ({@code struct ibv_send_wr}; {@code man ibv_post_send}):
 * sends, RDMA writes, reads, atomics, and binds and invalidations of memory windows. A method that
 * names an operation starts a request;
 * {@link #sge}, {@link #inline}, {@link #signaled}, {@link #solicited} and {@link #fence} refine
 * the one started last.
 *
 * {@snippet :
 * chain.clear().send(7).sge(region, 0, 64).sendImmediate(8, 0xCAFE).sge(region, 64, 64).signaled();
 * int taken = queuePair.postSend(chain);
 * }
 *
 * <p>An id identifies the request in its completion. Requests without {@link #signaled} complete
 * silently together with the next that has it.
 *
 * <p>It has more than 400 lines: one method for each operation, with its documentation.
 */
public final class SendChain extends RequestChain {
    private static final long ID = ibv_send_wr.wr_id$offset();
    private static final long FLAGS = ibv_send_wr.send_flags$offset(); // the immediate data is behind it
    private static final long IMMEDIATE = ibv_send_wr.imm_data$offset();
    private static final long UNION = ibv_send_wr.wr$offset();
    private static final long RDMA_ADDRESS = UNION + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long RDMA_KEY = UNION + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long ATOMIC_ADDRESS = UNION + ibv_send_wr.wr.atomic.remote_addr$offset();
    private static final long ATOMIC_COMPARE_ADD = UNION + ibv_send_wr.wr.atomic.compare_add$offset();
    private static final long ATOMIC_SWAP = UNION + ibv_send_wr.wr.atomic.swap$offset();
    private static final long ATOMIC_KEY = UNION + ibv_send_wr.wr.atomic.rkey$offset();
    private static final long UD_HANDLE = UNION + ibv_send_wr.wr.ud.ah$offset();
    private static final long UD_QP_NUMBER = UNION + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long UD_QKEY = UNION + ibv_send_wr.wr.ud.remote_qkey$offset();

    private static final long INVALIDATE_KEY = ibv_send_wr.invalidate_rkey$offset();
    private static final long BIND_MW = ibv_send_wr.bind_mw$offset();
    private static final long BIND_WINDOW = BIND_MW + ibv_send_wr.bind_mw.mw$offset();
    private static final long BIND_KEY = BIND_MW + ibv_send_wr.bind_mw.rkey$offset();
    private static final long BIND_INFO = BIND_MW + ibv_send_wr.bind_mw.bind_info$offset();
    private static final long BIND_REGION = BIND_INFO + ibv_mw_bind_info.mr$offset();
    private static final long BIND_ADDRESS = BIND_INFO + ibv_mw_bind_info.addr$offset();
    private static final long BIND_LENGTH = BIND_INFO + ibv_mw_bind_info.length$offset();
    private static final long BIND_ACCESS = BIND_INFO + ibv_mw_bind_info.mw_access_flags$offset();

    private static final int SEND = verbs_h.IBV_WR_SEND();
    private static final int SEND_IMMEDIATE = verbs_h.IBV_WR_SEND_WITH_IMM();
    private static final int WRITE = verbs_h.IBV_WR_RDMA_WRITE();
    private static final int WRITE_IMMEDIATE = verbs_h.IBV_WR_RDMA_WRITE_WITH_IMM();
    private static final int READ = verbs_h.IBV_WR_RDMA_READ();
    private static final int COMPARE_SWAP = verbs_h.IBV_WR_ATOMIC_CMP_AND_SWP();
    private static final int FETCH_ADD = verbs_h.IBV_WR_ATOMIC_FETCH_AND_ADD();

    private static final int SEND_INVALIDATING = verbs_h.IBV_WR_SEND_WITH_INV();
    private static final int LOCAL_INVALIDATE = verbs_h.IBV_WR_LOCAL_INV();
    private static final int BIND_WINDOWS = verbs_h.IBV_WR_BIND_MW();

    private static final int SIGNALED = verbs_h.IBV_SEND_SIGNALED();
    private static final int SOLICITED = verbs_h.IBV_SEND_SOLICITED();
    private static final int FENCE = verbs_h.IBV_SEND_FENCE();
    private static final int INLINE = verbs_h.IBV_SEND_INLINE();

    /**
     * Copies of inline data, {@code maxInline} bytes for each request; null
     * where there is no inline data.
     */
    private final MemorySegment inlineMemory;

    private final long inlineBase;
    private final int maxInline;
    private final AddressHandle[] handles;
    private int datagrams;
    private ChainBinds binds; // made by the first bind
    private int longestInline;
    private int lastSignaled = -1;

    /**
     * Makes room for a chain without inline data.
     *
     * @param maxRequests the most requests, at least 1
     * @param maxSge the most gather elements of one request
     */
    public SendChain(int maxRequests, int maxSge) {
        this(maxRequests, maxSge, 0);
    }

    /**
     * Makes room for a chain.
     *
     * @param maxRequests the most requests, at least 1
     * @param maxSge the most gather elements of one request
     * @param maxInline the most bytes of inline data of one request, at most
     *     what the queue pair was made with
     */
    public SendChain(int maxRequests, int maxSge, int maxInline) {
        super(maxRequests, maxInline > 0 ? Math.max(1, maxSge) : maxSge, ibv_send_wr.sizeof());
        this.maxInline = maxInline;
        this.inlineMemory = maxInline > 0 ? Arena.ofAuto().allocate((long) maxRequests * maxInline, 64) : null;
        this.inlineBase = inlineMemory == null ? 0 : inlineMemory.address();
        this.handles = new AddressHandle[maxRequests];
        register();
    }

    /**
     * Empties the chain.
     *
     * @return this
     */
    public SendChain clear() {
        for (int i = 0; i < datagrams; i++) {
            handles[i] = null;
        }
        if (binds != null) {
            binds.clear();
        }
        clearAll();
        datagrams = 0;
        longestInline = 0;
        lastSignaled = -1;
        return this;
    }

    private long start(long id, int opcode) {
        long request = append();
        Memory.putLong(request + ID, id);
        Memory.putInts(request + SGE_COUNT, 0, opcode);
        Memory.putInts(request + FLAGS, 0, 0); // some drivers refuse a bind with immediate data
        endsSignaled(false);
        return request;
    }

    /**
     * Starts a send. Without elements it is a message of zero bytes.
     *
     * @param id what its completion carries
     * @return this
     */
    public SendChain send(long id) {
        start(id, SEND);
        return this;
    }

    /**
     * Starts a send with immediate data.
     *
     * @param id what its completion carries
     * @param immediate what the receive's completion carries
     * @return this
     */
    public SendChain sendImmediate(long id, int immediate) {
        Memory.putIntBigEndian(start(id, SEND_IMMEDIATE) + IMMEDIATE, immediate);
        return this;
    }

    /**
     * Starts an RDMA write.
     *
     * @param id what its completion carries
     * @param remoteAddress the first remote byte
     * @param remoteKey the remote region's key
     * @return this
     */
    public SendChain write(long id, long remoteAddress, int remoteKey) {
        remote(start(id, WRITE), remoteAddress, remoteKey);
        return this;
    }

    /**
     * Starts an RDMA write that uses up a receive at the other side
     * and passes immediate data to it.
     *
     * @param id what its completion carries
     * @param remoteAddress the first remote byte
     * @param remoteKey the remote region's key
     * @param immediate what the receive's completion carries
     * @return this
     */
    public SendChain writeImmediate(long id, long remoteAddress, int remoteKey, int immediate) {
        long request = start(id, WRITE_IMMEDIATE);
        Memory.putIntBigEndian(request + IMMEDIATE, immediate);
        remote(request, remoteAddress, remoteKey);
        return this;
    }

    /**
     * Starts an RDMA read into the elements added to it.
     *
     * @param id what its completion carries
     * @param remoteAddress the first remote byte
     * @param remoteKey the remote region's key
     * @return this
     */
    public SendChain read(long id, long remoteAddress, int remoteKey) {
        remote(start(id, READ), remoteAddress, remoteKey);
        return this;
    }

    private static void remote(long request, long remoteAddress, int remoteKey) {
        Memory.putLong(request + RDMA_ADDRESS, remoteAddress);
        Memory.putInt(request + RDMA_KEY, remoteKey);
    }

    /**
     * Starts an atomic addition to eight remote bytes; their old value is written to
     * its one element of eight bytes.
     *
     * @param id what its completion carries
     * @param remoteAddress the remote number, a multiple of 8
     * @param remoteKey the remote region's key
     * @param add what is added
     * @return this
     */
    public SendChain fetchAdd(long id, long remoteAddress, int remoteKey, long add) {
        atomic(start(id, FETCH_ADD), remoteAddress, remoteKey, add, 0);
        return this;
    }

    /**
     * Starts an atomic exchange of eight remote bytes; their old value is written to
     * its one element of eight bytes.
     *
     * @param id what its completion carries
     * @param remoteAddress the remote number, a multiple of 8
     * @param remoteKey the remote region's key
     * @param expected what must be there for the exchange to happen
     * @param swap what is put there
     * @return this
     */
    public SendChain compareSwap(long id, long remoteAddress, int remoteKey, long expected, long swap) {
        atomic(start(id, COMPARE_SWAP), remoteAddress, remoteKey, expected, swap);
        return this;
    }

    private static void atomic(long request, long remoteAddress, int remoteKey, long compareAdd, long swap) {
        Memory.putLong(request + ATOMIC_ADDRESS, remoteAddress);
        Memory.putLong(request + ATOMIC_COMPARE_ADD, compareAdd);
        Memory.putLong(request + ATOMIC_SWAP, swap);
        Memory.putInt(request + ATOMIC_KEY, remoteKey);
    }

    /**
     * Starts a bind: from its completion on, the window's key allows the peer a part of a region
     * ({@code IBV_WR_BIND_MW}). The queue pair has a connected service, the window is not bound,
     * and the request has no elements. {@link MemoryWindow#nextRemoteKey()} is the window's key
     * then; sends behind it on the same queue pair may carry it. The first bind of a chain
     * allocates.
     *
     * @param id what its completion carries: {@link WcStatus#MW_BIND_ERR} where the device refuses
     * @param window one of the queue pair's protection domain, not bound, once in a chain
     * @param region one of the same domain, with {@link Access#MW_BIND}, and with
     *     {@link Access#LOCAL_WRITE} for a window that others may change
     * @param offset the first byte, from the region's start
     * @param length the bytes, at least 1
     * @param access what the peer may do: {@link Access#REMOTE_READ}, {@link Access#REMOTE_WRITE},
     *     {@link Access#REMOTE_ATOMIC}; with {@link Access#ZERO_BASED}, the peer's addresses count
     *     from the window's first byte
     * @return this
     * @throws IllegalArgumentException if the bind can never succeed, with what to change
     */
    public SendChain bind(
            long id, MemoryWindow window, MemoryRegion region, long offset, long length, Access... access) {
        MemoryRegion.Registration now = region.usable(offset, length);
        int rights = Access.flags(access);
        window.checkBind(region, length, rights);
        if (binds == null) {
            binds = new ChainBinds(handles.length);
        }
        binds.checkNew(window);
        long request = start(id, BIND_WINDOWS);
        int key = window.nextRemoteKey();
        Memory.putLong(request + BIND_WINDOW, window.address());
        Memory.putInt(request + BIND_KEY, key);
        Memory.putLong(request + BIND_REGION, region.addressForBind());
        Memory.putLong(request + BIND_ADDRESS, now.base() + offset);
        Memory.putLong(request + BIND_LENGTH, length);
        Memory.putInt(request + BIND_ACCESS, rights);
        binds.add(size() - 1, window, region, key);
        lookTwice();
        return this;
    }

    /**
     * Starts the invalidation of a window of this side: from its completion on, the key allows
     * nothing ({@code IBV_WR_LOCAL_INV}). It has no elements.
     *
     * @param id what its completion carries; it fails, and so does the queue pair, where no window
     *     is bound with this key by this queue pair
     * @param key the window's remote key
     * @return this
     */
    public SendChain invalidate(long id, int key) {
        Memory.putInt(start(id, LOCAL_INVALIDATE) + INVALIDATE_KEY, key);
        return this;
    }

    /**
     * Starts a send that ends the access of a window of the peer, before the peer's receive
     * completes ({@code IBV_WR_SEND_WITH_INV}); {@link WorkCompletion#invalidatedKey()} of that
     * completion is the key.
     *
     * @param id what its completion carries
     * @param key the remote key that the peer has for the window
     * @return this
     */
    public SendChain sendInvalidating(long id, int key) {
        Memory.putInt(start(id, SEND_INVALIDATING) + INVALIDATE_KEY, key);
        return this;
    }

    /**
     * Starts a datagram.
     *
     * @param id what its completion carries
     * @param to its destination; must stay open until the request completes
     * @param qpNumber the receiving queue pair
     * @param qkey the receiving queue pair's key
     * @return this
     */
    public SendChain datagram(long id, AddressHandle to, int qpNumber, int qkey) {
        addressed(start(id, SEND), to, qpNumber, qkey);
        return this;
    }

    /**
     * Starts a datagram with immediate data.
     *
     * @param id what its completion carries
     * @param to its destination; must stay open until the request completes
     * @param qpNumber the receiving queue pair
     * @param qkey the receiving queue pair's key
     * @param immediate what the receive's completion carries
     * @return this
     */
    public SendChain datagramImmediate(long id, AddressHandle to, int qpNumber, int qkey, int immediate) {
        long request = start(id, SEND_IMMEDIATE);
        Memory.putIntBigEndian(request + IMMEDIATE, immediate);
        addressed(request, to, qpNumber, qkey);
        return this;
    }

    private void addressed(long request, AddressHandle to, int qpNumber, int qkey) {
        Memory.putLong(request + UD_HANDLE, to.address());
        Memory.putInt(request + UD_QP_NUMBER, qpNumber);
        Memory.putInt(request + UD_QKEY, qkey);
        handles[datagrams++] = to;
        lookTwice();
    }

    /**
     * Adds memory to the request started last: what is sent or written, or where a
     * read or an atomic puts its result.
     *
     * @param region the memory; reads and atomics need {@link Access#LOCAL_WRITE}
     * @param offset the first byte, from the region's start
     * @param length the bytes, may be 0
     * @return this
     */
    public SendChain sge(MemoryRegion region, long offset, long length) {
        if ((Memory.getInt(current() + FLAGS) & INLINE) != 0) {
            throw new IllegalStateException("a work request is either inline or made of regions");
        }
        appendSge(region, offset, length);
        return this;
    }

    /**
     * Adds data to the request started last that is copied now: it needs no region, and its memory
     * may be reused at once. Several calls for one request append.
     *
     * @param source any memory, also of the Java heap
     * @param offset its first byte
     * @param length the bytes; all of one request together at most the chain's maximum
     * @return this
     */
    public SendChain inline(MemorySegment source, long offset, int length) {
        long request = current();
        int flags = Memory.getInt(request + FLAGS);
        boolean isInline = (flags & INLINE) != 0;
        int before = isInline ? onlySgeLength() : 0;
        if (length > maxInline - before) {
            throw new IllegalArgumentException(
                    "inline data of " + ((long) before + length) + " bytes, at most " + maxInline);
        }
        int after = before + length;
        if (!isInline && currentSgeCount() > 0) {
            throw new IllegalStateException("a work request is either inline or made of regions");
        }
        long slot = inlineBase + (long) (size() - 1) * maxInline;
        Memory.copy(source, offset, slot + before, length);
        longestInline = Math.max(longestInline, after);
        if (isInline) {
            growSge(after);
        } else {
            appendSge(slot, after, 0);
            Memory.putInt(request + FLAGS, flags | INLINE);
            lookTwice();
        }
        return this;
    }

    /**
     * Asks for a completion of the request started last.
     *
     * @return this
     */
    public SendChain signaled() {
        flag(SIGNALED);
        lastSignaled = size() - 1;
        endsSignaled(true);
        return this;
    }

    /**
     * Wakes the receiver also where it waits for solicited completions only.
     *
     * @return this
     */
    public SendChain solicited() {
        return flag(SOLICITED);
    }

    /**
     * Starts the request only after the reads and atomics before it.
     *
     * @return this
     */
    public SendChain fence() {
        return flag(FENCE);
    }

    private SendChain flag(int flag) {
        long flags = current() + FLAGS;
        Memory.putInt(flags, Memory.getInt(flags) | flag);
        return this;
    }

    /** The last request that is signaled, -1 where there is none. */
    int lastSignaled() {
        return lastSignaled;
    }

    /** The last request before {@code end} that is signaled, -1 where there is none. */
    int lastSignaledBefore(int end) {
        int last = Math.min(lastSignaled, end - 1);
        while (last >= 0 && (Memory.getInt(request(last) + FLAGS) & SIGNALED) == 0) {
            last--;
        }
        return last;
    }

    /**
     * Asks for completions in a rest of the chain that has none, so that never {@code most}
     * requests in a row are without one.
     *
     * @param first where the rest begins
     * @param before how many without one precede it
     */
    void signalEach(int first, int before, int most) {
        for (long i = first + Math.max(0, most - 1 - before); i < size(); i += most) {
            lastSignaled = (int) i;
            long flags = request(lastSignaled) + FLAGS;
            Memory.putInt(flags, Memory.getInt(flags) | SIGNALED);
        }
        endsSignaled(lastSignaled == size() - 1);
    }

    int datagrams() {
        return datagrams;
    }

    /** The binds of the chain, null where it never had one. */
    ChainBinds binds() {
        return binds;
    }

    int longestInline() {
        return longestInline;
    }

    /**
     * The failure of a destination that is closed by now or is another device's, or
     * null; to be called while entered.
     */
    RuntimeException handleFailure(Context context) {
        for (int i = 0; i < datagrams; i++) {
            AddressHandle handle = handles[i];
            if (handle.isClosed()) {
                return handle.closedException();
            }
            if (handle.context() != context) {
                return new IllegalArgumentException(handle + " belongs to another context");
            }
        }
        return null;
    }
}
