package io.dxnet.tools.bench;

import io.dxnet.DXNetException;
import io.dxnet.memory.Batch;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;

/** A region of this process that has a flaw from its fourth operation on. One thread. */
final class FlawedRegion implements RemoteRegion {
    enum Flaw {
        NONE,
        /** A read brings one wrong bit. */
        WRONG_BIT,
        /** A write or an addition is not carried out. */
        NOT_DONE,
        /** An addition is carried out twice. */
        DONE_TWICE,
        /** The owner has closed the region. */
        REVOKED
    }

    private static final int GOOD = 3;

    final MemorySegment segment;
    private final Flaw flaw;
    private int operations;

    FlawedRegion(long bytes, Flaw flaw) {
        this.segment = Arena.ofAuto().allocate(bytes, Long.BYTES);
        this.flaw = flaw;
    }

    private boolean has(Flaw one) {
        return flaw == one && operations > GOOD;
    }

    private void begin() throws DXNetException {
        operations++;
        if (has(Flaw.REVOKED)) {
            throw new RemoteMemoryException.RegionRevoked("revoked", RemoteMemoryException.Outcome.NOT_DONE);
        }
    }

    @Override
    public void read(long offset, MemorySegment target) throws DXNetException {
        read(offset, new MemorySegment[] {target});
    }

    @Override
    public void read(long offset, MemorySegment... targets) throws DXNetException {
        begin();
        targets[0].copyFrom(segment.asSlice(offset, targets[0].byteSize()));
        if (has(Flaw.WRONG_BIT)) {
            long last = targets[0].byteSize() - 1;
            targets[0].set(ValueLayout.JAVA_BYTE, last, (byte) (targets[0].get(ValueLayout.JAVA_BYTE, last) ^ 1));
        }
    }

    @Override
    public void write(long offset, MemorySegment source) throws DXNetException {
        write(offset, new MemorySegment[] {source});
    }

    @Override
    public void write(long offset, MemorySegment... sources) throws DXNetException {
        begin();
        if (!has(Flaw.NOT_DONE)) {
            segment.asSlice(offset).copyFrom(sources[0]);
        }
    }

    @Override
    public void writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException {
        write(offset, source);
    }

    @Override
    public long fetchAdd(long offset, long delta) throws DXNetException {
        begin();
        long old = segment.get(ValueLayout.JAVA_LONG, offset);
        long sum = has(Flaw.NOT_DONE) ? old : has(Flaw.DONE_TWICE) ? old + 2 * delta : old + delta;
        segment.set(ValueLayout.JAVA_LONG, offset, sum);
        return old;
    }

    @Override
    public int owner() {
        return 1;
    }

    @Override
    public String name() {
        return "flawed";
    }

    @Override
    public long length() {
        return segment.byteSize();
    }

    @Override
    public boolean isOneSided() {
        return false;
    }

    /** No chains. */
    @Override
    public Batch batch() {
        return null;
    }

    @Override
    public void close() {}

    @Override
    public CompletableFuture<Void> readAsync(long offset, MemorySegment... targets) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> writeAsync(long offset, MemorySegment... sources) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> writeAndNotifyAsync(long offset, MemorySegment source, int value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Long> fetchAddAsync(long offset, long delta) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long compareAndSwap(long offset, long expected, long value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Long> compareAndSwapAsync(long offset, long expected, long value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public VersionedRegion versioned(int recordBytes) {
        throw new UnsupportedOperationException();
    }
}
