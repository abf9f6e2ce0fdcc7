package io.dxnet.runtime.handle;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * The deferred calls for one node's ordered messages: one after the other, each by its executor.
 * How many there are is bounded by the sender's flow-control window. Any thread.
 */
final class OrderedCalls {
    private record Waiting(DeferredCall call, Executor executor) {}

    private final Queue<Waiting> waiting = new ArrayDeque<>(); // under the monitor
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
                waiting.add(next);
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

    private void start(Waiting first) {
        first.executor.execute(() -> run(first));
    }

    /** Runs a call, and those after it that have the same executor. */
    private void run(Waiting first) {
        Waiting each = first;
        do {
            try {
                each.call.run();
            } finally {
                each = poll();
                if (each != null && each.executor != first.executor) {
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

    private void startOrSkip(Waiting first) {
        for (Waiting each = first; each != null; each = poll()) {
            try {
                start(each);
                return;
            } catch (RuntimeException | Error e) {
                each.call.refused(e);
            }
        }
    }

    private synchronized Waiting poll() {
        Waiting next = waiting.poll();
        running = next != null;
        return next;
    }
}
