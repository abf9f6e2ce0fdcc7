package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;

/**
 * One operation that the calling thread waits for: used again by later ones, as long as it
 * succeeds, so that an operation of a device is without garbage. One thread at a time.
 */
final class BlockingOperation implements MemoryAccess.Awaited {
    private final AttachedRegion region;
    private final Result result;
    private final PostedOperation operation;
    private final MemoryOperation[] chain;
    private Link link; // before it is posted

    BlockingOperation(AttachedRegion region, Link link) {
        this.region = region;
        this.link = link;
        this.result = new Result(region.failures());
        int place = result.atomic();
        this.operation =
                new PostedOperation(link, Kind.READ, 0, MemorySegment.NULL, 0, 0, 0, false, 0, result, place, region);
        this.chain = new MemoryOperation[] {operation};
        result.begin(1);
        result.keep();
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
        operation.again(
                link,
                kind,
                offset,
                local,
                length,
                value,
                expected,
                region.service().timeNs(length));
        result.beginAgain();
        return chain;
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
