package io.dxnet.runtime.memory;

import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an application on a region of another node. One that is used again ends once in
 * each use.
 */
final class PostedOperation extends MemoryOperation {
    /** Receives the failures that a device reports. */
    interface DeviceFailures {
        void failed(PostedOperation operation, Outcome outcome, Cause cause, String detail);
    }

    private final Result result;
    private final int place;
    private final DeviceFailures failures;
    private final AtomicInteger uses = new AtomicInteger(); // even: it has not ended
    private Link link; // before it is posted, as the next
    private @Nullable Parts parts; // of the write of which it is one; null: it is a whole operation

    /**
     * Not posted yet.
     *
     * @param link where it is to be posted
     * @param place of what an atomic returns; otherwise -1
     */
    PostedOperation(
            Link link,
            Kind kind,
            long offset,
            MemorySegment local,
            long length,
            long value,
            long expected,
            boolean fenced,
            long deadlineNs,
            Result result,
            int place,
            DeviceFailures failures) {
        super(kind, offset, local, length, value, expected, fenced, deadlineNs);
        this.link = link;
        this.result = result;
        this.place = place;
        this.failures = failures;
    }

    /** Makes it another operation, not posted yet: after it was done. */
    void again(
            Link to, Kind kind, long offset, MemorySegment local, long length, long value, long expected, long timeNs) {
        link = to;
        reuse(kind, offset, local, length, value, expected, timeNs);
        uses.setRelease(uses.getPlain() + 1 & ~1); // the next even number
    }

    /** It has the deadline of the write before it. Before it is posted. */
    void deadline(long ns) {
        failAt(ns);
    }

    /** It is a part of a write, or a whole operation. Before it is posted. */
    void partOf(@Nullable Parts write) {
        parts = write;
    }

    /** {@return the use that it is in} */
    int use() {
        return uses.get();
    }

    private boolean ends(int use) {
        return (use & 1) == 0 && uses.compareAndSet(use, use + 1);
    }

    Link link() {
        return link;
    }

    /** Forgets the local memory: after it was done. */
    void forget() {
        reuse(Kind.READ, 0, MemorySegment.NULL, 0, 0, 0, 1);
    }

    @Override
    public boolean isAwaited() {
        return result.isAwaited();
    }

    @Override
    public void done(long previous) {
        done(uses.get(), previous);
    }

    /** It was carried out, unless it has ended in that use. */
    void done(int use, long previous) {
        if (ends(use)) {
            if (parts != null) {
                parts.done();
            }
            result.done(place, previous);
        }
    }

    @Override
    public void failed(Outcome outcome, Cause cause, String detail) {
        if (ends(uses.get())) {
            failures.failed(this, outcome, cause, detail);
        }
    }

    /** It failed; the reason is known. */
    void fail(Exception cause) {
        fail(uses.get(), cause);
    }

    /** It failed, unless it has ended in that use. */
    void fail(int use, Exception cause) {
        if (ends(use)) {
            explain(cause);
        }
    }

    /** The reason is known now, after {@link #failed}. */
    void explain(Exception cause) {
        if (parts != null) {
            parts.failed(cause);
        }
        result.failed(cause, parts);
    }
}
