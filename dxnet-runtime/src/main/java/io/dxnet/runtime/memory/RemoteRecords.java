package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.runtime.wire.WireFormat;
import java.lang.foreign.MemorySegment;

/** The records of a region of another node. */
final class RemoteRecords extends Records {
    private final AttachedRegion region;

    RemoteRecords(AttachedRegion region, int recordBytes, long timeoutNs) {
        super(region.length(), recordBytes, timeoutNs);
        this.region = region;
    }

    @Override
    void read(long offset, byte[] slot) throws DXNetException {
        region.read(offset, MemorySegment.ofArray(slot));
    }

    @Override
    long version(long offset) throws DXNetException {
        byte[] version = new byte[Long.BYTES];
        region.read(offset, MemorySegment.ofArray(version));
        return version(version, 0);
    }

    @Override
    void write(long offset, byte[] slot) throws DXNetException {
        MemorySegment even = MemorySegment.ofArray(slot);
        MemorySegment odd = MemorySegment.ofArray(new byte[Long.BYTES]);
        odd.set(WireFormat.LONG, 0, version(slot, 0) - 1);
        region.batch()
                .write(offset, odd)
                .fence()
                .write(offset + CHECKSUM_AT, even.asSlice(CHECKSUM_AT))
                .fence()
                .write(offset, even.asSlice(0, Long.BYTES))
                .execute();
    }
}
