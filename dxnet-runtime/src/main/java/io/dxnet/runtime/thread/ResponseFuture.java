package io.dxnet.runtime.thread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of a response, and of what depends on it: a callback that waits for it
 * works on meanwhile, as it does in {@code sendSync}. Where the callback's thread is the
 * one that receives, no other thread could complete it. A thread of the application that waits for
 * it may work for it too, before it parks.
 */
public final class ResponseFuture<T> extends CompletableFuture<T> {
    /** What a thread of the application does for the future that it waits for. */
    public interface Help {
        /**
         * Works for the future, for the time that an idle thread polls before it parks.
         *
         * @param isOver whether the thread waits no longer, although the future is not done
         */
        void work(BooleanSupplier isOver);
    }

    private static final BooleanSupplier NEVER = () -> false;
    private static final BooleanSupplier INTERRUPTED =
            () -> Thread.currentThread().isInterrupted();

    private @Nullable Help help; // before the future is returned

    /** Sets what a thread that waits for it does. Before other threads have the future. */
    public void help(Help toCall) {
        help = toCall;
    }

    private void work(BooleanSupplier isOver) {
        Help toCall = help;
        if (toCall != null && !isDone()) {
            toCall.work(isOver);
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        ResponseFuture<U> dependent = new ResponseFuture<>();
        dependent.help = help;
        return dependent;
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        EngineThread own = EngineThread.currentWorker();
        if (own != null) {
            int step = own.firstStep();
            while (!isDone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                own.progressOrPause(step++);
            }
        } else {
            work(INTERRUPTED);
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        EngineThread own = EngineThread.currentWorker();
        long timeoutNs = Math.max(0, unit.toNanos(timeout));
        if (own == null && (help == null || timeoutNs == 0 || isDone())) {
            return super.get(timeout, unit);
        }
        long startNs = System.nanoTime();
        if (own == null) {
            work(() -> Thread.currentThread().isInterrupted() || System.nanoTime() - startNs >= timeoutNs);
            return super.get(startNs + timeoutNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        int step = own.firstStep();
        while (!isDone() && System.nanoTime() - startNs < timeoutNs) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            own.progressOrPause(step++);
        }
        return super.get(0, TimeUnit.NANOSECONDS);
    }

    @Override
    public T join() {
        EngineThread own = EngineThread.currentWorker();
        if (own != null) {
            int step = own.firstStep();
            while (!isDone()) {
                own.progressOrPause(step++);
            }
        } else {
            work(NEVER);
        }
        return super.join();
    }
}
