package io.dxnet.tools.example.log;

import io.dxnet.DXNetException;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * How far a follower is: a versioned record of 16 bytes in its memory, which the writer reads
 * whole.
 *
 * @param term of the writer whose log it follows
 * @param next the entry that it consumes next: those before it are not needed any more
 */
record LogPosition(long term, long next) {
    static final int BYTES = 2 * Long.BYTES;
    /** What {@link VersionedRegion} needs for one record. */
    static final int REGION_BYTES = 16 + BYTES;

    void write(VersionedRegion to) throws DXNetException {
        to.write(
                0,
                MemorySegment.ofArray(
                        ByteBuffer.allocate(BYTES).putLong(term).putLong(next).array()));
    }

    /**
     * {@return the position of a follower}
     *
     * @throws DXNetException also when the follower has not written one yet: it is starting
     */
    static LogPosition read(VersionedRegion from) throws DXNetException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        if (from.read(0, MemorySegment.ofBuffer(bytes)) == 0) {
            throw new DXNetException("the follower has no position yet");
        }
        return new LogPosition(bytes.getLong(), bytes.getLong());
    }
}
