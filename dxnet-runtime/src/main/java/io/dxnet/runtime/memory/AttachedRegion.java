package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.Batch;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.VersionedRegion;
import io.dxnet.runtime.thread.ResponseFuture;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A region of another node: checks operations, and posts them to the way that leads there. Any
 * thread.
 */
final class AttachedRegion implements RemoteRegion, PostedOperation.DeviceFailures {
    private final MemoryService service;
    private final Failures failures;
    private volatile Link link; // changed under lock and monitor: an operation replaces a broken one
    private final AttachLock attaching = new AttachLock();
    private final Spares<BlockingOperation> blocking = new Spares<>(() -> new BlockingOperation(this, link));
    private volatile boolean revoked;
    private volatile boolean closed; // changed under the monitor

    AttachedRegion(MemoryService service, Failures failures, Link link) {
        this.service = service;
        this.failures = failures;
        link.serve(blocking);
        this.link = link;
    }

    Failures failures() {
        return failures;
    }

    long attachment() {
        return link.attachment();
    }

    MemoryService service() {
        return service;
    }

    @Override
    public int owner() {
        return failures.owner();
    }

    @Override
    public String name() {
        return failures.name();
    }

    @Override
    public long length() {
        return link.length();
    }

    @Override
    public boolean isOneSided() {
        return link.isOneSided();
    }

    // ---------------------------------------------------------------- operations

    @Override
    public void read(long offset, MemorySegment target) throws DXNetException {
        Link to = linkFor(target);
        if (to == null) {
            sync(chain -> chain.read(offset, target));
        } else {
            PostedBatch.checkTarget(target);
            check(Right.READ, offset, target.byteSize());
            to.move(Kind.READ, offset, target);
        }
    }

    @Override
    public void read(long offset, MemorySegment... targets) throws DXNetException {
        if (targets.length == 1) {
            read(offset, targets[0]);
            return;
        }
        sync(chain -> chain.read(offset, targets));
    }

    @Override
    public CompletableFuture<Void> readAsync(long offset, MemorySegment... targets) {
        return async(chain -> chain.read(offset, targets)).thenApply(nothing -> null);
    }

    @Override
    public void write(long offset, MemorySegment source) throws DXNetException {
        Link to = linkFor(source);
        if (to == null) {
            sync(chain -> chain.write(offset, source));
        } else {
            check(Right.WRITE, offset, source.byteSize());
            to.move(Kind.WRITE, offset, source);
        }
    }

    @Override
    public void write(long offset, MemorySegment... sources) throws DXNetException {
        if (sources.length == 1) {
            write(offset, sources[0]);
            return;
        }
        sync(chain -> chain.write(offset, sources));
    }

    @Override
    public CompletableFuture<Void> writeAsync(long offset, MemorySegment... sources) {
        return async(chain -> chain.write(offset, sources)).thenApply(nothing -> null);
    }

    @Override
    public void writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException {
        Link to = linkFor(source);
        if (to == null) {
            sync(chain -> chain.writeAndNotify(offset, source, value));
        } else {
            check(Right.WRITE, offset, source.byteSize());
            to.writeAndNotify(offset, source, value);
        }
    }

    @Override
    public CompletableFuture<Void> writeAndNotifyAsync(long offset, MemorySegment source, int value) {
        return async(chain -> chain.writeAndNotify(offset, source, value)).thenApply(nothing -> null);
    }

    @Override
    public long fetchAdd(long offset, long delta) throws DXNetException {
        Link to = link();
        checkAtomic(offset);
        return to.atomic(Kind.FETCH_ADD, offset, delta, 0);
    }

    @Override
    public CompletableFuture<Long> fetchAddAsync(long offset, long delta) {
        return async(chain -> chain.fetchAdd(offset, delta)).thenApply(previous -> previous[0]);
    }

    @Override
    public long compareAndSwap(long offset, long expected, long value) throws DXNetException {
        Link to = link();
        checkAtomic(offset);
        return to.atomic(Kind.COMPARE_AND_SWAP, offset, value, expected);
    }

    @Override
    public CompletableFuture<Long> compareAndSwapAsync(long offset, long expected, long value) {
        return async(chain -> chain.compareAndSwap(offset, expected, value)).thenApply(previous -> previous[0]);
    }

    @Override
    public Batch batch() {
        return new PostedBatch(this);
    }

    @Override
    public VersionedRegion versioned(int recordBytes) {
        return new RemoteRecords(this, recordBytes, service.timeoutNs());
    }

    /** Adds operations to a batch. */
    private interface Adding {
        void to(PostedBatch batch) throws DXNetException;
    }

    private long[] sync(Adding adding) throws DXNetException {
        PostedBatch batch = new PostedBatch(this);
        adding.to(batch);
        return batch.execute();
    }

    /**
     * {@return the way to the region, for an operation of one segment; null: the segment is
     * confined to a thread}
     */
    private @Nullable Link linkFor(MemorySegment local) throws DXNetException {
        Link to = link();
        return Segments.isShared(local) ? to : null;
    }

    private CompletableFuture<long[]> async(Adding adding) {
        PostedBatch batch = new PostedBatch(this);
        try {
            adding.to(batch);
        } catch (DXNetException e) {
            CompletableFuture<long[]> failed = new ResponseFuture<>();
            failed.completeExceptionally(e);
            return failed;
        }
        return batch.post();
    }

    // ---------------------------------------------------------------- checks

    /** Fails where this node knows that the owner will refuse. */
    void check(Right right, long offset, long length) throws RemoteMemoryException {
        Link to = link;
        if (!to.has(right)) {
            throw new RemoteMemoryException.NoRight("this node has no right to " + right + " in region " + name()
                    + " of node " + owner() + ": it has " + to.rights());
        }
        if (offset < 0 || length < 0 || length > to.length() - offset) {
            throw new RemoteMemoryException.OutOfBounds(length + " bytes at " + offset + " are not in region " + name()
                    + " of node " + owner() + ", which has " + to.length());
        }
    }

    /** Fails where an atomic cannot be at an offset. */
    void checkAtomic(long offset) throws RemoteMemoryException {
        if (!Segments.isAligned(offset)) {
            throw new IllegalArgumentException("an atomic at " + offset + ": its offset must be a multiple of 8");
        }
        check(Right.ATOMIC, offset, Long.BYTES);
    }

    /**
     * {@return the way to the region, where there is one; it is made anew where a device's broke}
     *
     * @throws DXNetException when the region is revoked, detached, or its owner is gone
     */
    Link link() throws DXNetException {
        checkOpen();
        Link to = link;
        return to.isBroken() ? attachAgain() : to;
    }

    private void checkOpen() throws RemoteMemoryException {
        if (revoked) {
            throw failures.of(Status.REVOKED);
        }
        if (closed) {
            throw failures.of(Cause.CLOSED, Outcome.NOT_DONE, "it was detached");
        }
    }

    private Link attachAgain() throws DXNetException {
        attaching.lock(service.timeoutNs(), failures, this::checkOpen);
        try {
            checkOpen(); // again: while this thread waited for the lock, another one may have closed it
            Link before = link;
            return before.isBroken() ? replace(before) : before;
        } finally {
            attaching.unlock();
        }
    }

    private Link replace(Link before) throws DXNetException {
        Link next = linkAgain(before);
        next.serve(blocking);
        boolean isSame = next.region() == before.region();
        boolean isUsed;
        synchronized (this) { // a callback on this thread may have closed the region, or replaced the link
            isUsed = isSame && !revoked && !closed && link == before;
            if (isUsed) {
                link = next;
                service.moved(this, before.attachment(), next.attachment());
            }
        }
        if (!isUsed) {
            next.access().close();
            service.detach(owner(), next.attachment());
            checkOpen();
            if (isSame) {
                return link;
            }
            throw new RemoteMemoryException.OwnerGone(
                    "node " + owner() + " shares another region " + name()
                            + " now, perhaps as another incarnation: attach again",
                    Outcome.NOT_DONE);
        }
        before.access().close();
        service.detach(owner(), before.attachment());
        if (revoked) { // after the check above: revoke() may have ended the device's access before this one
            endDevice(next);
            throw failures.of(Status.REVOKED);
        }
        return next;
    }

    /** A device may refuse before the owner's word of a revocation is here. */
    private Link linkAgain(Link before) throws DXNetException {
        try {
            return service.link(failures);
        } catch (RemoteMemoryException.NoSuchRegion e) {
            if (isRevoked(before)) {
                revoke();
                throw failures.of(Status.REVOKED);
            }
            throw e;
        }
    }

    private boolean isRevoked(Link before) {
        try {
            return service.status(owner(), before.attachment()) == Status.REVOKED;
        } catch (DXNetException | RuntimeException e) {
            return false; // not known: there is no such region, in any case
        }
    }

    // ---------------------------------------------------------------- ends

    /**
     * The owner has closed the region. A device gets no answer from there any more, and would retry
     * what is in flight until its retries are used up: its access ends now.
     */
    void revoke() {
        revoked = true;
        endDevice(link);
    }

    /** The owner was lost: the next operation makes another way, where there is one. */
    void ownerLost() {
        Link last = link;
        if (last.isOneSided()) {
            last.markBroken();
            endDevice(last);
        }
    }

    private void endDevice(Link last) {
        if (last.isOneSided()) {
            service.later(last::endDevice);
        }
    }

    @Override
    public void failed(PostedOperation operation, Outcome outcome, Cause cause, String detail) {
        if (cause != Cause.LOCAL) {
            operation.link().markBroken(); // another thread may have replaced it already
        }
        Outcome known = operation.kind() == Kind.READ ? Outcome.NOT_DONE : outcome;
        if (revoked) {
            operation.explain(new RemoteMemoryException.RegionRevoked(
                    "region " + name() + " of node " + owner() + " was closed by its owner", known));
        } else if (cause == Cause.REFUSED) {
            // The device reports no reason, and this thread must not wait for the owner's answer.
            service.later(() -> operation.explain(reason(known, detail)));
        } else {
            operation.explain(failures.of(cause, known, detail));
        }
    }

    private Exception reason(Outcome outcome, String detail) {
        Status status;
        try {
            status = service.status(owner(), link.attachment());
        } catch (DXNetException | RuntimeException e) {
            return failures.of(e, outcome);
        }
        if (status == Status.REVOKED) {
            revoke();
        }
        Exception refusal =
                status == Status.OK ? failures.of(Cause.REFUSED, Outcome.NOT_DONE, detail) : failures.of(status);
        return outcome == Outcome.NOT_DONE ? refusal : Failures.partly(refusal);
    }

    @Override
    public void close() {
        @Nullable Link last;
        synchronized (this) {
            last = closed ? null : link;
            closed = true;
        }
        if (last != null) {
            last.access().close();
            service.closed(this, last.attachment());
        }
    }
}
