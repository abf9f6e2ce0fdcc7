package io.dxnet.ibverbs;

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
    private static final long SGE_KEY = ibv_sge.lkey$offset();

    /** Of {@link #demand}: some request has more than elements. */
    private static final int LOOK_TWICE = 1 << 30;

    /** Of {@link #demand}: the chain is empty, or its last request is not signaled. */
    private static final int OPEN_END = 1 << 29;

    private static final int LENGTH_OF_LIST = OPEN_END - 1;

    private final int maxRequests;
    private final int maxSge;
    private final long requestBytes;
    private final long nextOffset;
    private final long sgeListOffset;
    private final long sgeCountOffset;
    private final MemorySegment memory;
    private final long requests;
    private final long sges;

    private int size;
    /** Address of the request being filled; valid while {@code size > 0}. */
    private long current;

    private long currentSges;
    private int currentSgeCount;
    /** The longest list of elements, and flags where that is not all a queue has to know. */
    private int demand = OPEN_END;

    private int failure;

    RequestChain(
            int maxRequests, int maxSge, long requestBytes, long nextOffset, long sgeListOffset, long sgeCountOffset) {
        if (maxRequests < 1 || maxSge < 0) {
            throw new IllegalArgumentException("a chain needs at least one request and no negative number of elements: "
                    + maxRequests + ", " + maxSge);
        }
        this.maxRequests = maxRequests;
        this.maxSge = maxSge;
        this.requestBytes = requestBytes;
        this.nextOffset = nextOffset;
        this.sgeListOffset = sgeListOffset;
        this.sgeCountOffset = sgeCountOffset;
        this.memory = Arena.ofAuto()
                .allocate(
                        CACHE_LINE + maxRequests * requestBytes + (long) maxRequests * maxSge * SGE_BYTES, CACHE_LINE);
        this.requests = memory.address() + CACHE_LINE;
        this.sges = requests + maxRequests * requestBytes;
    }

    /** Appends a request with everything zero but its link; returns its address. */
    final long append() {
        if (size == maxRequests) {
            throw new IllegalStateException("the chain is full: " + maxRequests + " requests");
        }
        long previous = current;
        current = requests + size * requestBytes;
        if (size > 0) {
            Memory.putLong(previous + nextOffset, current);
        }
        currentSges = sges + (long) size * maxSge * SGE_BYTES;
        currentSgeCount = 0;
        size++;
        Memory.putLong(current + nextOffset, 0);
        Memory.putLong(current + sgeListOffset, currentSges);
        Memory.putInt(current + sgeCountOffset, 0);
        return current;
    }

    final long current() {
        if (size == 0) {
            throw new IllegalStateException("no work request was started");
        }
        return current;
    }

    final void appendSge(MemoryRegion region, long offset, long length) {
        MemoryRegion.Registration now = region.usable(offset, length);
        appendSge(now.base() + offset, length, now.localKey());
    }

    final void appendSge(long address, long length, int key) {
        long request = current();
        if (currentSgeCount == maxSge) {
            throw new IllegalStateException("the work request is full: " + maxSge + " scatter/gather elements");
        }
        if (length > 0xffff_ffffL) {
            throw new IllegalArgumentException(
                    "a scatter/gather element has less than 4 GiB, not " + length + " bytes");
        }
        long sge = currentSges + currentSgeCount * SGE_BYTES;
        Memory.putLong(sge + SGE_ADDRESS, address);
        Memory.putInt(sge + SGE_LENGTH, (int) length);
        Memory.putInt(sge + SGE_KEY, key);
        currentSgeCount++;
        Memory.putInt(request + sgeCountOffset, currentSgeCount);
        if (currentSgeCount > longestSgeList()) {
            demand = demand & ~LENGTH_OF_LIST | currentSgeCount;
        }
    }

    /** Sets the length of the element added last. */
    final void growSge(int length) {
        Memory.putInt(currentSges + (currentSgeCount - 1) * SGE_BYTES + SGE_LENGTH, length);
    }

    final int currentSgeCount() {
        return currentSgeCount;
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
        demand = signaled ? demand & ~OPEN_END : demand | OPEN_END;
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
