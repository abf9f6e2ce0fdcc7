package io.dxnet.runtime.memory;

import io.dxnet.runtime.thread.Completions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Repeats a step, on one thread at a time. After a call of {@link #run}, the step is repeated until
 * it finds nothing to do: by that call, by another one that runs, or, when a call has made as many
 * steps as it may, by a completer thread. So no thread works without bound for others. Any thread.
 */
final class Pump extends Completions.Completion {
    private final BooleanSupplier step;
    private final int stepsMax;
    private final Completions completions;
    private final AtomicInteger calls = new AtomicInteger(); // of run, that one running call stands for
    private final AtomicBoolean isHandedOver = new AtomicBoolean(); // and the completer has not begun

    /**
     * Not running.
     *
     * @param step returns whether it found something to do
     * @param stepsMax of one call
     */
    Pump(BooleanSupplier step, int stepsMax, Completions completions) {
        this.step = step;
        this.stepsMax = stepsMax;
        this.completions = completions;
    }

    /** There may be something to do. */
    void run() {
        if (calls.getAndIncrement() != 0) {
            return;
        }
        boolean isLeft = true; // also where a step throws
        try {
            isLeft = repeat();
        } finally {
            if (isLeft) {
                // First: the completer may begin at once, and other threads need not wait for it.
                calls.set(0);
                handOver();
            }
        }
    }

    /** {@return whether something may be left to do; else this call has ended, and others begin} */
    private boolean repeat() {
        int seen = 1;
        for (int i = 0; i < stepsMax; i++) {
            if (!step.getAsBoolean()) {
                seen = calls.addAndGet(-seen);
                if (seen == 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private void handOver() {
        if (isHandedOver.compareAndSet(false, true)) {
            completions.handOver(this);
        }
    }

    /** Continues. A completer thread. */
    @Override
    public void complete() {
        isHandedOver.set(false);
        run();
    }

    @Override
    public String what() {
        return "operations on remote memory that wait to be sent";
    }
}
