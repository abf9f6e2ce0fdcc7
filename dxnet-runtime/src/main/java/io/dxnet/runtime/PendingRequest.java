package io.dxnet.runtime;

import io.dxnet.MessagingUsageException;
import io.dxnet.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A request that waits for its response: a thread waits (synchronous) or a future is completed (asynchronous). */
final class PendingRequest {
    /** Longer timeouts are this long, 146 years: differences of {@link System#nanoTime} must not overflow. */
    private static final Duration TIMEOUT_MAX = Duration.ofNanos(Long.MAX_VALUE / 2);

    final int destination;
    final String what; // for errors: computed from the class, not per request
    final Thread waiter; // null for an asynchronous request
    final CompletableFuture<Response> future; // null for a synchronous request
    final long deadlineNs;
    int id; // the request map, before it is published
    volatile PeerConnection connection; // the sending thread
    volatile boolean sent; // the sending thread, after it was committed
    private final Class<?> responseClass;
    private final Completions completions; // null for a synchronous request
    private Response response; // before done
    private Exception failure; // before done
    private volatile boolean done; // whoever took it out of the map

    /** A synchronous one. */
    PendingRequest(int destination, String what, Class<?> responseClass, long deadlineNs, Thread waiter) {
        this(destination, what, responseClass, deadlineNs, waiter, null, null);
    }

    /** An asynchronous one. */
    PendingRequest(
            int destination,
            String what,
            Class<?> responseClass,
            long deadlineNs,
            CompletableFuture<Response> future,
            Completions completions) {
        this(destination, what, responseClass, deadlineNs, null, future, completions);
    }

    private PendingRequest(
            int destination,
            String what,
            Class<?> responseClass,
            long deadlineNs,
            Thread waiter,
            CompletableFuture<Response> future,
            Completions completions) {
        this.destination = destination;
        this.what = what;
        this.responseClass = responseClass;
        this.deadlineNs = deadlineNs;
        this.waiter = waiter;
        this.future = future;
        this.completions = completions;
    }

    /** When a timeout that begins now is over. A negative one is over at once. */
    static long deadlineNs(Duration timeout) {
        long ns = timeout.isNegative()
                ? 0
                : timeout.compareTo(TIMEOUT_MAX) < 0 ? timeout.toNanos() : TIMEOUT_MAX.toNanos();
        return System.nanoTime() + ns;
    }

    boolean isDone() {
        return done;
    }

    Response response() {
        return response;
    }

    Exception failure() {
        return failure;
    }

    /** It ended without its response, which may still come. */
    void abandon() {
        PeerConnection sentOn = connection;
        if (sentOn != null) {
            sentOn.abandoned(RequestMap.half(id));
        }
    }

    /** Ends it; called once, by the thread that took it out of the map. Runs nothing of the application. */
    void end(Response result, Exception cause) {
        if (result != null && !responseClass.isInstance(result)) {
            failure = new MessagingUsageException(
                    what + " was answered by a " + result.getClass().getName() + ", not by a "
                            + responseClass.getName() + ": node " + destination
                            + " sends another type, or that type is registered here with another class");
        } else {
            response = result;
            failure = cause;
        }
        done = true;
        if (future == null) {
            LockSupport.unpark(waiter);
        } else {
            completions.add(this);
        }
    }

    /** Completes the future and runs its dependents. */
    void completeFuture() {
        if (failure == null) {
            future.complete(response);
        } else {
            future.completeExceptionally(failure);
        }
    }
}
