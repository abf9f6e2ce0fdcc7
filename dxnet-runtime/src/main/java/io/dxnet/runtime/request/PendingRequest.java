package io.dxnet.runtime.request;

import io.dxnet.MessagingUsageException;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.MessageName;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.ValueRequest;
import io.dxnet.spi.Valued;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its response: a thread waits (synchronous) or a
 * future is completed (asynchronous).
 */
public final class PendingRequest extends Completions.Completion implements Sender.Awaited {
    /**
     * Longer timeouts are this long, 146 years: differences of
     * {@link System#nanoTime} must not overflow.
     */
    private static final Duration TIMEOUT_MAX = Duration.ofNanos(Long.MAX_VALUE / 2);

    final int destination;
    final String what; // for errors: of the class or the type, not made per request
    final @Nullable Thread waiter; // null for an asynchronous request
    final @Nullable CompletableFuture<Object> future; // null for a synchronous request
    final long deadlineNs;
    int id; // the request map, before it is published
    volatile @Nullable PeerConnection connection; // the sending thread
    volatile boolean sent; // the sending thread, after it was committed
    private final Class<?> responseClass;
    private final @Nullable Request<?> maker; // makes its response: of a value or a service; null for others
    private final @Nullable Completions completions; // null for a synchronous request
    private @Nullable Response response; // before done
    private @Nullable Throwable failure; // before done
    private volatile boolean done; // the thread that removed it from the map
    private volatile boolean abandoned; // the same; before it reads the connection

    /** A synchronous request. */
    public PendingRequest(
            int destination, String what, Class<?> responseClass, long deadlineNs, @Nullable Thread waiter) {
        this(destination, what, responseClass, null, deadlineNs, waiter, null, null);
    }

    private PendingRequest(
            int destination,
            String what,
            Class<?> responseClass,
            @Nullable Request<?> maker,
            long deadlineNs,
            @Nullable Thread waiter,
            @Nullable CompletableFuture<Object> future,
            @Nullable Completions completions) {
        this.destination = destination;
        this.what = what;
        this.responseClass = responseClass;
        this.maker = maker;
        this.deadlineNs = deadlineNs;
        this.waiter = waiter;
        this.future = future;
        this.completions = completions;
    }

    /** One that the calling thread waits for. */
    static PendingRequest sync(Request<?> request, Duration timeout) {
        return of(request, timeout, Thread.currentThread(), null, null);
    }

    /** One that completes a future. */
    static PendingRequest async(
            Request<?> request, Duration timeout, CompletableFuture<Object> future, Completions completions) {
        return of(request, timeout, null, future, completions);
    }

    private static PendingRequest of(
            Request<?> request,
            Duration timeout,
            @Nullable Thread waiter,
            @Nullable CompletableFuture<Object> future,
            @Nullable Completions completions) {
        return new PendingRequest(
                request.destination(),
                MessageName.of(request),
                ResponseClass.of(request.getClass()),
                request instanceof ValueRequest<?, ?> || request instanceof ServiceRequest<?> ? request : null,
                deadlineNs(timeout),
                waiter,
                future,
                completions);
    }

    /** When a timeout that begins now is over. A negative one is over at once. */
    private static long deadlineNs(Duration timeout) {
        long ns = timeout.isNegative()
                ? 0
                : timeout.compareTo(TIMEOUT_MAX) < 0 ? timeout.toNanos() : TIMEOUT_MAX.toNanos();
        return System.nanoTime() + ns;
    }

    public int destination() {
        return destination;
    }

    public long deadlineNs() {
        return deadlineNs;
    }

    public int id() {
        return id;
    }

    @Override
    public void connection(@Nullable PeerConnection sentBy) {
        connection = sentBy;
        if (abandoned) { // while it was sent
            markAbandoned();
        }
    }

    /** {@return the connection that it is sent on; null: none yet} */
    public @Nullable PeerConnection connection() {
        return connection;
    }

    /** It was committed. The sending thread. */
    public void sent() {
        sent = true;
    }

    public boolean isDone() {
        return done;
    }

    @Nullable
    Response response() {
        return response;
    }

    public @Nullable Throwable failure() {
        return failure;
    }

    /**
     * A response to be filled, for a request of a value or of a service that is answered
     * by its own type; null for others.
     */
    @Nullable
    Response emptyResponse(int key) {
        if (maker instanceof ValueRequest<?, ?> value) {
            return key == HeaderDescriptor.key(value.type(), value.subtype()) ? value.emptyResponse() : null;
        }
        return maker instanceof ServiceRequest<?> service && key == service.key() ? service.emptyResponse() : null;
    }

    /** {@return whether it is a service request that matches} */
    boolean isFor(Predicate<ServiceRequest<?>> which) {
        return maker instanceof ServiceRequest<?> service && which.test(service);
    }

    /** It ended without its response, which may still come: see {@link RequestMap#abandon}. */
    void abandon() {
        abandoned = true;
        markAbandoned();
    }

    private void markAbandoned() {
        PeerConnection sentOn = connection;
        if (sentOn != null) {
            sentOn.abandoned(RequestMap.half(id));
        }
    }

    /** Whether its sender can receive a response of this class. */
    boolean accepts(Response result) {
        return responseClass.isInstance(result);
    }

    /** The error of a response that {@link #accepts} refuses. */
    Exception refusal(Response result) {
        return new MessagingUsageException(what + " was answered by a "
                + result.getClass().getName() + ", not by a " + responseClass.getName() + ": node " + destination
                + " sends another type, or that type is registered here with another class");
    }

    /**
     * Ends it; called once, by the thread that removed it from the map.
     * Runs nothing of the application.
     *
     * @param result one that it {@link #accepts}
     */
    @SuppressWarnings("NullAway") // one with a future has completions
    public void end(@Nullable Response result, @Nullable Throwable cause) {
        response = result;
        failure = cause;
        done = true;
        if (future == null) {
            LockSupport.unpark(waiter);
        } else {
            completions.add(this);
        }
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    @SuppressWarnings("NullAway") // only one with a future
    public boolean mayRepeat() {
        return !future.isDone();
    }

    @Override
    @SuppressWarnings("NullAway") // only one with a future; it has a failure or a response
    public void complete() {
        if (failure == null) {
            future.complete(response instanceof Valued<?> carrier ? carrier.value() : response);
        } else {
            future.completeExceptionally(failure);
        }
    }
}
