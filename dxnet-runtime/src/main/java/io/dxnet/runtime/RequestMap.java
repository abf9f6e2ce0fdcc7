package io.dxnet.runtime;

import io.dxnet.Response;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Outstanding requests by message id, bounded. Whoever takes a request out of its slot ends it, so each ends exactly once: with
 * its response, by timeout, or with its connection. Any thread.
 */
final class RequestMap {
    private static final int TRIES = 64;

    private final AtomicReferenceArray<PendingRequest> slots;
    private final int mask;
    private final AtomicInteger nextId = new AtomicInteger();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicInteger outstandingAsync = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    RequestMap(int entries) {
        this.slots = new AtomicReferenceArray<>(entries);
        this.mask = entries - 1;
    }

    /** Gives the request an id and a place; false when there is none now. */
    boolean tryAdd(PendingRequest request) {
        for (int i = 0; i < TRIES && outstanding.get() <= mask; i++) {
            int id = nextId.getAndIncrement() & HeaderDescriptor.ID_MASK;
            request.id = id;
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

    /** A response arrived; false when it is late or belongs to no request of ours to that node. */
    boolean complete(int id, int source, Response response) {
        PendingRequest request = slots.get(id & mask);
        if (request == null || request.id != id || request.destination != source || !remove(request)) {
            dropped.increment();
            return false;
        }
        request.end(response, null);
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
