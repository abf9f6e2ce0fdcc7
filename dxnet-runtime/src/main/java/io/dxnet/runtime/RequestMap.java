package io.dxnet.runtime;

import io.dxnet.Response;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * Outstanding requests by message id, bounded. The thread that takes a request out of its slot ends it, so each ends exactly once: with
 * its response, by timeout, or with its connection. Any thread.
 *
 * <p>A response completes the request with its id that went out on the connection it comes by. Ids are used again after 2^24
 * requests; a response that is late by so many must not complete another request. So the ids are split into two halves, and in good
 * time before a half is used again, every connection with a given-up request of that half is replaced.
 */
final class RequestMap {
    private static final int TRIES = 64;
    private static final int HALF_SHIFT = 23;
    private static final int HALF_MASK = (1 << HALF_SHIFT) - 1;
    /** Ids of a half from where the next half is prepared. */
    private static final int PREPARE_AT = HALF_MASK / 4 * 3;

    private final AtomicReferenceArray<PendingRequest> slots;
    private final int mask;
    private final AtomicInteger nextId = new AtomicInteger();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicInteger outstandingAsync = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    private final IntConsumer nextHalf;

    /**
     * An empty map.
     *
     * @param entries a power of two
     * @param nextHalf called before the ids of a half, 0 or 1, are used again
     */
    RequestMap(int entries, IntConsumer nextHalf) {
        this.nextHalf = nextHalf;
        this.slots = new AtomicReferenceArray<>(entries);
        this.mask = entries - 1;
    }

    /** Gives the request an id and a place; false when there is none now. */
    boolean tryAdd(PendingRequest request) {
        for (int i = 0; i < TRIES && outstanding.get() <= mask; i++) {
            int id = nextId.getAndIncrement() & HeaderDescriptor.ID_MASK;
            request.id = id;
            if ((id & HALF_MASK) == PREPARE_AT) {
                nextHalf.accept(half(id) ^ 1);
            }
            if (slots.compareAndSet(id & mask, null, request)) {
                outstanding.incrementAndGet();
                if (request.future != null) {
                    outstandingAsync.incrementAndGet();
                }
                return true;
            }
        }
        return false;
    }

    /** Takes the request out; false when another thread did. */
    boolean remove(PendingRequest request) {
        if (!slots.compareAndSet(request.id & mask, request, null)) {
            return false;
        }
        outstanding.decrementAndGet();
        if (request.future != null) {
            outstandingAsync.decrementAndGet();
        }
        return true;
    }

    /** Which half of the ids one belongs to. */
    static int half(int id) {
        return id >>> HALF_SHIFT;
    }

    /** For tests: the id of the next request. */
    void nextId(int id) {
        nextId.set(id);
    }

    /** A response arrived; false when it is late or answers no request that went out on its connection. */
    boolean complete(int id, PeerConnection connection, Response response) {
        PendingRequest request = removeAnswered(id, connection);
        if (request == null) {
            return false;
        }
        request.end(response, null);
        return true;
    }

    /** Makes the response that a value's request of this type expects; null: there is no such request, or it is late. */
    Response emptyResponse(int id, PeerConnection connection, int key) {
        PendingRequest request = slots.get(id & mask);
        return request == null || request.id != id || request.connection != connection
                ? null
                : request.emptyResponse(key);
    }

    /** Removes and returns the request that a response answers; null, and counted, where there is none. */
    private PendingRequest removeAnswered(int id, PeerConnection connection) {
        PendingRequest request = slots.get(id & mask);
        if (request == null || request.id != id || request.connection != connection || !remove(request)) {
            dropped.increment();
            return null;
        }
        return request;
    }

    /** A response that carries no answer arrived, or none that this node can read; false as in {@link #complete}. */
    boolean fail(int id, PeerConnection connection, Function<PendingRequest, Exception> cause) {
        PendingRequest request = removeAnswered(id, connection);
        if (request == null) {
            return false;
        }
        request.end(null, cause.apply(request));
        return true;
    }

    /** Fails all requests that match. */
    int failAll(Predicate<PendingRequest> which, Function<PendingRequest, Exception> cause) {
        if (outstanding.get() == 0) {
            return 0;
        }
        int failed = 0;
        for (int i = 0; i <= mask; i++) {
            PendingRequest request = slots.get(i);
            if (request != null && which.test(request) && remove(request)) {
                request.end(null, cause.apply(request));
                failed++;
            }
        }
        return failed;
    }

    /** Whether a connection has outstanding requests. */
    boolean hasAny(PeerConnection connection) {
        if (outstanding.get() == 0) {
            return false;
        }
        for (int i = 0; i <= mask; i++) {
            PendingRequest request = slots.get(i);
            if (request != null && request.connection == connection) {
                return true;
            }
        }
        return false;
    }

    int outstanding() {
        return outstanding.get();
    }

    boolean hasAsync() {
        return outstandingAsync.get() > 0;
    }

    long dropped() {
        return dropped.sum();
    }
}
