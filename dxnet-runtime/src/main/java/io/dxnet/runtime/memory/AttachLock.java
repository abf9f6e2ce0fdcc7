package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Held by a thread that attaches to a region again, while it waits for the owner. Others wait for
 * it with a limit, and a handler handles meanwhile what that thread may wait for. Any thread.
 */
final class AttachLock {
    private static final long POLL_MS = 10;

    private final ReentrantLock lock = new ReentrantLock();

    /** Fails where the region has ended. */
    interface Check {
        void run() throws DXNetException;
    }

    /**
     * Waits for the lock.
     *
     * @param isOpen called while it waits
     * @throws DXNetException when the time is over, the region has ended, or the thread is
     *     interrupted
     */
    void lock(long timeoutNs, Failures failures, Check isOpen) throws DXNetException {
        EngineThread worker = EngineThread.currentWorker();
        long deadlineNs = System.nanoTime() + timeoutNs;
        for (int step = 0; !tryLock(worker); step++) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw failures.of(Cause.TIMEOUT, Outcome.NOT_DONE, "another thread has not attached to it again");
            }
            isOpen.run();
            if (worker != null) {
                worker.progressOrPause(step);
            }
        }
    }

    private boolean tryLock(@Nullable EngineThread worker) throws DXNetException {
        if (worker != null) {
            return lock.tryLock();
        }
        try {
            return lock.tryLock(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DXNetException("interrupted while another thread attaches to the region again");
        }
    }

    void unlock() {
        lock.unlock();
    }
}
