package io.dxnet.runtime;

import io.dxnet.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A request that waits for its response: a thread waits (synchronous) or a future is completed (asynchronous). */
final class PendingRequest {
    final int destination;
    final String what; // for errors: computed from the class, not per request
    final Thread waiter; // null for an asynchronous request
    final CompletableFuture<Response> future; // null for a synchronous request
    final long deadlineNs;
    int id; // the request map, before it is published
    volatile PeerConnection connection; // the sending thread
    private Response response; // before done
    private Exception failure; // before done
    private volatile boolean done; // whoever took it out of the map

    PendingRequest(int destination, String what, Thread waiter, CompletableFuture<Response> future, long deadlineNs) {
        this.destination = destination;
        this.what = what;
        this.waiter = waiter;
        this.future = future;
        this.deadlineNs = deadlineNs;
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

    /** Ends it; called once, by the thread that took it out of the map. */
    void end(Response result, Exception cause) {
        response = result;
        failure = cause;
        done = true;
        if (future == null) {
            LockSupport.unpark(waiter);
        } else if (cause == null) {
            future.complete(result);
        } else {
            future.completeExceptionally(cause);
        }
    }
}
