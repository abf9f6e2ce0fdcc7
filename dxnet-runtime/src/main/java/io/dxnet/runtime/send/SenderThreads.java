package io.dxnet.runtime.send;

import io.dxnet.runtime.thread.Counter;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All threads that send with an engine, and what they sent. Any thread.
 *
 * <p>A platform thread has counters of its own: counting is a plain addition. Its counters are
 * added up when the garbage collector found that the thread has ended, in constant time for each.
 * Virtual threads are too many and too short-lived for that: they share striped counters and
 * {@value Shared#EXPORTERS_MAX} exporters, and leave nothing behind.
 */
public final class SenderThreads {
    /** Counters of one platform thread; they outlive it. */
    static final class Sent {
        final Counter messages = new Counter();
        final Counter bytes = new Counter();
    }

    /**
     * What virtual threads share. A {@link SenderThread} refers to it: it must
     * not refer to the engine.
     */
    static final class Shared {
        /**
         * Exporters kept for virtual threads; more are made, and dropped,
         * while more threads export at once.
         */
        static final int EXPORTERS_MAX = 64;

        final LongAdder messages = new LongAdder();
        final LongAdder bytes = new LongAdder();
        private final AtomicReferenceArray<RingExporter> exporters = new AtomicReferenceArray<>(EXPORTERS_MAX);
        // Where the next free exporter lies; a race costs one.
        private final AtomicInteger kept = new AtomicInteger();
        private final Supplier<RingExporter> maker;

        Shared(Supplier<RingExporter> maker) {
            this.maker = maker;
        }

        /** An exporter that no other thread uses. The thread may be unmounted while it exports. */
        RingExporter takeExporter() {
            int at = kept.get();
            if (at > 0 && kept.compareAndSet(at, at - 1)) {
                RingExporter exporter = exporters.getAndSet(at - 1, null);
                if (exporter != null) {
                    return exporter;
                }
            }
            return maker.get();
        }

        void returnExporter(RingExporter exporter) {
            int at = kept.get();
            if (at < EXPORTERS_MAX && kept.compareAndSet(at, at + 1)) {
                exporters.set(at, exporter);
            }
        }
    }

    /** Threads that are found without a search of the thread's own variables; a power of two. */
    private static final int RECENT = 256;

    private static final class Entry extends WeakReference<SenderThread> {
        final Sent sent;

        Entry(SenderThread thread, Sent sent, ReferenceQueue<SenderThread> gone) {
            super(thread, gone);
            this.sent = sent;
        }
    }

    private final Shared shared;
    private final ConcurrentHashMap.KeySetView<Entry, Boolean> entries = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<SenderThread> gone = new ReferenceQueue<>();
    private final ThreadLocal<SenderThread> current = ThreadLocal.withInitial(this::register);

    /**
     * The platform threads that sent last, by their ids: each element is read by all threads and
     * used by the one whose id it has. A race costs that thread one more search.
     */
    private final @Nullable SenderThread[] recent = new SenderThread[RECENT];

    /** No thread has sent yet. */
    public SenderThreads() {
        this(RingExporter::new);
    }

    /** For tests: what makes the exporters of virtual threads. */
    SenderThreads(Supplier<RingExporter> exporters) {
        this.shared = new Shared(exporters);
    }

    /** {@return the current thread's record} Any thread. */
    public SenderThread current() {
        long id = Thread.currentThread().threadId();
        SenderThread thread = recent[(int) id & RECENT - 1];
        return thread != null && thread.id == id ? thread : search(id);
    }

    private SenderThread search(long id) {
        SenderThread thread = current.get();
        if (!thread.isVirtual()) {
            recent[(int) id & RECENT - 1] = thread;
        }
        return thread;
    }

    private SenderThread register() {
        if (Thread.currentThread().isVirtual()) {
            return new SenderThread(shared, null);
        }
        forgetEnded();
        addUpGone();
        Sent sent = new Sent();
        SenderThread thread = new SenderThread(shared, sent);
        entries.add(new Entry(thread, sent, gone));
        return thread;
    }

    /** Lets the garbage collector find the threads that have ended. */
    private void forgetEnded() {
        for (int i = 0; i < RECENT; i++) {
            SenderThread thread = recent[i];
            if (thread != null && thread.hasEnded()) {
                recent[i] = null;
            }
        }
    }

    private void addUpGone() {
        for (Reference<? extends SenderThread> each = gone.poll(); each != null; each = gone.poll()) {
            Entry entry = (Entry) each;
            // In this order a sum that is computed meanwhile counts the thread twice
            // rather than not at all.
            shared.messages.add(entry.sent.messages.get());
            shared.bytes.add(entry.sent.bytes.get());
            entries.remove(entry);
        }
    }

    /** Messages sent; a snapshot. */
    public long messages() {
        forgetEnded();
        long sum = 0;
        for (Entry entry : entries) {
            sum += entry.sent.messages.get();
        }
        return sum + shared.messages.sum(); // last: addUpGone() adds to it first
    }

    /** Bytes sent, headers included; a snapshot. */
    public long bytes() {
        long sum = 0;
        for (Entry entry : entries) {
            sum += entry.sent.bytes.get();
        }
        return sum + shared.bytes.sum(); // last: addUpGone() adds to it first
    }

    /** Threads with counters of their own; for tests. */
    public int registered() {
        forgetEnded();
        addUpGone();
        return entries.size();
    }
}
