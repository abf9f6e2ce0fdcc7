package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The way to a region of another node. Any thread. */
final class Link implements MemoryAccess.Source {
    private final MemoryAccess access;
    private @Nullable Spares<BlockingOperation> operations; // of its region, before it is used
    private final long attachment;
    private final long region;
    private final long length;
    private final Set<Right> rights;
    private final int rightBits; // the same, by ordinal
    private volatile boolean broken;

    /**
     * A way that is open.
     *
     * @param attachment its number at the owner
     * @param region the region's number in the owner's incarnation
     */
    Link(MemoryAccess access, long attachment, long region, long length, Set<Right> rights) {
        this.access = access;
        this.attachment = attachment;
        this.region = region;
        this.length = length;
        this.rights = rights;
        int bits = 0;
        for (Right each : rights) {
            bits |= 1 << each.ordinal();
        }
        this.rightBits = bits;
    }

    /** A region uses it, whose operations these are. Before all operations. */
    void serve(Spares<BlockingOperation> ofRegion) {
        operations = ofRegion;
    }

    @Override
    @SuppressWarnings("NullAway") // a region uses it
    public BlockingOperation acquire() {
        BlockingOperation operation = operations.acquire();
        operation.on(this);
        return operation;
    }

    /** Not one that failed: its failure may still be explained. */
    @SuppressWarnings("NullAway") // as above
    private void release(BlockingOperation operation) {
        operation.clear();
        operations.release(operation);
    }

    /** Reads or writes; the calling thread waits. */
    void move(Kind kind, long offset, MemorySegment local) throws DXNetException {
        BlockingOperation posted = (BlockingOperation) access.move(kind, offset, local, local.byteSize(), this);
        if (posted != null) {
            posted.await();
            release(posted);
        }
    }

    /** Writes, and notifies the owner's listener of that; the calling thread waits. */
    void writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException {
        BlockingOperation operation = acquire();
        operation.writeAndNotify(offset, source, value);
        release(operation);
    }

    /**
     * Carries an atomic out; the calling thread waits.
     *
     * @return what the 8 bytes were
     */
    long atomic(Kind kind, long offset, long value, long expected) throws DXNetException {
        BlockingOperation operation = acquire();
        long previous = operation.execute(kind, offset, value, expected);
        release(operation);
        return previous;
    }

    MemoryAccess access() {
        return access;
    }

    long attachment() {
        return attachment;
    }

    long region() {
        return region;
    }

    long length() {
        return length;
    }

    Set<Right> rights() {
        return rights;
    }

    boolean has(Right right) {
        return (rightBits >> right.ordinal() & 1) != 0;
    }

    boolean isOneSided() {
        return !(access instanceof CarriedAccess);
    }

    /** Its device failed: no more operations are to be posted to it. */
    void markBroken() {
        broken = true;
    }

    boolean isBroken() {
        return broken;
    }

    /** Ends the device's way: what is in flight there fails; the owner answers the rest. */
    void endDevice() {
        switch (access) {
            case CarriedAccess messages -> {
                // no device
            }
            case MixedAccess mixed -> mixed.endDevice();
            default -> access.close();
        }
    }
}
