package io.dxnet.transport;

import io.dxnet.DXNetConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The incoming buffer pool (DXNet §VI): native buffers of three sizes. Some are allocated
 * at the start, more when they are needed, up to a maximum of memory; all are kept.
 * Any thread acquires and returns buffers.
 *
 * <p>Up to a limit, {@link #admission}, every connection gets buffers. Beyond it,
 * the engine decides which connection gets the rest, so that connections whose messages
 * are incomplete cannot use up all the memory.
 */
public final class IncomingBufferPool implements IncomingBuffer.Home, AutoCloseable {
    private static final int[] SIZES = {
        DXNetConfig.SMALL_BUFFER_BYTES, DXNetConfig.MEDIUM_BUFFER_BYTES, DXNetConfig.LARGE_BUFFER_BYTES
    };

    /**
     * How many buffers of a size lie in a bounded queue, which needs a place for each. More,
     * from 16 GiB on, are linked to each other.
     */
    private static final int QUEUED_MAX = 1 << 20;

    private static final int UNIT_SHIFT = Integer.numberOfTrailingZeros(DXNetConfig.SMALL_BUFFER_BYTES);
    private static final long COUNT_MASK = 0xffff_ffffL;

    /**
     * Decides which connection gets a buffer when the part of the memory that is
     * free for all is used up.
     */
    public interface Admission {
        /**
         * {@return how much a connection may receive with a buffer that was acquired beyond the
         * free part: bytes; 0 or less when it has to wait} Any thread; never blocks.
         *
         * @param from the connection
         * @param bytesInUse of the pool, with this buffer
         */
        long allowance(Connection from, long bytesInUse);

        /**
         * Counts a connection that got no buffer, and will try again.
         *
         * @param from the connection; null where the transport does not name it
         */
        void refused(@Nullable Connection from);
    }

    private static final Admission EVERYBODY = new Admission() {
        @Override
        public long allowance(Connection from, long bytesInUse) {
            return 0;
        }

        @Override
        public void refused(@Nullable Connection from) {}
    };

    /**
     * Free buffers, the last one first. It allocates nothing: a buffer that could not be
     * returned would be lost.
     */
    private static final class LinkedBuffers {
        private volatile @Nullable IncomingBuffer first; // under the monitor

        synchronized void push(IncomingBuffer buffer) {
            buffer.nextFree = first;
            first = buffer;
        }

        @Nullable
        IncomingBuffer poll() {
            return first == null ? null : remove();
        }

        private synchronized @Nullable IncomingBuffer remove() {
            IncomingBuffer removed = first;
            if (removed != null) {
                first = removed.nextFree;
                removed.nextFree = null;
            }
            return removed;
        }
    }

    private final Arena arena;
    private final Queue<IncomingBuffer>[] free = newArray(SIZES.length);
    private final LinkedBuffers[] moreFree = new LinkedBuffers[SIZES.length];
    private final long bytesMax;
    private final AtomicLong bytesAllocated = new AtomicLong();
    private final AtomicLong allocated = new AtomicLong();
    // Memory, in small buffers, << 32 | number of buffers.
    private final AtomicLong used = new AtomicLong();
    private volatile long bytesForAll; // the engine, before there is data
    private volatile Admission admission = EVERYBODY; // the engine, before there is data

    /**
     * Allocates a full pool.
     *
     * @param config has the counts and the maximum
     */
    public IncomingBufferPool(DXNetConfig config) {
        this(config, QUEUED_MAX, Arena.ofShared());
    }

    /** For tests: fewer buffers lie in the bounded queues, and allocating may fail. */
    IncomingBufferPool(DXNetConfig config, int queuedMax, Arena arena) {
        this.arena = arena;
        this.bytesMax = config.incomingBytesMax();
        this.bytesForAll = bytesMax;
        for (int i = 0; i < SIZES.length; i++) {
            free[i] = Queues.mpmc(Math.clamp(bytesMax / SIZES[i], 2, queuedMax));
            moreFree[i] = new LinkedBuffers();
        }
        fill(0, config.smallBuffers());
        fill(1, config.mediumBuffers());
        fill(2, config.largeBuffers());
    }

    /**
     * Sets the rule for memory that runs short; without it, every connection gets buffers
     * while there are any. Called once, before there is data.
     *
     * @param bytes of memory in use up to which every connection gets buffers
     * @param rule decides about the rest
     */
    public void admission(long bytes, Admission rule) {
        bytesForAll = bytes;
        admission = rule;
    }

    private void fill(int sizeClass, int count) {
        for (int i = 0; i < count; i++) {
            IncomingBuffer buffer = allocate(sizeClass);
            if (buffer == null) {
                return; // the maximum is less than the counts
            }
            add(sizeClass, buffer);
        }
    }

    /**
     * Acquires a buffer for what a connection sent, of a size near the wanted one.
     * That is a free one or a new one of that size, else the largest free one, else a
     * smaller new one. When memory runs short, the buffer is a small one, may be filled up to
     * {@link IncomingBuffer#fillMax} only, and not every connection gets one.
     *
     * @param from the connection
     * @param wantedBytes the best size, at least 1
     * @return null when this connection gets no more: the transport stops reading its data,
     *     and tries again after buffers were returned
     */
    public @Nullable IncomingBuffer take(Connection from, int wantedBytes) {
        boolean isShort = bytesInUse() + DXNetConfig.LARGE_BUFFER_BYTES > bytesForAll;
        IncomingBuffer buffer = takeAny(isShort ? 1 : wantedBytes);
        if (buffer != null) {
            // With this one: threads that acquire at once can't exceed a limit together.
            long bytesInUse = bytesInUse();
            long fillMax = 0;
            try {
                fillMax = bytesInUse <= bytesForAll ? buffer.capacity() : admission.allowance(from, bytesInUse);
            } finally {
                if (fillMax <= 0) {
                    giveBack(buffer); // also where it threw
                }
            }
            if (fillMax > 0) {
                buffer.fillMax((int) Math.min(fillMax, buffer.capacity()));
                return buffer;
            }
        }
        admission.refused(from);
        return null;
    }

    /**
     * Acquires a buffer of the part that is free for all connections.
     *
     * @param wantedBytes the best size, at least 1
     * @return null when that part is used up: the transport stops reading,
     *     and tries again after buffers were returned
     */
    public @Nullable IncomingBuffer take(int wantedBytes) {
        if (bytesInUse() < bytesForAll) {
            IncomingBuffer buffer = takeAny(wantedBytes);
            if (buffer != null && bytesInUse() <= bytesForAll) {
                return buffer;
            }
            if (buffer != null) {
                giveBack(buffer);
            }
        }
        admission.refused(null);
        return null;
    }

    /**
     * Acquires a buffer as long as there is one. For the engine, which knows the
     * connection that needs it.
     *
     * @param wantedBytes the best size, at least 1
     * @return null when the maximum of memory is reached
     */
    public @Nullable IncomingBuffer takeAny(int wantedBytes) {
        int wanted = sizeClass(wantedBytes);
        IncomingBuffer buffer = poll(wanted);
        if (buffer == null) {
            buffer = allocate(wanted);
        }
        for (int i = SIZES.length - 1; buffer == null && i >= 0; i--) {
            buffer = poll(i);
        }
        for (int i = wanted - 1; buffer == null && i >= 0; i--) {
            buffer = allocate(i);
        }
        if (buffer != null) {
            used.addAndGet(weight(buffer));
        }
        return buffer;
    }

    private static long weight(IncomingBuffer buffer) {
        return (long) (buffer.capacity() >>> UNIT_SHIFT) << 32 | 1;
    }

    /** {@return the smallest class that has so many bytes, or the largest class} */
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

    private @Nullable IncomingBuffer poll(int sizeClass) {
        IncomingBuffer buffer = free[sizeClass].poll();
        return buffer != null ? buffer : moreFree[sizeClass].poll();
    }

    private void add(int sizeClass, IncomingBuffer buffer) {
        if (!free[sizeClass].offer(buffer)) {
            moreFree[sizeClass].push(buffer);
        }
    }

    private @Nullable IncomingBuffer allocate(int sizeClass) {
        int size = SIZES[sizeClass];
        if (bytesAllocated.addAndGet(size) > bytesMax) {
            bytesAllocated.addAndGet(-size);
            return null;
        }
        MemorySegment memory = null;
        try {
            memory = arena.allocate(size, 4096);
        } finally {
            if (memory == null) {
                bytesAllocated.addAndGet(-size); // it threw
            }
        }
        allocated.incrementAndGet();
        return new IncomingBuffer(this, memory);
    }

    @Override
    public void giveBack(IncomingBuffer buffer) {
        if (used.addAndGet(-weight(buffer)) < 0) {
            throw new AssertionError("a buffer of " + buffer.capacity() + " bytes was returned twice");
        }
        add(sizeClass(buffer.capacity()), buffer);
    }

    /** {@return how many buffers are in use, a snapshot} */
    public long inUse() {
        return used.get() & COUNT_MASK;
    }

    /** {@return the memory of the buffers that are in use: bytes, a snapshot} */
    public long bytesInUse() {
        return used.get() >>> 32 << UNIT_SHIFT;
    }

    /** {@return how many buffers exist, a snapshot} */
    public long allocated() {
        return allocated.get();
    }

    /** Frees the memory. Called once, when no thread uses a buffer any more. */
    @Override
    public void close() {
        arena.close();
    }
}
