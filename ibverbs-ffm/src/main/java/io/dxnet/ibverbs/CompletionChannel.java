package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_comp_channel;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where completion queues announce completions ({@code struct ibv_comp_channel};
 * {@code man ibv_get_cq_event}), so that a thread can sleep. Arm a queue with
 * {@link CompletionQueue#requestNotification}, poll it once more (what came before arming is not
 * announced), then wait. Events are acknowledged when they are polled.
 *
 * <p>Any thread may call; of several that wait, one waits and the others queue up behind it.
 */
public final class CompletionChannel extends Resource {
    private final Context context;
    private final long address;
    private final ReentrantLock waiting = new ReentrantLock();
    private final int wakeFd;
    private final Arena arena = Arena.ofAuto();
    private final EventCalls events; // the holder of the lock
    private final Posix.PollSet pollSet;

    /**
     * Those that announce here, newest last; replaced as a whole, under the monitor. A map would
     * box each address it is asked for.
     */
    private volatile CompletionQueue[] queues = {};

    private CompletionChannel(Context context, long address, int fd) {
        super(context);
        this.context = context;
        this.address = address;
        this.events = new EventCalls(context.library(), arena);
        this.pollSet = new Posix.PollSet(arena, fd);
        this.wakeFd = pollSet.wakeFd();
    }

    static CompletionChannel create(Context context) {
        context.enter();
        try {
            Library library = context.library();
            long address = library.createCompChannel.pointer(errno -> "", context.address());
            return attached(library.destroyCompChannel, address, () -> {
                Abi.checkOwner(
                        "ibv_comp_channel",
                        context.address(),
                        Memory.getLong(address + ibv_comp_channel.context$offset()));
                return new CompletionChannel(context, address, Memory.getInt(address + ibv_comp_channel.fd$offset()));
            });
        } finally {
            context.exit();
        }
    }

    /**
     * Returns the context.
     *
     * @return what this was made from
     */
    public Context context() {
        return context;
    }

    long address() {
        return address;
    }

    /**
     * Waits for an armed queue to get a completion. {@link #wakeUp()} and closing the channel end
     * the wait; interrupting the thread does not.
     *
     * @param timeoutMs how long in milliseconds; 0 only polls, -1 is for ever
     * @return the queue, no longer armed; null at a time-out, when woken, and
     *     where the queue is closed by now
     * @throws IllegalStateException if the channel is closed
     */
    public CompletionQueue await(int timeoutMs) {
        enter();
        waiting.lock();
        try {
            if (isClosed()) {
                return null;
            }
            pollSet.await(timeoutMs);
            if (pollSet.ready(1)) {
                Posix.drain(wakeFd);
            }
            return pollSet.ready(0) ? take() : null;
        } finally {
            waiting.unlock();
            exit();
        }
    }

    /** Ends the wait of one thread that is inside {@link #await(int)}, or of the next to come. */
    public void wakeUp() {
        if (tryEnter()) {
            Posix.signal(wakeFd);
            exit();
        }
    }

    private CompletionQueue take() {
        int errno = events.take(address);
        if (errno == verbs_h.EAGAIN() || errno == verbs_h.EINTR()) {
            return null;
        }
        if (errno != 0) {
            throw context.library().getCqEvent.failure(errno, e -> "");
        }
        long cq = events.queue();
        // Destroying a queue waits until its events are acknowledged, so it exists until here.
        CompletionQueue queue = find(cq);
        events.acknowledge(cq);
        return queue;
    }

    private CompletionQueue find(long cq) {
        CompletionQueue[] known = queues;
        // Newest first: the address of a destroyed queue may be in use
        // again before that one is forgotten.
        for (int i = known.length - 1; i >= 0; i--) {
            if (known[i].address() == cq) {
                return known[i];
            }
        }
        return null;
    }

    synchronized void remember(CompletionQueue queue) {
        CompletionQueue[] more = Arrays.copyOf(queues, queues.length + 1);
        more[queues.length] = queue;
        queues = more;
    }

    synchronized void forget(CompletionQueue queue) {
        queues = Arrays.stream(queues).filter(other -> other != queue).toArray(CompletionQueue[]::new);
    }

    @Override
    void wake() {
        Posix.signal(wakeFd);
    }

    @Override
    void destroy() {
        context.library().destroyCompChannel.status(errno -> "a completion queue still uses it", address);
    }

    @Override
    void forget() {
        Posix.close(wakeFd);
    }

    @Override
    public String toString() {
        return "completion channel of " + context.device().name();
    }
}
