package io.dxnet.memory;

import io.dxnet.DXNetException;
import java.lang.foreign.MemorySegment;

/**
 * A region as records that are read whole beside a writer: each has a version and a checksum, and
 * a read that finds them torn is repeated, or reports it. Made by {@link SharedRegion#versioned}
 * and {@link RemoteRegion#versioned}, with the same {@code recordBytes} on all nodes. Any thread.
 *
 * <p>The layout of a record, little endian; the next one follows at the next multiple of 8 bytes:
 *
 * <pre>
 *   byte  0       8          12         16
 *        +-------+----------+----------+--------------------------+---------+
 *        |version| checksum |    0     |  content, recordBytes    | 0 .. 7  |
 *        +-------+----------+----------+--------------------------+---------+
 *
 *   version   0: never written, and all else is 0; odd: a write is under way; each write adds 2
 *   checksum  CRC-32C of version and content
 * </pre>
 *
 * <p>A record has one writer at a time: the owner, or one peer with {@link Right#WRITE}, one
 * thread of it. A writer that ends amid a write leaves an odd version, which the next write of
 * that record ends. The memory is all zeros when the region is shared, or was written by this
 * interface.
 *
 * <p>Not promised: anything where a record has two writers at a time; an order of the writes of
 * different records; more than a checksum of 32 bits can, where a write is so torn that its
 * version is even and its own.
 */
public interface VersionedRegion {
    /** In place of a version, by {@link #tryRead}: the record was torn. */
    long TORN = -1;

    /** {@return the number of records} */
    long records();

    /** {@return the bytes of a record's content} */
    int recordBytes();

    /**
     * Reads a record, repeatedly while it is torn.
     *
     * @param index of the record, from 0
     * @param target {@link #recordBytes} long
     * @return its version: even; 0: it was never written, and the target is all zeros
     * @throws IndexOutOfBoundsException when there is no such record
     * @throws RemoteMemoryException.TimedOut when it was torn for
     *     {@link io.dxnet.DXNetConfig#requestTimeoutMs()}: its writer writes all the time, or
     *     ended amid a write
     * @throws DXNetException as {@link RemoteRegion#read}
     */
    long read(long index, MemorySegment target) throws DXNetException;

    /**
     * Reads neighbouring records once, in one operation. Each record is whole or reported as torn;
     * different records may be of different moments.
     *
     * @param first index of the first record
     * @param target the contents without gaps, {@link #recordBytes} each; zeros for a torn one
     * @param versions for the version of each record, as {@link #read} returns it, or {@link
     *     #TORN}: {@link #read} is for one that is needed; its length, 1 or more, is the number of
     *     records
     * @return whether all are whole
     * @throws IndexOutOfBoundsException when there are no such records
     * @throws IllegalArgumentException when the lengths of target and versions differ, or the
     *     records have more than 2 GiB
     * @throws DXNetException as {@link RemoteRegion#read}
     */
    boolean tryRead(long first, MemorySegment target, long[] versions) throws DXNetException;

    /**
     * Writes a record.
     *
     * @param index of the record, from 0
     * @param source {@link #recordBytes} long
     * @return its new version
     * @throws IndexOutOfBoundsException when there is no such record
     * @throws DXNetException as {@link RemoteRegion#write}
     */
    long write(long index, MemorySegment source) throws DXNetException;
}
