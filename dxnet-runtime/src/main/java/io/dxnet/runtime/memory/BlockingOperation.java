package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;

/**
 * One operation of a device that the calling thread waits for, without garbage: used again by
 * later ones, as long as it succeeds. One thread at a time.
 */
final class BlockingOperation {
    private final AttachedRegion region;
    private final Result result;
    private final PostedOperation operation;
    private final MemoryOperation[] chain;

    BlockingOperation(AttachedRegion region, Link link) {
        this.region = region;
        this.result = new Result(region.failures());
        int place = result.atomic();
        this.operation =
                new PostedOperation(link, Kind.READ, 0, MemorySegment.NULL, 0, 0, 0, false, 0, result, place, region);
        this.chain = new MemoryOperation[] {operation};
        result.begin(1);
    }

    /**
     * Carries it out.
     *
     * @return of an atomic: what the 8 bytes were; otherwise 0
     */
    long execute(Link link, Kind kind, long offset, MemorySegment local, long length, long value, long expected)
            throws DXNetException {
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
        link.access().postAndPoll(result.polled(), chain);
        long deadlineNs = result.isDone() ? 0 : operation.deadlineNs();
        return result.await(region.service().strategies(), deadlineNs)[0];
    }

    /** Forgets the local memory. */
    void clear() {
        operation.forget();
    }
}
