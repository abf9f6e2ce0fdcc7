package io.dxnet.runtime.request;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetException;
import io.dxnet.MessagingUsageException;
import io.dxnet.Request;
import io.dxnet.RequestFailedException;
import io.dxnet.Response;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.MessageName;
import io.dxnet.runtime.send.Connections;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.runtime.thread.ResponseFuture;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.MessageAccess;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.idle.IdleStrategy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sends requests, and waits for their responses or completes futures with them. Any thread. */
public final class Requester {
    /** Drives the engine's stages on a thread that waits. */
    public interface Driver {
        /**
         * Drives them until the request is done, as far as the calling thread may.
         *
         * @return whether it drove: false when it has to wait for the engine's thread
         */
        boolean drive(PendingRequest pending);
    }

    private static final MessageAccess ACCESS = MessageAccess.get();

    private final RequestMap requests;
    private final Connections connections;
    private final Sender sender;
    private final Driver driver;
    private final IdleStrategies strategies;
    private final Completions completions;

    /**
     * Held by the one of the threads without a place in the map that searches for one:
     * the others don't run.
     */
    private final ReentrantLock placeGate = new ReentrantLock();

    public Requester(
            RequestMap requests,
            Connections connections,
            Sender sender,
            Driver driver,
            IdleStrategies strategies,
            Completions completions) {
        this.requests = requests;
        this.connections = connections;
        this.sender = sender;
        this.driver = driver;
        this.strategies = strategies;
        this.completions = completions;
    }

    /** See {@link io.dxnet.DXNet#sendSync}. */
    public <R extends Response> R sendSync(Request<R> request, Duration timeout) throws DXNetException {
        return sendSync(request, PendingRequest.sync(request, timeout));
    }

    /**
     * Sends a request and waits for its response, as {@link #sendSync(Request, Duration)} does,
     * without garbage.
     *
     * @param with a {@link PendingRequest#reusable} that no other thread uses; where this method
     *     throws, it is not to be used again
     * @param deadlineNs {@link System#nanoTime()} at which it fails
     */
    public <R extends Response> R sendSync(ServiceRequest<R> request, PendingRequest with, long deadlineNs)
            throws DXNetException {
        with.begin(request, deadlineNs);
        R response = sendSync(request, with);
        with.forget();
        return response;
    }

    // Without a failure there is a response; DXNet's own exceptions have messages.
    @SuppressWarnings({"unchecked", "NullAway"})
    private <R extends Response> R sendSync(Request<R> request, PendingRequest pending) throws DXNetException {
        post(request, pending);
        try {
            awaitResponse(pending);
        } catch (DXNetException | RuntimeException | Error e) {
            requests.drop(pending);
            throw e;
        }
        Throwable failure = pending.failure();
        if (failure == null) {
            return (R) pending.response();
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) { // its reason could not be made
            throw error;
        }
        // Made anew: the stack trace is to be this caller's.
        if (failure instanceof RequestFailedException failed) {
            RequestFailedException own =
                    new RequestFailedException(failed.getMessage(), failed.nodeId(), failed.errorClass());
            own.initCause(failed);
            throw own;
        }
        throw new ConnectionLostException(failure.getMessage(), failure);
    }

    /**
     * See {@link io.dxnet.DXNet#sendAsync}.
     *
     * @param <T> the type of the response, or of the value that it carries
     * @return its future
     */
    // RequestMap.complete checks the class, and a value was read by the request's codec.
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<T> sendAsync(Request<?> request, Duration timeout) {
        CompletableFuture<Object> future = new ResponseFuture<>();
        PendingRequest pending = PendingRequest.async(request, timeout, future, completions);
        try {
            post(request, pending);
        } catch (DXNetException | RuntimeException e) {
            future.completeExceptionally(e);
            return (CompletableFuture<T>) (CompletableFuture<?>) future;
        }
        future.whenComplete((response, error) -> {
            if (future.isCancelled()) {
                requests.drop(pending);
            }
        });
        return (CompletableFuture<T>) (CompletableFuture<?>) future;
    }

    /**
     * Fails service requests that have no response yet: {@link #sendSync} throws, and futures are
     * completed with the cause. Any thread.
     *
     * @param which whether a request fails; called for all that are outstanding
     */
    public void fail(Predicate<ServiceRequest<?>> which, Exception cause) {
        requests.failAll(pending -> pending.isFor(which), pending -> {
            requests.abandon(pending);
            return cause;
        });
    }

    // ---------------------------------------------------------------- sending

    /** Enters the request into the map and sends it; on failure it is out again. */
    @SuppressWarnings("NullAway") // sending has set its connection
    private void post(Request<?> request, PendingRequest pending) throws DXNetException {
        if (request.destination() < 0 || ACCESS.moreDestinations(request).length > 0) {
            throw new MessagingUsageException(MessageName.of(request) + " needs exactly one destination");
        }
        connections.checkOpen();
        if (!requests.tryAdd(pending)) {
            awaitPlace(pending);
        }
        try {
            int control = request instanceof ServiceRequest<?>
                    ? HeaderDescriptor.REQUEST | HeaderDescriptor.SERVICE
                    : HeaderDescriptor.REQUEST;
            sender.send(request, request.destination(), control, pending.id, pending);
        } catch (DXNetException | RuntimeException | Error e) {
            requests.drop(pending); // it may be on its way all the same
            throw e;
        }
        pending.sent(); // then the check for the end of its connection, whose thread checks in the other order
        PeerConnection connection = pending.connection;
        if (connection.life().isEnded()) {
            connections.failRequests(connection); // the map's scan at the end may not have found this one
        }
    }

    /** Waits for a place in the map. */
    private void awaitPlace(PendingRequest pending) throws DXNetException {
        EngineThread own = EngineThread.current();
        if (own != null) {
            pollForPlace(pending, own);
            return;
        }
        try {
            long leftNs = pending.deadlineNs - System.nanoTime();
            if (!placeGate.tryLock(leftNs, TimeUnit.NANOSECONDS)) {
                throw noPlace(pending);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted("a place for " + pending.what);
        }
        try {
            pollForPlace(pending, null);
        } finally {
            placeGate.unlock();
        }
    }

    private void pollForPlace(PendingRequest pending, @Nullable EngineThread own) throws DXNetException {
        int step = strategies.firstStep();
        while (!requests.tryAdd(pending)) {
            connections.checkOpen();
            if (System.nanoTime() - pending.deadlineNs > 0) {
                throw noPlace(pending);
            }
            if (own != null) {
                own.progressOrPause(step++);
            } else if (Thread.currentThread().isInterrupted()) {
                throw interrupted("a place for " + pending.what);
            } else {
                strategies.pause(step++);
            }
        }
    }

    private SendTimeoutException noPlace(PendingRequest pending) {
        return new SendTimeoutException("no place for " + pending.what + " in time: " + requests.outstanding()
                + " requests are outstanding (requestMapEntries)");
    }

    private static DXNetException interrupted(String waitedFor) {
        return new DXNetException("interrupted while waiting for " + waitedFor);
    }

    // ---------------------------------------------------------------- waiting

    private void awaitResponse(PendingRequest pending) throws DXNetException {
        EngineThread worker = EngineThread.currentWorker();
        // A thread of the engine that calls no receivers, and a virtual thread,
        // of which there may be many, only sleep.
        boolean sleeps =
                EngineThread.current() != null || Thread.currentThread().isVirtual();
        IdleStrategy response = strategies.response();
        int step = strategies.firstStep();
        while (!pending.isDone()) {
            long leftNs = pending.deadlineNs - System.nanoTime();
            if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                if (requests.drop(pending)) {
                    throw unanswered(pending, leftNs);
                }
                // Another thread, maybe a virtual one, removed it and is about to end it.
                Thread.yield();
            } else if (worker != null) {
                worker.progressOrPause(step++);
            } else if (sleeps) {
                LockSupport.parkNanos(pending, leftNs);
            } else if (response.pause(step)) {
                step++;
            } else if (response.spins() || !driver.drive(pending)) {
                // Where idle threads spin, the engine's thread would not sleep while its
                // duty is lent, nor reacquire it.
                LockSupport.parkNanos(pending, leftNs);
            }
        }
    }

    private DXNetException unanswered(PendingRequest pending, long leftNs) {
        if (leftNs > 0) {
            return interrupted("the answer to " + pending.what + " to node " + pending.destination);
        }
        return requests.timeout(pending);
    }
}
