package io.dxnet.runtime.handle;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The deferred calls for one node's ordered messages: one after the other, each by its executor.
 * How many there are is bounded by the sender's flow-control window. Any thread.
 */
final class OrderedCalls {
    private static final class Waiting {
        private final DeferredCall call;
        private final Executor executor;
        private @Nullable Waiting next; // under the monitor of the calls

        Waiting(DeferredCall call, Executor executor) {
            this.call = call;
            this.executor = executor;
        }
    }

    // Linked, because an array that could not grow, where memory is exhausted, would lose some.
    private @Nullable Waiting first; // under the monitor
    private @Nullable Waiting last; // the same; null: first is null too
    private boolean running; // the same: an executor has a call, or is about to get one

    /**
     * Runs a call after those before it.
     *
     * @throws java.util.concurrent.RejectedExecutionException when it is the first,
     *     and its executor refuses it
     */
    void execute(DeferredCall call, Executor executor) {
        Waiting next = new Waiting(call, executor);
        synchronized (this) {
            if (running) {
                add(next);
                return;
            }
            running = true;
        }
        boolean isAccepted = false;
        try {
            start(next);
            isAccepted = true;
        } finally {
            if (!isAccepted) {
                goOn();
            }
        }
    }

    private void start(Waiting call) {
        call.executor.execute(() -> run(call));
    }

    /** Runs a call, and those after it that have the same executor. */
    private void run(Waiting started) {
        Waiting each = started;
        do {
            try {
                each.call.run();
            } finally {
                each = poll();
                if (each != null && each.executor != started.executor) {
                    startOrSkip(each);
                    each = null;
                }
            }
        } while (each != null);
    }

    private void goOn() {
        Waiting next = poll();
        if (next != null) {
            startOrSkip(next);
        }
    }

    private void startOrSkip(Waiting polled) {
        for (Waiting each = polled; each != null; each = poll()) {
            try {
                start(each);
                return;
            } catch (RuntimeException | Error e) {
                each.call.refused(e);
            }
        }
    }

    private void add(Waiting added) {
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
    }

    private synchronized @Nullable Waiting poll() {
        Waiting polled = first;
        running = polled != null;
        if (polled != null) {
            first = polled.next;
            last = first == null ? null : last;
        }
        return polled;
    }
}
