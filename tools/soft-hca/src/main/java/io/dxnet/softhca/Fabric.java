package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.verbs_context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What all software devices of this JVM share. That is the tables of objects, the lock of the
 * control plane, the work that must wait until the calling thread holds no lock, and the timer.
 *
 * <p>Locks are acquired in this order, and no thread holds two of the same
 * kind: control, the requester half of a queue pair, the responder half of
 * a queue pair, receive queue, completion queue, event queue.
 */
final class Fabric {
    static final int MAX_QUEUE_PAIRS = 1 << 16;
    static final int MAX_COMPLETION_QUEUES = 1 << 14;
    static final int MAX_SHARED_RECEIVE_QUEUES = 1 << 12;
    static final int MAX_PROTECTION_DOMAINS = 1 << 12;
    static final int MAX_MEMORY_REGIONS = 1 << 16;
    static final int MAX_MEMORY_WINDOWS = 1 << 16;
    static final int MAX_ADDRESS_HANDLES = 1 << 16;

    static final ObjectTable<SoftContext> CONTEXTS =
            new ObjectTable<>(1 << 10, 1024, (int) verbs_context.context$offset());
    static final ObjectTable<SoftProtectionDomain> PROTECTION_DOMAINS =
            new ObjectTable<>(MAX_PROTECTION_DOMAINS, 32, 0);
    static final ObjectTable<SoftThreadDomain> THREAD_DOMAINS = new ObjectTable<>(1 << 10, 32, 0);
    static final ObjectTable<SoftMemoryRegion> MEMORY_REGIONS = new ObjectTable<>(MAX_MEMORY_REGIONS, 64, 0);
    static final ObjectTable<SoftMemoryWindow> MEMORY_WINDOWS = new ObjectTable<>(MAX_MEMORY_WINDOWS, 32, 0);
    static final ObjectTable<SoftChannel> CHANNELS = new ObjectTable<>(1 << 12, 32, 0);
    static final ObjectTable<SoftCompletionQueue> COMPLETION_QUEUES = new ObjectTable<>(MAX_COMPLETION_QUEUES, 512, 0);
    static final ObjectTable<SoftSharedReceiveQueue> SHARED_RECEIVE_QUEUES =
            new ObjectTable<>(MAX_SHARED_RECEIVE_QUEUES, 256, 0);
    static final ObjectTable<SoftQueuePair> QUEUE_PAIRS = new ObjectTable<>(MAX_QUEUE_PAIRS, 256, 0);
    static final ObjectTable<SoftAddressHandle> ADDRESS_HANDLES = new ObjectTable<>(MAX_ADDRESS_HANDLES, 32, 0);

    private static final ReentrantLock CONTROL = new ReentrantLock();
    private static final Held HELD = Fabric::releaseControl;

    private static final ConcurrentLinkedQueue<Runnable> DEFERRED = new ConcurrentLinkedQueue<>();

    /** Whether there may be deferred work: the data path reads this field alone. */
    private static volatile boolean deferred;

    private static final ScheduledThreadPoolExecutor TIMER = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "soft-hca-timer");
        thread.setDaemon(true);
        return thread;
    });

    /** The control lock, given back by {@code close}. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    private Fabric() {}

    /** Acquires the lock under which objects are created, changed and destroyed. */
    static Held control() {
        CONTROL.lock();
        return HELD;
    }

    private static void releaseControl() {
        CONTROL.unlock();
        if (!CONTROL.isHeldByCurrentThread()) {
            runDeferred();
        }
    }

    /** Lets {@code work} run on this thread as soon as it holds no lock of a queue. */
    static void defer(Runnable work) {
        DEFERRED.add(work);
        deferred = true;
    }

    /** Runs what was deferred. Called at the end of every verb, without any lock of a queue. */
    static void runDeferred() {
        if (deferred) {
            runAllDeferred();
        }
    }

    private static void runAllDeferred() {
        deferred = false;
        for (Runnable work = DEFERRED.poll(); work != null; work = DEFERRED.poll()) {
            work.run();
        }
    }

    /** Runs {@code work}, and then what it deferred, on the timer's thread. */
    static void schedule(Runnable work, long delayNs) {
        TIMER.schedule(
                () -> {
                    try {
                        work.run();
                        runDeferred();
                    } catch (Throwable thrown) {
                        Upcalls.report("timer", thrown);
                    }
                },
                Math.max(0, delayNs),
                TimeUnit.NANOSECONDS);
    }
}
