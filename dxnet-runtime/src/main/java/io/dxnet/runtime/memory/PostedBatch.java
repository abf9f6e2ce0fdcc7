package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.Batch;
import io.dxnet.memory.Right;
import io.dxnet.runtime.thread.ResponseFuture;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A chain of operations on one region. One thread. */
final class PostedBatch implements Batch {
    private record Step(
            Kind kind,
            long offset,
            MemorySegment local,
            long length,
            long value,
            long expected,
            boolean fenced,
            @Nullable Parts parts) {}

    private final AttachedRegion region;
    private List<Step> steps = new ArrayList<>(2);
    private boolean fences; // the next one

    PostedBatch(AttachedRegion region) {
        this.region = region;
    }

    @Override
    public Batch read(long offset, MemorySegment... targets) throws DXNetException {
        for (MemorySegment each : targets) {
            checkTarget(each);
        }
        copies(Kind.READ, Right.READ, null, offset, targets);
        return this;
    }

    static void checkTarget(MemorySegment target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("a target of a read is read-only");
        }
    }

    @Override
    public Batch write(long offset, MemorySegment... sources) throws DXNetException {
        copies(Kind.WRITE, Right.WRITE, sources.length > 1 ? new Parts() : null, offset, sources);
        return this;
    }

    @Override
    public Batch writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException {
        Parts parts = new Parts();
        copies(Kind.WRITE, Right.WRITE, parts, offset, source);
        add(Kind.NOTIFY, offset, MemorySegment.NULL, source.byteSize(), value, 0, parts);
        return this;
    }

    @Override
    public Batch fetchAdd(long offset, long delta) throws DXNetException {
        atomic(Kind.FETCH_ADD, offset, delta, 0);
        return this;
    }

    @Override
    public Batch compareAndSwap(long offset, long expected, long value) throws DXNetException {
        atomic(Kind.COMPARE_AND_SWAP, offset, value, expected);
        return this;
    }

    private void copies(Kind kind, Right right, @Nullable Parts parts, long offset, MemorySegment... local)
            throws DXNetException {
        long length = 0;
        for (MemorySegment each : local) {
            length += each.byteSize();
        }
        region.check(right, offset, length);
        long at = offset;
        for (MemorySegment each : local) {
            add(kind, at, each, each.byteSize(), 0, 0, parts);
            at += each.byteSize();
        }
    }

    private void atomic(Kind kind, long offset, long value, long expected) throws DXNetException {
        region.checkAtomic(offset);
        add(kind, offset, MemorySegment.NULL, Long.BYTES, value, expected, null);
    }

    private void add(
            Kind kind,
            long offset,
            MemorySegment local,
            long length,
            long value,
            long expected,
            @Nullable Parts parts) {
        steps.add(new Step(kind, offset, local, length, value, expected, fences, parts));
        fences = false;
    }

    @Override
    public Batch fence() {
        fences = true;
        return this;
    }

    // ---------------------------------------------------------------- posting

    @Override
    public CompletableFuture<long[]> post() {
        for (Step each : steps) {
            if (!Segments.isShared(each.local)) {
                throw new IllegalArgumentException(
                        "a segment of an asynchronous operation is confined to a thread: use a shared arena");
            }
        }
        List<Step> posted = empty();
        ResponseFuture<long[]> future = new ResponseFuture<>();
        Result result = new Result(region.failures(), future, region.service().completions());
        try {
            Link link = region.link();
            MemoryOperation[] operations = operations(posted, link, result, deadlineNs(posted));
            future.help(isOver -> result.help(link.access(), isOver));
            if (operations.length == 0) {
                future.complete(new long[0]);
            } else {
                result.help(() -> link.access().post(operations));
            }
        } catch (DXNetException e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    @Override
    public long[] execute() throws DXNetException {
        if (steps.isEmpty()) {
            return new long[0];
        }
        List<Step> posted = empty();
        Link link = region.link();
        Result result = new Result(region.failures());
        long deadlineNs = deadlineNs(posted);
        MemoryOperation[] operations = operations(posted, link, result, deadlineNs);
        link.access().postAndPoll(result.polled(), operations);
        return result.await(region.service().strategies(), deadlineNs);
    }

    /** Returns the steps, which are not posted again, also where the post fails. */
    private List<Step> empty() {
        List<Step> posted = steps;
        steps = new ArrayList<>(2);
        fences = false;
        return posted;
    }

    private long deadlineNs(List<Step> posted) {
        long bytes = 0;
        for (Step each : posted) {
            bytes += each.length;
        }
        return System.nanoTime() + region.service().timeNs(bytes);
    }

    private MemoryOperation[] operations(List<Step> posted, Link link, Result result, long deadlineNs) {
        MemoryOperation[] operations = new MemoryOperation[posted.size()];
        for (int i = 0; i < operations.length; i++) {
            Step step = posted.get(i);
            boolean isAtomic = step.kind == Kind.FETCH_ADD || step.kind == Kind.COMPARE_AND_SWAP;
            PostedOperation operation = new PostedOperation(
                    link,
                    step.kind,
                    step.offset,
                    local(step, result),
                    step.length,
                    step.value,
                    step.expected,
                    step.fenced,
                    deadlineNs,
                    result,
                    isAtomic ? result.atomic() : -1,
                    region);
            operation.partOf(step.parts);
            operations[i] = operation;
        }
        result.begin(operations.length);
        return operations;
    }

    /** {@return the segment, or memory in its place that other threads can access} */
    private static MemorySegment local(Step step, Result result) {
        MemorySegment local = step.local;
        if (Segments.isShared(local)) {
            return local;
        }
        MemorySegment copy =
                Arena.ofAuto().allocate(Math.max(1, step.length), Long.BYTES).asSlice(0, step.length);
        if (step.kind == Kind.READ) {
            result.copyWhenDone(copy, local);
        } else {
            copy.copyFrom(local);
        }
        return copy;
    }

    @Override
    public void close() throws DXNetException {
        if (!steps.isEmpty()) {
            execute();
        }
    }
}
