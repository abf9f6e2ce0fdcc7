package io.dxnet.transport.ib.memory;

import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.System.Logger.Level;

/**
 * One operation on its way: how much of it is posted, and its result. Used again by later
 * operations. Under the access' lock, but for {@link #report}.
 */
final class Work {
    private static final System.Logger LOG = System.getLogger(Work.class.getName());

    private MemoryOperation operation;
    private Work next; // of a list of Works; null: none
    private Thread waiter; // null: none waits
    private LocalRegions.Lease lease; // null: it is copied through slots
    private long posted; // bytes; of what has none, 1
    private int inFlight; // pieces
    private boolean isTouched; // a piece was carried out
    private boolean isPosting; // a thread still posts pieces
    private boolean isEnded; // it will be reported
    private boolean isReported;
    private Outcome outcome;
    private Cause cause; // null: no failure
    private String detail;
    private long result;

    void begin(MemoryOperation next, Thread waits) {
        operation = next;
        waiter = waits;
        posted = 0;
        inFlight = 0;
        isTouched = false;
        isPosting = true;
        isEnded = false;
        isReported = false;
        cause = null;
        detail = null;
        result = 0;
    }

    /** {@return the one behind it in its list} */
    Work next() {
        return next;
    }

    void next(Work behind) {
        next = behind;
    }

    MemoryOperation operation() {
        return operation;
    }

    LocalRegions.Lease lease() {
        return lease;
    }

    void lease(LocalRegions.Lease value) {
        lease = value;
    }

    boolean copies() {
        return operation.kind() == Kind.READ || operation.kind() == Kind.WRITE;
    }

    long posted() {
        return posted;
    }

    /** {@return whether no more of it is to be posted} */
    boolean isPosted() {
        return cause != null || posted == (copies() ? operation.length() : 1);
    }

    /** A piece was put into the chain. */
    void added(long bytes) {
        posted += bytes;
        inFlight++;
    }

    /** The device refused to accept a piece: it is not in flight. */
    void refused(long bytes) {
        posted -= bytes;
        inFlight--;
    }

    /** A piece was carried out. */
    void arrived() {
        inFlight--;
        isTouched = true;
    }

    /** A piece that was in flight came to nothing. */
    void dropped() {
        inFlight--;
    }

    boolean isInFlight() {
        return inFlight > 0;
    }

    boolean isTouched() {
        return isTouched;
    }

    void result(long value) {
        result = value;
    }

    /** No thread posts pieces of it any more. */
    void postingEnds() {
        isPosting = false;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** {@return whether it was carried out, and the thread waits for it} */
    boolean isDoneFor(Thread thread) {
        return waiter == thread && cause == null;
    }

    /** {@return whether it has failed, or will when it ends} */
    boolean hasFailed() {
        return cause != null;
    }

    void end() {
        isEnded = true;
    }

    void failed(Outcome how, Cause why, String words) {
        abandon(how, why, words);
        isEnded = true;
    }

    /** It fails when it ends: no more of it is posted. */
    void abandon(Outcome how, Cause why, String words) {
        outcome = how;
        cause = why;
        detail = words;
    }

    /** It is not posted, because one before it failed. */
    void failedAs(Work before) {
        failed(Outcome.NOT_DONE, before.cause, "one before it failed: " + before.detail);
    }

    /** Completes the operation: once, without the lock where that calls back. */
    void report() {
        try {
            if (cause == null) {
                operation.done(result);
            } else {
                operation.failed(outcome, cause, detail);
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "the callback of a one-sided operation failed", e);
        }
    }

    void reported() {
        isReported = true;
    }

    /** {@return whether nothing refers to it, so that another operation may have it} */
    boolean isFree() {
        return isReported && !isPosting && inFlight == 0;
    }

    /** Forgets the operation. */
    void clear() {
        operation = null;
        waiter = null;
    }
}
