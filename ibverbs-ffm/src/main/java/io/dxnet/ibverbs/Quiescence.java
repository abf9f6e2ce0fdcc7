package io.dxnet.ibverbs;

import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits until no thread is inside a call of the data path. A queue can thus be destroyed while
 * other threads poll it or post to it: they get an exception, and the JVM never uses a freed queue.
 *
 * <p>The fast side stores which queue it is about to call and then reads the queue's closed flag;
 * the closing side sets the flag and then reads the stores. That is Dekker's handshake, and it
 * needs a full fence on both sides (5 to 10 ns on the fast one). Here the closing side pays for
 * both: closing a shared arena makes the JVM synchronise with every thread. A thread that runs Java
 * answers at a safepoint poll, which orders its memory accesses; a thread inside a normal downcall
 * needs no answer, because its store was published before it left Java; a thread inside a critical
 * downcall answers when the call has ended. After that, a thread has either published its store, or
 * it reads the flag later and finds the queue closed.
 *
 * <p>The specification of {@link Arena} promises less: that no thread accesses the arena's own
 * memory once the close returns. That the close handshakes <em>every</em> thread, and of an
 * arena without any memory as well, is the implementation of OpenJDK since 22:
 * {@code SharedSession.justClose} calls {@code ScopedMemoryAccess.closeScope} without a
 * condition, whose documentation reads "initiates thread-local handshakes with all the other VM
 * threads, which are then stopped one by one", and which is {@code Handshake::execute} on all
 * threads ({@code src/hotspot/share/prims/scopedMemoryAccess.cpp}). A thread inside a critical
 * downcall stays in state {@code _thread_in_Java}, in which no other thread may answer for it
 * ({@code handshake.cpp}, {@code HandshakeState::possibly_can_process_handshake}).
 * {@link HandshakeCheck} tries this when the first device is opened.
 */
final class Quiescence {
    private static final List<WeakReference<CallSlot>> SLOTS = new ArrayList<>();
    private static int purgeAt = 64;

    private static final Object ROUND = new Object();
    /** Rounds that have begun; written under {@code ROUND}. */
    private static final AtomicLong BEGUN = new AtomicLong();

    private static long done; // the last round that was completed; under ROUND

    private static List<CallSlot> busy = List.of(); // of that round; under ROUND, never changed

    private Quiescence() {}

    static void register(CallSlot slot) {
        synchronized (SLOTS) {
            if (SLOTS.size() >= purgeAt) {
                SLOTS.removeIf(s -> s.refersTo(null));
                purgeAt = Math.max(64, 2 * SLOTS.size());
            }
            SLOTS.add(new WeakReference<>(slot));
        }
    }

    /**
     * Returns when no call with this queue is under way;
     * the queue's closed flag must be set already.
     */
    static void awaitUnused(long queue) {
        for (CallSlot slot : busySlots(Quiescence::synchroniseWithAllThreads)) {
            while (slot.busyWith() == queue) {
                Thread.yield();
            }
        }
    }

    /** Returns when each call under way at the start has ended, whatever its queue. */
    static void awaitAll() {
        for (CallSlot slot : busySlots(Quiescence::synchroniseWithAllThreads)) {
            while (slot.busyWith() != 0) {
                Thread.yield();
            }
        }
    }

    /**
     * Synchronises with all threads; then those with a call under
     * way. A thread that enters later finds the queue closed.
     *
     * <p>What costs is the number of threads and slots, not that of closed
     * queues: threads that come while a round is under way wait for it, and
     * then share the next one, which begins after all of them came. Where a
     * round fails, for want of memory for instance, the next of them begins anew.
     *
     * @param synchronise {@link #synchroniseWithAllThreads()}, but for tests
     */
    static List<CallSlot> busySlots(Runnable synchronise) {
        // A thread that begins a later round than the one seen here has to see the closed flag.
        VarHandle.fullFence();
        long wanted = BEGUN.get() + 1;
        synchronized (ROUND) {
            if (done < wanted) {
                long round = BEGUN.incrementAndGet();
                synchronise.run();
                busy = readSlots();
                done = round;
            }
            return busy;
        }
    }

    /**
     * Returns when each other thread has answered, which a
     * thread inside a critical downcall does after that.
     */
    @SuppressWarnings("try")
    static void synchroniseWithAllThreads() {
        Arena.ofShared().close();
    }

    private static List<CallSlot> readSlots() {
        List<CallSlot> found = new ArrayList<>();
        synchronized (SLOTS) {
            for (int i = 0; i < SLOTS.size(); i++) {
                CallSlot slot = SLOTS.get(i).get();
                if (slot != null && slot.busyWith() != 0) {
                    found.add(slot);
                }
            }
        }
        return found;
    }
}
