package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.memory.Faults;
import io.dxnet.transport.memory.MemoryOperation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Registered memory of one access that small reads and writes, results of atomics, and memory that
 * cannot be registered are copied through: 128 slots of 256 bytes, as many as requests may be in
 * flight, 64 of 4 KiB, and, from the first time that one is needed, 8 of 64 KiB. Under the access'
 * lock.
 */
final class BounceSlots implements AutoCloseable {
    static final int SMALL_BYTES = 4 << 10;

    private static final int TINY_BYTES = 256;
    private static final int TINY_COUNT = 128;
    private static final int SMALL_COUNT = 64;
    private static final int LARGE_BYTES = 64 << 10;
    private static final int LARGE_COUNT = 8;
    private static final int FIRST_SMALL = TINY_COUNT;
    private static final int FIRST_LARGE = TINY_COUNT + SMALL_COUNT;
    private static final int FIRST_SMALL_OFFSET = TINY_COUNT * TINY_BYTES;

    private final ProtectionDomain domain;
    private final MemoryRegion small; // and tiny ones before them
    private MemoryRegion large; // null: not needed yet, or refused
    private boolean largeRefused; // there is a limit on locked memory
    private final int[] free = new int[FIRST_LARGE + LARGE_COUNT]; // tiny ones first, then small, then large ones
    private int tinyFree = TINY_COUNT;
    private int smallFree = SMALL_COUNT;
    private int largeFree = LARGE_COUNT;

    BounceSlots(ProtectionDomain domain) {
        this.domain = domain;
        this.small = domain.allocate(FIRST_SMALL_OFFSET + (long) SMALL_COUNT * SMALL_BYTES, Access.LOCAL_WRITE);
        for (int i = 0; i < free.length; i++) {
            free[i] = i;
        }
    }

    /** {@return how much of a number of bytes one slot holds} */
    int piece(long bytes) {
        return (int) Math.min(bytes, bytes > SMALL_BYTES && isLargeThere() ? LARGE_BYTES : SMALL_BYTES);
    }

    private boolean isLargeThere() {
        if (large == null && !largeRefused) {
            try {
                large = domain.allocate((long) LARGE_COUNT * LARGE_BYTES, Access.LOCAL_WRITE);
            } catch (VerbsException e) {
                largeRefused = true; // small ones do it too
            }
        }
        return large != null;
    }

    /** {@return a slot that holds as many bytes as {@link #piece} returned; -1: none is free} */
    int acquire(int bytes) {
        if (bytes > SMALL_BYTES) {
            return largeFree == 0 ? -1 : free[FIRST_LARGE + --largeFree];
        }
        if (bytes <= TINY_BYTES && tinyFree > 0) {
            return free[--tinyFree];
        }
        return smallFree == 0 ? -1 : free[FIRST_SMALL + --smallFree];
    }

    /** A negative number is none: then nothing is released. */
    void release(int slot) {
        if (slot < 0) {
            return;
        }
        if (slot < FIRST_SMALL) {
            free[tinyFree++] = slot;
        } else if (slot < FIRST_LARGE) {
            free[FIRST_SMALL + smallFree++] = slot;
        } else {
            free[FIRST_LARGE + largeFree++] = slot;
        }
    }

    MemoryRegion region(int slot) {
        return slot < FIRST_LARGE ? small : large;
    }

    long offset(int slot) {
        if (slot < FIRST_SMALL) {
            return (long) slot * TINY_BYTES;
        }
        return slot < FIRST_LARGE
                ? FIRST_SMALL_OFFSET + (long) (slot - FIRST_SMALL) * SMALL_BYTES
                : (long) (slot - FIRST_LARGE) * LARGE_BYTES;
    }

    void fill(int slot, MemorySegment from, long offset, int bytes) {
        copyFrom(from, offset, region(slot).memory(), offset(slot), bytes);
    }

    /**
     * Copies local memory, which may be of a mapped file.
     *
     * @throws InternalError if the file is shorter than it was
     */
    static void copyFrom(MemorySegment local, long offset, MemorySegment to, long at, int bytes) {
        MemorySegment.copy(local, offset, to, at, bytes);
        raiseFault(local);
    }

    /** Copies to local memory, as {@link #copyFrom} copies from it. */
    void copyTo(int slot, MemorySegment local, long offset, int bytes) {
        MemorySegment.copy(region(slot).memory(), offset(slot), local, offset, bytes);
        raiseFault(local);
    }

    /** Here, and not where this thread has begun something else. */
    private static void raiseFault(MemorySegment local) {
        if (local.isMapped()) {
            Faults.raise();
        }
    }

    /**
     * A copy has thrown an error.
     *
     * @throws InternalError where it is not of the local memory: the JVM may throw here what a
     *     thread has met before
     */
    static void checkFault(InternalError error, MemorySegment local) {
        if (!local.isMapped()) {
            throw error;
        }
    }

    /** Copies what the device has put into the slot of a piece that was carried out. */
    void deliver(Work work, Flight.Piece piece) {
        MemoryOperation operation = work.operation();
        switch (operation.kind()) {
            case FETCH_ADD, COMPARE_AND_SWAP -> work.result(result(piece.slot()));
            case READ -> {
                if (piece.slot() >= 0) {
                    copyTo(piece.slot(), operation.local(), piece.offset(), piece.bytes());
                }
            }
            case WRITE, NOTIFY -> {
                // nothing comes back
            }
        }
    }

    /** {@return what an atomic found, which the device writes in this host's byte order} */
    long result(int slot) {
        return region(slot).memory().get(ValueLayout.JAVA_LONG, offset(slot));
    }

    @Override
    public void close() {
        small.close();
        if (large != null) {
            large.close();
        }
    }
}
