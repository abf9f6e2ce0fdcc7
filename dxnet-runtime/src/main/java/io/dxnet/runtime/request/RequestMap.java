package io.dxnet.runtime.request;

import io.dxnet.RequestTimeoutException;
import io.dxnet.Response;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.JfrEvents;
import io.dxnet.runtime.wire.HeaderDescriptor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Outstanding requests by message id, bounded. The thread that closes a request's use removes and
 * ends it, so each ends exactly once: with its response, by timeout, or with its connection. Any
 * thread.
 *
 * <p>A response completes the request with its id that was sent on the connection it comes by.
 * Ids are used again after 2^24 requests; a response that is late by so many must not complete
 * another request. So the ids are split into two halves, and in good time before a half is used
 * again, every connection with an abandoned request of that half is replaced.
 */
public final class RequestMap {
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
    private final LongAdder timedOut = new LongAdder();

    private final IntConsumer nextHalf;

    /**
     * An empty map.
     *
     * @param entries a power of two
     * @param nextHalf called before the ids of a half, 0 or 1, are used again
     */
    public RequestMap(int entries, IntConsumer nextHalf) {
        this.nextHalf = nextHalf;
        this.slots = new AtomicReferenceArray<>(entries);
        this.mask = entries - 1;
    }

    /** Assigns an id and a place to the request; false when no place is free. */
    public boolean tryAdd(PendingRequest request) {
        for (int i = 0; i < TRIES && outstanding.get() <= mask; i++) {
            int id = nextId.getAndIncrement() & HeaderDescriptor.ID_MASK;
            request.id = id;
            if ((id & HALF_MASK) == PREPARE_AT) {
                nextHalf.accept(half(id) ^ 1);
            }
            count(request, 1); // first: scans leave out an empty map
            if (slots.compareAndSet(id & mask, null, request)) {
                request.open(); // last: the thread that closes it clears its slot
                return true;
            }
            count(request, -1);
        }
        return false;
    }

    private void count(PendingRequest request, int added) {
        outstanding.addAndGet(added);
        if (request.future != null) {
            outstandingAsync.addAndGet(added);
        }
    }

    /** Removes the request; false when another thread did. Not of an earlier use of it. */
    public boolean remove(PendingRequest request) {
        return remove(request, request.use());
    }

    /** Removes the request in a use; false when another thread did. */
    private boolean remove(PendingRequest request, int use) {
        if (!request.close(use)) {
            return false;
        }
        slots.setRelease(request.id & mask, null);
        count(request, -1);
        return true;
    }

    /**
     * A request that was removed ended without its response, which may still come. Where its id is
     * to be used again before the next check of its half, its connection is replaced now.
     */
    public void abandon(PendingRequest request) {
        request.abandon(); // first: the check reads that
        if (isChecked(request.id, nextId.get() & HeaderDescriptor.ID_MASK)) {
            nextHalf.accept(half(request.id));
        }
    }

    /**
     * Removes and {@link #abandon}s a request; false when another thread removed it. Not of an
     * earlier use of it.
     */
    public boolean drop(PendingRequest request) {
        boolean isRemoved = remove(request);
        if (isRemoved) {
            abandon(request);
        }
        return isRemoved;
    }

    /** {@return whether connections were checked for the id's next use} */
    private static boolean isChecked(int id, int next) {
        return half(id) == half(next) ? next <= id : (next & HALF_MASK) > PREPARE_AT;
    }

    /** Which half of the ids one belongs to. */
    static int half(int id) {
        return id >>> HALF_SHIFT;
    }

    /** For tests: the id of the next request. */
    void nextId(int id) {
        nextId.set(id);
    }

    /**
     * A response arrived; false when it is late or answers no request that was
     * sent on its connection.
     */
    public boolean complete(int id, PeerConnection connection, Response response) {
        PendingRequest request = removeAnswered(id, connection);
        if (request == null) {
            return false;
        }
        if (request.accepts(response)) {
            request.end(response, null);
        } else {
            refuse(request, response);
        }
        return true;
    }

    /**
     * Makes the response that a value's or a service's request of this type expects; null:
     * there is no such request, or it is late.
     */
    public @Nullable Response emptyResponse(int id, PeerConnection connection, int key) {
        PendingRequest request = slots.get(id & mask);
        if (request == null) {
            return null;
        }
        int use = request.use();
        return request.id != id || request.connection != connection ? null : request.emptyResponse(key, use);
    }

    /**
     * Removes and returns the request that a response answers; null, and counted,
     * where there is none.
     */
    private @Nullable PendingRequest removeAnswered(int id, PeerConnection connection) {
        PendingRequest request = slots.get(id & mask);
        if (request != null) {
            int use = request.use();
            if (request.id == id && request.connection == connection && remove(request, use)) {
                return request;
            }
        }
        dropped.increment();
        return null;
    }

    /**
     * A response that carries no answer arrived, or none that this node can read;
     * false as in {@link #complete}.
     */
    public boolean fail(int id, PeerConnection connection, Function<PendingRequest, Exception> cause) {
        PendingRequest request = removeAnswered(id, connection);
        if (request == null) {
            return false;
        }
        end(request, cause);
        return true;
    }

    /** Ends a removed request, also where its reason cannot be made: then that is the reason. */
    private static void end(PendingRequest request, Function<PendingRequest, Exception> cause) {
        Throwable reason;
        try {
            reason = cause.apply(request);
        } catch (Throwable thrown) {
            reason = thrown;
        }
        request.end(null, reason);
    }

    /** The same where the response is of another class. */
    private static void refuse(PendingRequest request, Response response) {
        Throwable reason;
        try {
            reason = request.refusal(response);
        } catch (Throwable thrown) {
            reason = thrown;
        }
        request.end(null, reason);
    }

    /** Fails all requests that match. */
    public int failAll(Predicate<PendingRequest> which, Function<PendingRequest, Exception> cause) {
        if (outstanding.get() == 0) {
            return 0;
        }
        int failed = 0;
        for (int i = 0; i <= mask; i++) {
            PendingRequest request = slots.get(i);
            if (request != null && endIf(request, which, cause)) {
                failed++;
            }
        }
        return failed;
    }

    private boolean endIf(
            PendingRequest request, Predicate<PendingRequest> which, Function<PendingRequest, Exception> cause) {
        int use = request.use();
        if (!which.test(request) || !remove(request, use)) {
            return false;
        }
        end(request, cause);
        return true;
    }

    /**
     * Fails the requests that were sent by a connection that has ended. Nothing but their reasons
     * needs memory.
     */
    public void failSentBy(PeerConnection connection, Function<PendingRequest, Exception> cause) {
        if (outstanding.get() == 0) {
            return;
        }
        for (int i = 0; i <= mask; i++) {
            PendingRequest request = slots.get(i);
            if (request != null) {
                int use = request.use();
                if (request.sent && request.connection == connection && remove(request, use)) {
                    end(request, cause);
                }
            }
        }
    }

    /** Fails the asynchronous requests whose time is over. */
    public void failOverdue(long nowNs) {
        if (hasAsync()) {
            failAll(request -> request.future != null && nowNs - request.deadlineNs > 0, request -> {
                abandon(request);
                return timeout(request);
            });
        }
    }

    /** {@return the error of a request that got no response in time} */
    RequestTimeoutException timeout(PendingRequest request) {
        timedOut.increment();
        JfrEvents.requestTimeout(request.destination, request.what);
        return new RequestTimeoutException(request.what + " to node " + request.destination
                + " was not answered in time; the node may be busy, or its callback sends no response");
    }

    /** Whether a connection has outstanding requests. */
    public boolean hasAny(PeerConnection connection) {
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

    public int outstanding() {
        return outstanding.get();
    }

    public boolean hasAsync() {
        return outstandingAsync.get() > 0;
    }

    public long dropped() {
        return dropped.sum();
    }

    public long timedOut() {
        return timedOut.sum();
    }
}
