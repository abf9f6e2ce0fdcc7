package io.dxnet.transport.shm;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.memory.AtomicWord;
import io.dxnet.transport.memory.Faults;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Access to memory of another process that this one has mapped: the posting thread carries
 * operations out, behind the gate of its attachment. Any thread.
 *
 * <p>Memory of a process that was killed stays mapped, so at most every 100 ms an operation checks
 * that the owner's process runs.
 */
final class ShmAccess implements MemoryAccess {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** An owner that closes a region waits for no longer copy. */
    private static final long PIECE_BYTES = 1 << 20;

    private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(10);

    private record Failure(Cause cause, String detail) {}

    private final RingFolder folder;
    private final ProcessIdentity process;
    private final int owner;
    private final Consumer<ShmAccess> closed;
    private MappedPages pages; // null until it is open; set before all operations
    private boolean isUnmapped; // under the monitor
    private volatile boolean isClosed;
    private volatile boolean isOwnerGone;
    private volatile long checkedNs;

    ShmAccess(RingFolder folder, ProcessIdentity process, int owner, Consumer<ShmAccess> closed) {
        this.folder = folder;
        this.process = process;
        this.owner = owner;
        this.closed = closed;
    }

    @Override
    public byte[] request() {
        return process.encode();
    }

    @Override
    public boolean notifies() {
        return false;
    }

    @Override
    public void open(byte[] reply) throws DXNetException {
        try {
            PageGrant grant = PageGrant.decode(reply);
            synchronized (this) {
                if (isClosed) {
                    throw new IOException("it was closed");
                }
                checkedNs = System.nanoTime();
                pages = folder.mapPages(grant);
            }
        } catch (IOException e) {
            throw new DXNetException("no access to memory of node " + owner + ": " + Channels.describe(e), e);
        }
    }

    @Override
    public void post(MemoryOperation... operations) {
        checkOwner();
        Failure failure = null;
        for (MemoryOperation each : operations) {
            if (failure == null) {
                failure = carryOut(each);
            } else {
                each.failed(Outcome.NOT_DONE, failure.cause, "one before it failed: " + failure.detail);
            }
        }
    }

    private void checkOwner() {
        long nowNs = System.nanoTime();
        if (nowNs - checkedNs >= CHECK_NS) {
            checkedNs = nowNs;
            if (!pages.isOwnerAlive()) {
                isOwnerGone = true;
            }
        }
    }

    private Failure refusal() {
        return new Failure(isClosed ? Cause.CLOSED : isOwnerGone ? Cause.LOST : Cause.REFUSED, "the memory is closed");
    }

    /** {@return why it failed; null: it did not} */
    private Failure carryOut(MemoryOperation operation) {
        long done = 0;
        long previous = 0;
        try {
            do {
                if (!enter()) {
                    return fail(operation, done > 0, refusal());
                }
                try {
                    long bytes = Math.min(PIECE_BYTES, operation.length() - done);
                    previous = carryOut(operation, done, bytes);
                    done += bytes;
                } finally {
                    exit();
                }
            } while (done < operation.length());
        } catch (RuntimeException e) { // the local segment's arena was closed, or it is read-only
            return fail(
                    operation,
                    true,
                    isClosed
                            ? refusal()
                            : new Failure(Cause.LOCAL, "its local memory is not accessible: " + e.getMessage()));
        } catch (InternalError e) { // a fault: the owner's file is shorter than it was
            return fail(operation, true, new Failure(Cause.LOST, "the memory of its process is gone"));
        }
        operation.done(previous);
        return null;
    }

    /** Its gate is in the same file. */
    private boolean enter() {
        try {
            return !isClosed && !isOwnerGone && pages.gate().enter();
        } catch (IllegalStateException e) { // it was closed and unmapped meanwhile
            return false;
        } finally {
            Faults.raise();
        }
    }

    private void exit() {
        try {
            pages.gate().exit();
        } catch (IllegalStateException e) {
            // It was counted out: a thread that found none inside has unmapped the gate since.
        } finally {
            Faults.raise(); // also of the copy
        }
    }

    private static Failure fail(MemoryOperation operation, boolean isBegun, Failure why) {
        operation.failed(isBegun ? Outcome.UNKNOWN : Outcome.NOT_DONE, why.cause, why.detail);
        return why;
    }

    private long carryOut(MemoryOperation operation, long at, long bytes) {
        MemorySegment region = pages.region();
        long offset = operation.offset() + at;
        return switch (operation.kind()) {
            case READ -> {
                MemorySegment.copy(region, offset, operation.local(), at, bytes);
                yield 0;
            }
            case WRITE -> {
                MemorySegment.copy(operation.local(), at, region, offset, bytes);
                yield 0;
            }
            case FETCH_ADD -> (long) LONG.getAndAdd(region, offset, operation.value());
            case COMPARE_AND_SWAP -> AtomicWord.compareAndSwap(region, offset, operation.expected(), operation.value());
            case NOTIFY -> throw new IllegalArgumentException("messages carry notifications");
        };
    }

    /** Waits for the threads inside: their operations are carried out. */
    @Override
    public void close() {
        isClosed = true;
        closed.accept(this);
        synchronized (this) {
            if (pages != null && !isUnmapped) {
                pages.gate().close();
                isUnmapped = pages.gate().awaitEmpty(CLOSE_NS);
                if (isUnmapped) {
                    pages.close();
                }
            }
        }
    }
}
