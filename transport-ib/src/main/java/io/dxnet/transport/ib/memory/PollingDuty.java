package io.dxnet.transport.ib.memory;

/**
 * Which thread processes the completions of an access: the memory thread, or one that waits. Under
 * the access' lock; any thread may ask without it what it is itself, and whether the memory thread
 * is to process.
 *
 * <pre>
 *                    begin                        leave
 *   the memory thread ----&gt; a thread that waits ----------&gt; the same, absent
 *          ^                   |           ^                  |       |
 *          +------- end -------+           +----- begin ------+       |
 *          +------- endAbsence, or a millisecond later ---------------+
 * </pre>
 *
 * <p>Any thread that waits may begin while another one is absent.
 */
final class PollingDuty {
    /** How long a thread that processes may be absent between two waits. */
    static final long ABSENCE_NS = 1_000_000;

    private volatile Thread poller; // null: the memory thread, or the absent one
    private volatile Thread absent; // null: none
    private long absentUntilNs;
    private boolean isWanted; // a thread waits that does not process

    /** {@return whether no thread that waits processes} */
    boolean isFree() {
        return poller == null;
    }

    /** {@return whether the memory thread is to process} */
    boolean isMemoryThreads() {
        return poller == null && absent == null;
    }

    /** {@return whether the calling thread processes} */
    boolean isPoller() {
        return poller == Thread.currentThread();
    }

    /** {@return whether the calling thread has processed, and is expected to do so again} */
    boolean isAbsent() {
        return absent == Thread.currentThread();
    }

    /** The calling thread processes, until {@link #end} or {@link #leave}. */
    void begin() {
        poller = Thread.currentThread();
        isWanted = false;
        endAbsence();
    }

    /** The calling thread waits, and does not process. */
    void want() {
        isWanted = true;
    }

    /** {@return whether another thread waits, as far as is known} */
    boolean isWanted() {
        return isWanted;
    }

    /** The calling thread processes no more. */
    void end() {
        poller = null;
        isWanted = false;
    }

    /**
     * The calling thread will process again.
     *
     * @return until when it may be absent, {@link System#nanoTime}
     */
    long leave() {
        end();
        absent = Thread.currentThread();
        absentUntilNs = System.nanoTime() + ABSENCE_NS;
        return absentUntilNs;
    }

    /** The absent thread is not waited for any longer. */
    void endAbsence() {
        if (absent != null) {
            absent = null;
        }
    }

    /** Ends an absence that is over. */
    void timePassed(long nowNs) {
        if (absent != null && nowNs - absentUntilNs >= 0) {
            absent = null;
        }
    }

    /** {@return the end of an absence, at most the limit} */
    long limit(long limitNs) {
        return absent != null && absentUntilNs - limitNs < 0 ? absentUntilNs : limitNs;
    }
}
