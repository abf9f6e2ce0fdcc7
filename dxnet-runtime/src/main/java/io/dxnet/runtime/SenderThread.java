package io.dxnet.runtime;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What the engine keeps for each thread that sends: its exporter and its counters. */
final class SenderThread {
    /** Counters of one thread; they outlive it. */
    static final class Sent {
        final Counter messages = new Counter();
        final Counter bytes = new Counter();
    }

    /** All sender threads of an engine. */
    static final class Registry {
        private record Entry(WeakReference<SenderThread> thread, Sent sent) {}

        private final RingExporter.Regions regions;
        private final List<Entry> entries = new ArrayList<>();
        private final ThreadLocal<SenderThread> current = ThreadLocal.withInitial(this::register);
        private long messagesOfGone;
        private long bytesOfGone;

        Registry(RingExporter.Regions regions) {
            this.regions = regions;
        }

        SenderThread current() {
            return current.get();
        }

        private synchronized SenderThread register() {
            fold();
            SenderThread thread = new SenderThread(regions);
            entries.add(new Entry(new WeakReference<>(thread), thread.sent));
            return thread;
        }

        private void fold() {
            for (Iterator<Entry> i = entries.iterator(); i.hasNext(); ) {
                Entry entry = i.next();
                if (entry.thread.refersTo(null)) {
                    messagesOfGone += entry.sent.messages.get();
                    bytesOfGone += entry.sent.bytes.get();
                    i.remove();
                }
            }
        }

        synchronized long messages() {
            long sum = messagesOfGone;
            for (Entry entry : entries) {
                sum += entry.sent.messages.get();
            }
            return sum;
        }

        synchronized long bytes() {
            long sum = bytesOfGone;
            for (Entry entry : entries) {
                sum += entry.sent.bytes.get();
            }
            return sum;
        }
    }

    final Sent sent = new Sent();

    /** The thread, when it is one of an engine: it must not wait for a peer, and goes on with its own work while it waits. */
    final EngineThread engineThread = Thread.currentThread() instanceof EngineThread thread ? thread : null;

    /** The connection into which this thread streams a message right now. */
    PeerConnection streaming;

    /** A connection with messages that this thread has not signalled yet: see {@link Sender#flush}. */
    PeerConnection unsignalled;

    private final RingExporter.Regions regions;
    private final RingExporter exporter;
    private final BlockedSender wait = new BlockedSender();
    private boolean exporting;
    private boolean waiting;

    private SenderThread(RingExporter.Regions regions) {
        this.regions = regions;
        this.exporter = new RingExporter(regions);
    }

    /** The thread's exporter; another one where a message is sent from inside {@code exportObject}. */
    RingExporter borrowExporter() {
        if (exporting) {
            return new RingExporter(regions);
        }
        exporting = true;
        return exporter;
    }

    void returnExporter(RingExporter borrowed) {
        if (borrowed == exporter) {
            exporting = false;
        }
    }

    /** The thread's record of a wait; another one where a callback waits inside a wait. */
    BlockedSender borrowWait() {
        if (waiting) {
            return new BlockedSender();
        }
        waiting = true;
        return wait;
    }

    void returnWait(BlockedSender borrowed) {
        if (borrowed == wait) {
            waiting = false;
        }
    }
}
