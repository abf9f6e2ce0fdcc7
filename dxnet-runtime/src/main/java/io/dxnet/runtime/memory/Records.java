package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.VersionedRegion;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.runtime.wire.WireFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;

/**
 * Records with a version and a checksum: their layout, and when a read has to be repeated. Any
 * thread.
 */
abstract class Records implements VersionedRegion {
    static final int HEADER_BYTES = 16;
    static final int CHECKSUM_AT = 8;

    private static final int SLOTS_BYTES_MAX = Integer.MAX_VALUE - 8; // of an array
    private static final int SPINS = 16;
    private static final long PAUSE_NS = 20_000;

    private final int recordBytes;
    private final long records;
    private final long stride;
    private final long timeoutNs;

    Records(long regionBytes, int recordBytes, long timeoutNs) {
        if (recordBytes < 1 || recordBytes > Integer.MAX_VALUE - HEADER_BYTES - (Long.BYTES - 1)) {
            throw new IllegalArgumentException("records of " + recordBytes + " bytes");
        }
        this.recordBytes = recordBytes;
        this.stride = Segments.align((long) HEADER_BYTES + recordBytes);
        this.records = regionBytes / stride;
        this.timeoutNs = timeoutNs;
        if (records == 0) {
            throw new IllegalArgumentException(
                    "a region of " + regionBytes + " bytes has no room for a record of " + recordBytes + " and 16");
        }
    }

    /** Reads what is at an offset of the region. */
    abstract void read(long offset, byte[] slot) throws DXNetException;

    /** {@return the version at an offset} */
    abstract long version(long offset) throws DXNetException;

    /**
     * Writes, in this order and each visible before the next: the odd version, all behind the
     * version, the even version.
     *
     * @param slot with the even version
     */
    abstract void write(long offset, byte[] slot) throws DXNetException;

    @Override
    public long records() {
        return records;
    }

    @Override
    public int recordBytes() {
        return recordBytes;
    }

    @Override
    public long read(long index, MemorySegment target) throws DXNetException {
        long offset = offset(index, 1, target);
        byte[] slot = new byte[HEADER_BYTES + recordBytes];
        long deadlineNs = System.nanoTime() + timeoutNs;
        EngineThread worker = EngineThread.currentWorker();
        for (int tries = 0; ; tries++) {
            read(offset, slot);
            if (isWhole(slot, 0)) {
                return extract(slot, 0, target, 0);
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new RemoteMemoryException.TimedOut(
                        "record " + index + " was torn at each of " + (tries + 1) + " reads: its version is "
                                + version(slot, 0),
                        RemoteMemoryException.Outcome.NOT_DONE);
            }
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else if (worker != null) {
                worker.progressOrPause(tries - SPINS);
            } else {
                LockSupport.parkNanos(this, PAUSE_NS);
            }
        }
    }

    @Override
    public boolean tryRead(long first, MemorySegment target, long[] versions) throws DXNetException {
        long offset = offset(first, versions.length, target);
        long length = (versions.length - 1) * stride + HEADER_BYTES + recordBytes;
        if (versions.length == 0 || length > SLOTS_BYTES_MAX) {
            throw new IllegalArgumentException("a read of " + versions.length + " records of " + recordBytes);
        }
        byte[] slots = new byte[(int) length];
        read(offset, slots);
        boolean whole = true;
        for (int i = 0; i < versions.length; i++) {
            int from = Math.toIntExact(i * stride);
            long to = (long) i * recordBytes;
            if (isWhole(slots, from)) {
                versions[i] = extract(slots, from, target, to);
            } else {
                versions[i] = TORN;
                target.asSlice(to, recordBytes).fill((byte) 0);
                whole = false;
            }
        }
        return whole;
    }

    private boolean isWhole(byte[] slots, int at) {
        long version = version(slots, at);
        if (version == 0) {
            // Also what a torn version may read as: 0x100 whose first byte alone has arrived.
            return isZero(slots, at + CHECKSUM_AT, at + HEADER_BYTES + recordBytes);
        }
        return (version & 1) == 0
                && MemorySegment.ofArray(slots).get(WireFormat.INT, at + CHECKSUM_AT) == checksum(slots, at);
    }

    /** The first byte is zero, and each other one is equal to the one before it. */
    private static boolean isZero(byte[] bytes, int from, int to) {
        return bytes[from] == 0 && Arrays.equals(bytes, from, to - 1, bytes, from + 1, to);
    }

    private long extract(byte[] slots, int at, MemorySegment target, long to) {
        long version = version(slots, at);
        if (version == 0) {
            target.asSlice(to, recordBytes).fill((byte) 0);
        } else {
            MemorySegment.copy(MemorySegment.ofArray(slots), at + HEADER_BYTES, target, to, recordBytes);
        }
        return version;
    }

    @Override
    public long write(long index, MemorySegment source) throws DXNetException {
        long offset = offset(index, 1, source);
        byte[] slot = new byte[HEADER_BYTES + recordBytes];
        MemorySegment bytes = MemorySegment.ofArray(slot);
        // An odd one is of a writer that has ended amid a write.
        long version = (version(offset) | 1) + 1;
        bytes.set(WireFormat.LONG, 0, version);
        MemorySegment.copy(source, 0, bytes, HEADER_BYTES, recordBytes);
        bytes.set(WireFormat.INT, CHECKSUM_AT, checksum(slot, 0));
        write(offset, slot);
        return version;
    }

    static long version(byte[] slots, int at) {
        return MemorySegment.ofArray(slots).get(WireFormat.LONG, at);
    }

    private int checksum(byte[] slots, int at) {
        CRC32C sum = new CRC32C();
        sum.update(slots, at, CHECKSUM_AT);
        sum.update(slots, at + HEADER_BYTES, recordBytes);
        return (int) sum.getValue();
    }

    private long offset(long first, int count, MemorySegment local) {
        Objects.checkFromIndexSize(first, count, records);
        if (local.byteSize() != (long) count * recordBytes) {
            throw new IllegalArgumentException(
                    "a segment of " + local.byteSize() + " bytes for " + count + " records of " + recordBytes);
        }
        return first * stride;
    }
}
