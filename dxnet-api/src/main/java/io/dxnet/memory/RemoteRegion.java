package io.dxnet.memory;

import io.dxnet.DXNetException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * Memory of another node. Any thread.
 *
 * <p>Each operation has a deadline: {@link io.dxnet.DXNetConfig#requestTimeoutMs()}, and the same
 * again for each 16 MiB of it. It fails with a {@link RemoteMemoryException}, or with
 * {@link io.dxnet.NetClosedException} after {@link io.dxnet.DXNet#close}. An interrupt ends a
 * blocking operation that one message carries, with {@link RemoteMemoryException.OwnerGone}, and no
 * other; the thread's flag stays set. A future fails with the same exceptions, cancelling it
 * changes nothing. It may be complete when it is returned: what is added to it then runs at once,
 * on the calling thread. Bounds, rights and alignment are checked before anything is sent.
 *
 * <p>Operations of one thread are carried out in the order of their calls, unless one fails or the
 * connection breaks in between: a {@link Batch} continues only after what succeeded. Two
 * operations of which one was issued before the other was complete may overlap, with
 * {@link #isOneSided} in any order where the first is a read.
 *
 * <p>Where the connection to the owner broke, the next operation makes a new one. What was under
 * way fails with {@link RemoteMemoryException.OwnerGone}; where the owner was closed, with {@link
 * RemoteMemoryException.RegionRevoked}, or with that one. An owner that runs as another incarnation
 * refuses: attach again.
 *
 * <p>Local segments: other threads access them until the operation is complete, so those of
 * asynchronous operations must be accessible by any thread; blocking operations copy others.
 */
public interface RemoteRegion extends AutoCloseable {
    /** {@return the owner's node id} */
    int owner();

    /** {@return its name} */
    String name();

    /** {@return its length, bytes} */
    long length();

    /**
     * {@return whether hardware, or this process itself, accesses the memory; false: the owner's
     * engine does, for messages}
     */
    boolean isOneSided();

    /**
     * Reads into one segment: without garbage where other threads can access the segment, and it
     * is not longer than one message where not {@link #isOneSided}.
     *
     * @param offset in the region, bytes
     * @param target filled
     * @throws DXNetException as the interface's comment states
     */
    void read(long offset, MemorySegment target) throws DXNetException;

    /**
     * Reads into several segments.
     *
     * @param offset in the region, bytes
     * @param targets filled one after the other
     * @throws DXNetException as the interface's comment states
     */
    void read(long offset, MemorySegment... targets) throws DXNetException;

    /**
     * As {@link #read(long, MemorySegment...)}, later.
     *
     * @param offset in the region, bytes
     * @param targets not to be accessed until it is complete
     * @return completes when the targets are filled
     */
    CompletableFuture<Void> readAsync(long offset, MemorySegment... targets);

    /**
     * Writes one segment, and returns when the bytes are in the owner's memory: without garbage
     * as a read.
     *
     * @param offset in the region, bytes
     * @param source the bytes
     * @throws DXNetException as the interface's comment states
     */
    void write(long offset, MemorySegment source) throws DXNetException;

    /**
     * Writes several segments, and returns when the bytes are in the owner's memory.
     *
     * @param offset in the region, bytes
     * @param sources written one after the other
     * @throws DXNetException as the interface's comment states
     */
    void write(long offset, MemorySegment... sources) throws DXNetException;

    /**
     * As {@link #write(long, MemorySegment...)}, later.
     *
     * @param offset in the region, bytes
     * @param sources not to be changed until it is complete
     * @return completes when the bytes are in the owner's memory
     */
    CompletableFuture<Void> writeAsync(long offset, MemorySegment... sources);

    /**
     * Writes, and then calls the owner's {@link NotifyListener}. Returns when the bytes are in the
     * owner's memory and the notification has arrived.
     *
     * @param offset in the region, bytes
     * @param source the bytes
     * @param value for the listener
     * @throws DXNetException as the interface's comment states
     */
    void writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException;

    /**
     * As {@link #writeAndNotify}, later.
     *
     * @param offset in the region, bytes
     * @param source not to be changed until it is complete
     * @param value for the listener
     * @return completes as {@link #writeAndNotify} returns
     */
    CompletableFuture<Void> writeAndNotifyAsync(long offset, MemorySegment source, int value);

    /**
     * Adds to 8 bytes, a long in the owner's byte order, atomically and without garbage.
     *
     * @param offset in the region, bytes, a multiple of 8
     * @param delta what to add
     * @return what they were
     * @throws IllegalArgumentException when the offset is not a multiple of 8
     * @throws DXNetException as the interface's comment states
     */
    long fetchAdd(long offset, long delta) throws DXNetException;

    /**
     * As {@link #fetchAdd}, later.
     *
     * @param offset in the region, bytes, a multiple of 8
     * @param delta what to add
     * @return what they were
     */
    CompletableFuture<Long> fetchAddAsync(long offset, long delta);

    /**
     * Sets 8 bytes where they are what is expected, atomically.
     *
     * @param offset in the region, bytes, a multiple of 8
     * @param expected only then they are set
     * @param value to be set
     * @return what they were: they were set where this is {@code expected}
     * @throws IllegalArgumentException when the offset is not a multiple of 8
     * @throws DXNetException as the interface's comment states
     */
    long compareAndSwap(long offset, long expected, long value) throws DXNetException;

    /**
     * As {@link #compareAndSwap}, later.
     *
     * @param offset in the region, bytes, a multiple of 8
     * @param expected only then they are set
     * @param value to be set
     * @return what they were
     */
    CompletableFuture<Long> compareAndSwapAsync(long offset, long expected, long value);

    /** {@return an empty chain of operations} */
    Batch batch();

    /**
     * Divides the region into records with a version: see {@link VersionedRegion}.
     *
     * @param recordBytes the bytes of a record, as at the owner
     * @return the records
     * @throws IllegalArgumentException when not one record fits
     */
    VersionedRegion versioned(int recordBytes);

    /**
     * Detaches. Operations under way fail, also those that other threads wait for; then local
     * segments are not accessed any more.
     */
    @Override
    void close();
}
