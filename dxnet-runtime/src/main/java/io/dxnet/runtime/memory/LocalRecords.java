package io.dxnet.runtime.memory;

import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.memory.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The records of a region of this node. */
final class LocalRecords extends Records {
    private final MemorySegment region;

    LocalRecords(MemorySegment region, int recordBytes, long timeoutNs) {
        super(region.byteSize(), recordBytes, timeoutNs);
        this.region = region;
    }

    @Override
    void read(long offset, byte[] slot) {
        // The checksum finds a copy that is torn, in whatever order its bytes were read.
        MemorySegment.copy(region, ValueLayout.JAVA_BYTE, offset, slot, 0, slot.length);
        Faults.raise();
    }

    @Override
    long version(long offset) {
        long version = region.get(WireFormat.LONG, offset);
        Faults.raise();
        return version;
    }

    @Override
    void write(long offset, byte[] slot) {
        long version = version(slot, 0);
        region.set(WireFormat.LONG, offset, version - 1);
        VarHandle.fullFence();
        int rest = slot.length - CHECKSUM_AT;
        MemorySegment.copy(slot, CHECKSUM_AT, region, ValueLayout.JAVA_BYTE, offset + CHECKSUM_AT, rest);
        VarHandle.fullFence();
        region.set(WireFormat.LONG, offset, version);
        Faults.raise();
    }
}
