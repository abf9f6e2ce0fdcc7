package io.dxnet.memory;

import io.dxnet.DXNetException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * A chain of operations, posted at once and carried out in order. Where one fails, those
 * after it that have not begun are not carried out; none after a {@link #fence} has. One thread.
 */
public interface Batch extends AutoCloseable {
    /**
     * Adds {@link RemoteRegion#read(long, MemorySegment...)}.
     *
     * @param offset in the region, bytes
     * @param targets not to be accessed until the chain is complete
     * @return this
     * @throws DXNetException when bounds or rights forbid it
     */
    Batch read(long offset, MemorySegment... targets) throws DXNetException;

    /**
     * Adds {@link RemoteRegion#write(long, MemorySegment...)}.
     *
     * @param offset in the region, bytes
     * @param sources not to be changed until the chain is complete
     * @return this
     * @throws DXNetException when bounds or rights forbid it
     */
    Batch write(long offset, MemorySegment... sources) throws DXNetException;

    /**
     * Adds {@link RemoteRegion#writeAndNotify}.
     *
     * @param offset in the region, bytes
     * @param source not to be changed until the chain is complete
     * @param value for the listener
     * @return this
     * @throws DXNetException when bounds or rights forbid it
     */
    Batch writeAndNotify(long offset, MemorySegment source, int value) throws DXNetException;

    /**
     * Adds {@link RemoteRegion#fetchAdd}.
     *
     * @param offset in the region, bytes, a multiple of 8
     * @param delta what to add
     * @return this
     * @throws DXNetException when bounds or rights forbid it
     */
    Batch fetchAdd(long offset, long delta) throws DXNetException;

    /**
     * Adds {@link RemoteRegion#compareAndSwap}.
     *
     * @param offset in the region, bytes, a multiple of 8
     * @param expected only then they are set
     * @param value to be set
     * @return this
     * @throws DXNetException when bounds or rights forbid it
     */
    Batch compareAndSwap(long offset, long expected, long value) throws DXNetException;

    /**
     * What follows starts when all before it is complete.
     *
     * @return this
     */
    Batch fence();

    /**
     * Posts the chain, which then is empty again. Several chains may be under way. A chain may be
     * complete when this returns: then the future is, and what is added to it runs at once, on the
     * calling thread. Where that posts the next chain, and so on, the calls nest on its stack: use
     * the methods of the future whose names end with {@code Async} for that.
     *
     * <p>Where a device carries chains out, a thread that waits for the future with {@code get} or
     * {@code join} processes completions itself, as in {@link #execute}. For a millisecond after
     * that, it is expected to wait again: other operations that it has posted and does not wait for
     * may then be noticed up to a millisecond late, with what is added to their futures after the
     * wait.
     *
     * @return completes with what the atomics returned, in their order
     */
    CompletableFuture<long[]> post();

    /**
     * Posts the chain and waits.
     *
     * @return what the atomics returned, in their order
     * @throws DXNetException the failure of one that failed; what it states of the outcome is of
     *     that one: those before it may be done
     */
    long[] execute() throws DXNetException;

    /** {@link #execute Executes} the chain where it is not empty. */
    @Override
    void close() throws DXNetException;
}
