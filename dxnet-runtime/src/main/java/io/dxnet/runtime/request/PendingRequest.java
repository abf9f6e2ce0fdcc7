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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its response: a thread waits (synchronous) or a
 * future is completed (asynchronous). A {@link #reusable} one stands for one request after the
 * other, each of which is a use of it and ends once.
 */
public final class PendingRequest extends Completions.Completion implements Sender.Awaited {
    /**
     * Longer timeouts are this long, 146 years: differences of
     * {@link System#nanoTime} must not overflow.
     */
    private static final Duration TIMEOUT_MAX = Duration.ofNanos(Long.MAX_VALUE / 2);

    private static final VarHandle USES;
    private static final VarHandle CLAIMED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            USES = lookup.findVarHandle(PendingRequest.class, "uses", int.class);
            CLAIMED = lookup.findVarHandle(PendingRequest.class, "claimed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Of a use, as the fields without final below: set by its thread before the use is open.
    int destination;
    String what; // for errors: of the class or the type, not made per request

    @Nullable
    Thread waiter; // null for an asynchronous request

    final @Nullable CompletableFuture<Object> future; // null for a synchronous request
    long deadlineNs;
    int id; // the request map, before it is published
    volatile @Nullable PeerConnection connection; // the sending thread
    volatile boolean sent; // the sending thread, after it was committed
    private volatile int uses; // odd: a use is open, and whichever thread closes it ends it
    private volatile int claimed = -1; // the last use whose response a thread fills
    private Class<?> responseClass;
    private @Nullable Request<?> maker; // makes its response: of a value or a service; null for others
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

    /** One that stands for no request yet: {@link Requester#sendSync} sends with it. */
    public static PendingRequest reusable() {
        return new PendingRequest(0, "no request", Response.class, null, 0, null, null, null);
    }

    /**
     * It stands for a request now, which the calling thread waits for. Its request before, if any,
     * was answered.
     */
    void begin(ServiceRequest<?> request, long deadline) {
        destination = request.destination();
        what = MessageName.of(request);
        responseClass = ResponseClass.of(request.getClass());
        maker = request;
        waiter = Thread.currentThread();
        deadlineNs = deadline;
        connection = null;
        sent = false;
        response = null;
        done = false;
    }

    /** Keeps nothing alive that its last request used. That one was answered. */
    void forget() {
        maker = null;
        waiter = null;
        connection = null;
        response = null;
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

    /**
     * It has its place in the map: it may be ended from now on. Its own thread. A scan that does
     * not find it yet has begun before the request was sent: its thread then finds the reason of
     * the scan, the end of its connection or of its operation.
     */
    void open() {
        USES.setRelease(this, uses + 1);
    }

    /** {@return its use, odd while it is open} To be read before what is to be of that use. */
    int use() {
        return uses;
    }

    /** {@return whether the calling thread ends it: it is in that use, and open} */
    boolean close(int use) {
        return (use & 1) != 0 && USES.compareAndSet(this, use, use + 1);
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

    @Override
    public boolean isOver() {
        return System.nanoTime() - deadlineNs > 0;
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
     * by its own type; null for others, and for a second response to one of a service.
     */
    @Nullable
    Response emptyResponse(int key, int use) {
        Request<?> of = maker;
        if (of instanceof ValueRequest<?, ?> value) {
            return key == HeaderDescriptor.key(value.type(), value.subtype()) ? value.emptyResponse() : null;
        }
        return of instanceof ServiceRequest<?> service && key == service.key() && claims(use)
                ? service.emptyResponse()
                : null;
    }

    /**
     * Whether the calling thread fills the response of a use: a second one of a faulty peer must
     * not change what the waiting thread reads, nor the next use. Each use but the last was
     * claimed.
     */
    private boolean claims(int use) {
        return (use & 1) != 0 && CLAIMED.compareAndSet(this, use - 2, use);
    }

    /** {@return whether it is a request of a service, not of the application} */
    public boolean isOfService() {
        return maker instanceof ServiceRequest<?>;
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
        Thread waiting = waiter; // once it is done, it may stand for another request
        done = true;
        if (future == null) {
            LockSupport.unpark(waiting);
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
