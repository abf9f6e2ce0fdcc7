package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_async_event;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A context's asynchronous events ({@code man ibv_get_async_event}). An event is acknowledged when
 * it is polled, so it never keeps an object from being closed. Any thread may wait; one gets the
 * event. Events are hints: which of them come, and how often, differs between devices.
 */
public final class AsyncEvents {
    private final Context context;
    private final ReentrantLock waiting = new ReentrantLock();
    private final int wakeFd;
    private final Arena arena = Arena.ofAuto();
    private final Posix.PollSet pollSet;

    AsyncEvents(Context context, int fd) {
        this.context = context;
        this.pollSet = new Posix.PollSet(arena, fd);
        this.wakeFd = pollSet.wakeFd();
    }

    /**
     * Polls an event that is there already.
     *
     * @return the event, empty where there is none
     * @throws IllegalStateException if the context is closed
     */
    public Optional<AsyncEvent> poll() {
        context.enter();
        try {
            return isSilent() ? Optional.empty() : take();
        } finally {
            context.exit();
        }
    }

    /**
     * Whether there is certainly no event; without allocation, so that it can be asked regularly.
     */
    private boolean isSilent() {
        if (!waiting.tryLock()) {
            return false; // another thread waits with the poll set
        }
        try {
            pollSet.await(0);
            return !pollSet.ready(0);
        } finally {
            waiting.unlock();
        }
    }

    /**
     * Waits for an event. {@link #wakeUp()} and closing the context end the wait;
     * interrupting the thread does not.
     *
     * @param timeoutMs how long in milliseconds; -1 is for ever
     * @return the event, empty at a time-out or when woken
     * @throws IllegalStateException if the context is closed
     */
    public Optional<AsyncEvent> await(int timeoutMs) {
        context.enter();
        waiting.lock();
        try {
            Optional<AsyncEvent> event = take();
            if (event.isPresent() || context.isClosed()) {
                return event;
            }
            pollSet.await(timeoutMs);
            if (pollSet.ready(1)) {
                Posix.drain(wakeFd);
            }
            return take();
        } finally {
            waiting.unlock();
            context.exit();
        }
    }

    /** Ends the wait of one thread that is inside {@link #await(int)}, or of the next to come. */
    public void wakeUp() {
        if (context.tryEnter()) {
            signal();
            context.exit();
        }
    }

    /** For the context's close, which has marked it closed and waits for its callers. */
    void signal() {
        Posix.signal(wakeFd);
    }

    private Optional<AsyncEvent> take() {
        Library library = context.library();
        try (Arena memory = Arena.ofConfined()) {
            long event = memory.allocate(ibv_async_event.layout()).address();
            int errno = library.getAsyncEvent.errnoOf(context.address(), event);
            if (errno == verbs_h.EAGAIN() || errno == verbs_h.EINTR()) {
                return Optional.empty();
            }
            if (errno != 0) {
                throw library.getAsyncEvent.failure(errno, e -> "");
            }
            AsyncEvent result = read(event);
            library.ackAsyncEvent.call(event);
            return Optional.of(result);
        }
    }

    private AsyncEvent read(long event) {
        int code = Memory.getInt(event + ibv_async_event.event_type$offset());
        AsyncEventType type = AsyncEventType.of(code);
        long element = event + ibv_async_event.element$offset();
        return switch (type) {
            case CQ_ERR,
                    QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PATH_MIG,
                    PATH_MIG_ERR,
                    SRQ_ERR,
                    SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED -> new AsyncEvent(type, code, context.find(Memory.getLong(element)), 0);
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE ->
                new AsyncEvent(type, code, null, Memory.getInt(element));
            case DEVICE_FATAL, WQ_FATAL, UNKNOWN -> new AsyncEvent(type, code, null, 0);
        };
    }

    /** After the context is closed: no thread waits any more. */
    void destroy() {
        Posix.close(wakeFd);
    }
}
