package io.dxnet.softhca;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Holds events behind a descriptor that is readable exactly while there is one, so that
 * {@code poll(2)}, {@code epoll(7)} and a blocking {@link #take} work.
 *
 * @param <E> an event
 */
final class EventQueue<E> {
    private static final int FOR_EVER = -1;
    /** Has no stack: one for all. */
    private static final VerbError NOTHING_THERE = new VerbError(Ibv.EAGAIN);

    private final int fd = LibC.eventDescriptor();
    private final ArrayDeque<E> events = new ArrayDeque<>();
    private boolean closed;

    int fd() {
        return fd;
    }

    synchronized void add(E event) {
        if (closed) {
            return;
        }
        events.add(event);
        if (events.size() == 1) {
            LibC.raise(fd);
        }
    }

    /**
     * The next event; waits for it, or fails with
     * {@code EAGAIN} where the descriptor is non-blocking.
     *
     * @param counter counts it, before {@link #remove} can find that it is not there: a thread that
     *     destroys what it is about waits for its acknowledgement
     */
    E take(Consumer<? super E> counter) {
        while (true) {
            E event = poll(counter);
            if (event != null) {
                return event;
            }
            if (LibC.isNonBlocking(fd)) {
                throw NOTHING_THERE;
            }
            LibC.awaitReadable(fd, FOR_EVER);
        }
    }

    private synchronized E poll(Consumer<? super E> counter) {
        VerbError.require(!closed);
        E event = events.poll();
        if (event != null) {
            counter.accept(event);
            if (events.isEmpty()) {
                LibC.lower(fd);
            }
        }
        return event;
    }

    /** Forgets the events that fit, because what they are about is destroyed. */
    synchronized void remove(Predicate<? super E> fits) {
        if (!closed && !events.isEmpty() && events.removeIf(fits) && events.isEmpty()) {
            LibC.lower(fd);
        }
    }

    /** Closes the descriptor; a thread that waits in {@link #take} fails with {@code EINVAL}. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            // Wakes threads in poll(2), which a close alone does not.
            LibC.raise(fd);
            LibC.close(fd);
        }
    }
}
