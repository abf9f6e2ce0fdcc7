package io.dxnet.runtime.thread;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of a response, and of what depends on it: a callback that waits for it
 * works on meanwhile, as it does in {@code sendSync}. Where the callback's thread is the
 * one that receives, no other thread could complete it.
 */
public final class ResponseFuture<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new ResponseFuture<>();
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
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        EngineThread own = EngineThread.currentWorker();
        if (own == null) {
            return super.get(timeout, unit);
        }
        long startNs = System.nanoTime();
        long timeoutNs = unit.toNanos(timeout);
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
        }
        return super.join();
    }
}
