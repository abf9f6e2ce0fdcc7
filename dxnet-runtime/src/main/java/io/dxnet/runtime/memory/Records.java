package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.VersionedRegion;
import io.dxnet.runtime.wire.WireFormat;
import java.lang.foreign.MemorySegment;
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
        long offset = offset(index, target);
        byte[] slot = new byte[HEADER_BYTES + recordBytes];
        MemorySegment bytes = MemorySegment.ofArray(slot);
        long deadlineNs = System.nanoTime() + timeoutNs;
        for (int tries = 0; ; tries++) {
            read(offset, slot);
            long version = bytes.get(WireFormat.LONG, 0);
            if (version == 0) {
                target.fill((byte) 0);
                return 0;
            }
            if ((version & 1) == 0 && bytes.get(WireFormat.INT, CHECKSUM_AT) == checksum(slot)) {
                MemorySegment.copy(bytes, HEADER_BYTES, target, 0, recordBytes);
                return version;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new RemoteMemoryException.TimedOut(
                        "record " + index + " was torn at each of " + (tries + 1) + " reads: its version is " + version,
                        RemoteMemoryException.Outcome.NOT_DONE);
            }
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, PAUSE_NS);
            }
        }
    }

    @Override
    public long write(long index, MemorySegment source) throws DXNetException {
        long offset = offset(index, source);
        byte[] slot = new byte[HEADER_BYTES + recordBytes];
        MemorySegment bytes = MemorySegment.ofArray(slot);
        // An odd one is of a writer that has ended amid a write.
        long version = (version(offset) | 1) + 1;
        bytes.set(WireFormat.LONG, 0, version);
        MemorySegment.copy(source, 0, bytes, HEADER_BYTES, recordBytes);
        bytes.set(WireFormat.INT, CHECKSUM_AT, checksum(slot));
        write(offset, slot);
        return version;
    }

    static long version(byte[] slot) {
        return MemorySegment.ofArray(slot).get(WireFormat.LONG, 0);
    }

    private static int checksum(byte[] slot) {
        CRC32C sum = new CRC32C();
        sum.update(slot, 0, CHECKSUM_AT);
        sum.update(slot, HEADER_BYTES, slot.length - HEADER_BYTES);
        return (int) sum.getValue();
    }

    private long offset(long index, MemorySegment local) {
        Objects.checkIndex(index, records);
        if (local.byteSize() != recordBytes) {
            throw new IllegalArgumentException(
                    "a segment of " + local.byteSize() + " bytes for a record of " + recordBytes);
        }
        return index * stride;
    }
}
