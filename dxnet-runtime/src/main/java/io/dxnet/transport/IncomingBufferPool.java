package io.dxnet.transport;

import io.dxnet.DXNetConfig;
import java.lang.foreign.Arena;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The incoming buffer pool (DXNet §VI): native buffers of three sizes. Some are made at the start, more when they are needed, up
 * to a maximum of memory; all are kept. Any thread may take and give back.
 */
public final class IncomingBufferPool implements IncomingBuffer.Home, AutoCloseable {
    private static final int[] SIZES = {
        DXNetConfig.SMALL_BUFFER_BYTES, DXNetConfig.MEDIUM_BUFFER_BYTES, DXNetConfig.LARGE_BUFFER_BYTES
    };

    private final Arena arena = Arena.ofShared();
    private final Queue<IncomingBuffer>[] free = newArray(SIZES.length);
    private final int[] countMax = new int[SIZES.length];
    private final long bytesMax;
    private final AtomicLong bytesAllocated = new AtomicLong();
    private final AtomicLong allocated = new AtomicLong();
    private final AtomicLong inUse = new AtomicLong();

    /**
     * A full pool.
     *
     * @param config gives the counts and the maximum
     */
    public IncomingBufferPool(DXNetConfig config) {
        this.bytesMax = config.incomingBytesMax();
        for (int i = 0; i < SIZES.length; i++) {
            // Every buffer that can ever exist has a place, so giving one back never fails.
            countMax[i] = Math.clamp(bytesMax / SIZES[i], 2, 1 << 20);
            free[i] = Queues.mpmc(countMax[i]);
        }
        fill(0, config.smallBuffers());
        fill(1, config.mediumBuffers());
        fill(2, config.largeBuffers());
    }

    private void fill(int sizeClass, int count) {
        for (int i = 0; i < count; i++) {
            IncomingBuffer buffer = allocate(sizeClass);
            if (buffer == null) {
                return; // the maximum is less than the counts
            }
            free[sizeClass].add(buffer);
        }
    }

    /**
     * Takes a buffer, of a size near to what is wanted: a larger one before a smaller one, a new one where none is free.
     *
     * @param wantedBytes what would be good to have, at least 1
     * @return null when the maximum of memory is out: stop taking data and try again when buffers came back
     */
    public IncomingBuffer take(int wantedBytes) {
        int wanted = sizeClass(wantedBytes);
        IncomingBuffer buffer = poll(wanted);
        if (buffer == null) {
            buffer = allocate(wanted);
        }
        for (int i = SIZES.length - 1; buffer == null && i >= 0; i--) {
            buffer = poll(i);
        }
        if (buffer != null) {
            inUse.incrementAndGet();
        }
        return buffer;
    }

    /** The smallest class that has so many bytes, or the largest. */
    private static int sizeClass(int bytes) {
        int sizeClass = 0;
        while (sizeClass < SIZES.length - 1 && SIZES[sizeClass] < bytes) {
            sizeClass++;
        }
        return sizeClass;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Queue<IncomingBuffer>[] newArray(int length) {
        return new Queue[length];
    }

    private IncomingBuffer poll(int sizeClass) {
        return free[sizeClass].poll();
    }

    private IncomingBuffer allocate(int sizeClass) {
        int size = SIZES[sizeClass];
        if (bytesAllocated.addAndGet(size) > bytesMax) {
            bytesAllocated.addAndGet(-size);
            return null;
        }
        allocated.incrementAndGet();
        return new IncomingBuffer(this, arena.allocate(size, 4096));
    }

    @Override
    public void giveBack(IncomingBuffer buffer) {
        inUse.decrementAndGet();
        if (!free[sizeClass(buffer.capacity())].offer(buffer)) {
            throw new AssertionError(
                    "more buffers of " + buffer.capacity() + " bytes than there can be: given back twice");
        }
    }

    /**
     * Buffers that are out.
     *
     * @return a snapshot
     */
    public long inUse() {
        return inUse.get();
    }

    /**
     * Buffers that exist.
     *
     * @return a snapshot
     */
    public long allocated() {
        return allocated.get();
    }

    /** Frees the memory. Called once, when no thread uses a buffer any more. */
    @Override
    public void close() {
        arena.close();
    }
}
