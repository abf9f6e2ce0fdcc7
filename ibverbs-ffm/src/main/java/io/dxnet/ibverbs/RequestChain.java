package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A chain of work requests in native memory that is filled, posted with one call and filled again.
 * One thread at a time; allocates nothing after construction. What the library needs of it is
 * copied when it is posted; the memory regions it names must stay until the requests complete.
 */
public abstract sealed class RequestChain extends CallSlot permits SendChain, ReceiveChain {
    private static final long SGE_BYTES = ibv_sge.sizeof();
    private static final long SGE_ADDRESS = ibv_sge.addr$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final int CACHE_LINE = 64;

    // Of the requests of both kinds.
    private static final long NEXT = ibv_send_wr.next$offset();
    private static final long SGE_LIST = ibv_send_wr.sg_list$offset();
    static final long SGE_COUNT = ibv_send_wr.num_sge$offset(); // of a send, the opcode is behind it

    /** Of {@link #demand}: some request has more than elements. */
    private static final int LOOK_TWICE = 1 << 30;

    /** Of {@link #demand}: the chain is empty, or its last request is not signaled. */
    private static final int OPEN_END = 1 << 29;

    private static final int LENGTH_OF_LIST = OPEN_END - 1;

    private final int maxRequests;
    private final int maxSge;
    private final long requestBytes;
    private final long listBytes;
    private final MemorySegment memory;
    private final long requests;
    private final long sges;

    private int size;
    private long current; // the request being filled; 0: none
    /** The longest list of elements, and flags where that is not all a queue has to know. */
    private int demand = OPEN_END;

    private int failure;

    RequestChain(int maxRequests, int maxSge, long requestBytes) {
        if (maxRequests < 1 || maxSge < 0) {
            throw new IllegalArgumentException("a chain needs at least one request and no negative number of elements: "
                    + maxRequests + ", " + maxSge);
        }
        this.maxRequests = maxRequests;
        this.maxSge = maxSge;
        this.requestBytes = requestBytes;
        this.listBytes = maxSge * SGE_BYTES;
        this.memory = Arena.ofAuto().allocate(CACHE_LINE + maxRequests * (requestBytes + listBytes), CACHE_LINE);
        this.requests = memory.address() + CACHE_LINE;
        this.sges = requests + maxRequests * requestBytes;
        for (int i = 0; i < maxRequests; i++) {
            Memory.putLong(requests + i * requestBytes + SGE_LIST, sges(i));
        }
    }

    /**
     * Appends a request that is the last one, and returns its address. The caller sets the number
     * of its elements to 0.
     */
    final long append() {
        int index = size;
        if (index == maxRequests) {
            throw new IllegalStateException("the chain is full: " + maxRequests + " requests");
        }
        long request = requests + index * requestBytes & Memory.ADDRESSES;
        long previous = current & Memory.ADDRESSES;
        if (previous != 0) {
            Memory.putLong(previous + NEXT, request);
        }
        Memory.putLong(request + NEXT, 0);
        current = request;
        size = index + 1;
        return request;
    }

    /** The request being filled. */
    final long current() {
        long request = current & Memory.ADDRESSES;
        if (request == 0) {
            throw new IllegalStateException("no work request was started");
        }
        return request;
    }

    private long sges(int index) {
        return sges + index * listBytes & Memory.ADDRESSES;
    }

    final void appendSge(MemoryRegion region, long offset, long length) {
        MemoryRegion.Registration now = region.usable(offset, length);
        appendSge(now.base() + offset, length, now.localKey());
    }

    final void appendSge(long address, long length, int key) {
        long request = current();
        int count = Memory.getInt(request + SGE_COUNT);
        if (count == maxSge) {
            throw new IllegalStateException("the work request is full: " + maxSge + " scatter/gather elements");
        }
        if (length > 0xffff_ffffL) {
            throw new IllegalArgumentException(
                    "a scatter/gather element has less than 4 GiB, not " + length + " bytes");
        }
        long sge = sges(size - 1) + count * SGE_BYTES & Memory.ADDRESSES;
        Memory.putLong(sge + SGE_ADDRESS, address);
        Memory.putInts(sge + SGE_LENGTH, (int) length, key);
        Memory.putInt(request + SGE_COUNT, count + 1);
        if (count >= longestSgeList()) {
            demand = demand & ~LENGTH_OF_LIST | count + 1;
        }
    }

    /** Sets the length of the request's only element. */
    final void growSge(int length) {
        Memory.putInt(sges(size - 1) + SGE_LENGTH, length);
    }

    /** {@return the length of the request's only element} */
    final int onlySgeLength() {
        return Memory.getInt(sges(size - 1) + SGE_LENGTH);
    }

    final int currentSgeCount() {
        return Memory.getInt(current() + SGE_COUNT);
    }

    void clearAll() {
        size = 0;
        current = 0;
        demand = OPEN_END;
        failure = 0;
    }

    final int longestSgeList() {
        return demand & LENGTH_OF_LIST;
    }

    /**
     * The longest list of elements, where a queue has to compare nothing else with its limits. A
     * very large number where it has to, or where the last request is not signaled.
     */
    final int demand() {
        return demand;
    }

    /** As {@link #demand}, signaled or not. */
    final int demandOfRequests() {
        return demand & ~OPEN_END;
    }

    /** The request started last is signaled, or is not. */
    final void endsSignaled(boolean signaled) {
        if (signaled == ((demand & OPEN_END) != 0)) {
            demand ^= OPEN_END;
        }
    }

    /** A request was added that has more than elements. */
    final void lookTwice() {
        demand |= LOOK_TWICE;
    }

    /** The request that a chain with at least one begins with. */
    final long firstRequest() {
        return requests;
    }

    final long request(int index) {
        return requests + Objects.checkIndex(index, size) * requestBytes;
    }

    /** Where the library writes the first request it did not accept. */
    final long badRequest() {
        return requests - Long.BYTES;
    }

    /**
     * How many requests, from {@code first}, the library accepted. The library
     * of rxe leaves the pointer null when it refuses the state of the queue
     * pair: then it reports nothing, and none counts as accepted.
     */
    final int accepted(int first, int result) {
        if (result == 0) {
            failure = 0;
            return size - first;
        }
        return acceptedOfRefused(first, result);
    }

    /** As {@link #accepted} with result 0. */
    final void allAccepted() {
        failure = 0;
    }

    final int acceptedOfRefused(int first, int result) {
        failure = Math.abs(result);
        long distance = Memory.getLong(badRequest()) - requests;
        long index = distance / requestBytes;
        boolean inside = distance >= 0 && distance % requestBytes == 0 && index >= first && index < size;
        return inside ? (int) index - first : 0;
    }

    /**
     * Returns the number of requests.
     *
     * @return how many were started since the last clear
     */
    public final int size() {
        return size;
    }

    /**
     * Returns the most requests.
     *
     * @return how many fit
     */
    public final int capacity() {
        return maxRequests;
    }

    /**
     * Returns why the last post accepted fewer requests than the chain has.
     *
     * @return the error number, {@code ENOMEM} (12) where the queue was full; 0 if it accepted all
     */
    public final int errno() {
        return failure;
    }
}
