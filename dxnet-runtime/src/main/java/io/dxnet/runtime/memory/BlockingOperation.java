package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;

/**
 * One operation that the calling thread waits for, which may be a write that notifies: used again
 * by later ones, as long as it succeeds, so that they are without garbage. One thread at a time.
 */
final class BlockingOperation implements MemoryAccess.Awaited {
    private final AttachedRegion region;
    private final Result result;
    private final PostedOperation operation;
    private final PostedOperation notification;
    private final MemoryOperation[] chain;
    private final MemoryOperation[] notifyingChain;
    private final Parts parts = new Parts(); // of a write that notifies
    private Link link; // before it is posted

    BlockingOperation(AttachedRegion region, Link link) {
        this.region = region;
        this.link = link;
        this.result = new Result(region.failures());
        this.operation = operation(Kind.READ, result.atomic());
        this.notification = operation(Kind.NOTIFY, -1);
        this.notification.partOf(parts);
        this.chain = new MemoryOperation[] {operation};
        this.notifyingChain = new MemoryOperation[] {operation, notification};
        result.begin(1);
        result.keep();
    }

    private PostedOperation operation(Kind kind, int place) {
        return new PostedOperation(link, kind, 0, MemorySegment.NULL, 0, 0, 0, false, 0, result, place, region);
    }

    /** Operations are posted to this way from now on. */
    void on(Link next) {
        link = next;
    }

    @Override
    public MemoryOperation[] begin(Kind kind, long offset, MemorySegment local, long length) {
        return begin(kind, offset, local, length, 0, 0);
    }

    private MemoryOperation[] begin(
            Kind kind, long offset, MemorySegment local, long length, long value, long expected) {
        beginOne(operation, kind, offset, local, length, value, expected);
        operation.partOf(null);
        result.beginAgain(1);
        return chain;
    }

    private void beginOne(
            PostedOperation one, Kind kind, long offset, MemorySegment local, long length, long value, long expected) {
        one.again(
                link,
                kind,
                offset,
                local,
                length,
                value,
                expected,
                region.service().timeNs(length));
    }

    @Override
    public MemoryAccess.Pending pending() {
        return result.polled();
    }

    /**
     * Carries an atomic out.
     *
     * @return what the 8 bytes were
     */
    long execute(Kind kind, long offset, long value, long expected) throws DXNetException {
        begin(kind, offset, MemorySegment.NULL, Long.BYTES, value, expected);
        link.access().postAndPoll(pending(), chain);
        return await();
    }

    /** Writes, and notifies the owner's listener of that. */
    void writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException {
        long length = source.byteSize();
        parts.begin();
        beginOne(operation, Kind.WRITE, offset, source, length, 0, 0);
        operation.partOf(parts);
        beginOne(notification, Kind.NOTIFY, offset, MemorySegment.NULL, length, value, 0);
        notification.deadline(operation.deadlineNs());
        result.beginAgain(2);
        link.access().postAndPoll(pending(), notifyingChain);
        await();
    }

    /**
     * Waits until it is carried out.
     *
     * @return of an atomic: what the 8 bytes were; otherwise 0
     */
    long await() throws DXNetException {
        long deadlineNs = result.isDone() ? 0 : operation.deadlineNs();
        return result.await(region.service().strategies(), deadlineNs)[0];
    }

    /** Forgets the local memory. */
    void clear() {
        operation.forget();
    }
}
