package io.dxnet.transport.ib;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.transport.IncomingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receive buffer pool (Ibdxnet §7.2.4): buffers of one size, cut from one segment that is one memory region. Any thread gives
 * back; the receiving agent takes.
 *
 * <p>A stack, so that the buffers whose memory is in the cache go out first. Its head is one word, index and a counter of changes,
 * so that a thread that was delayed between its look and its CAS can't mistake a later state for the one it saw.
 */
final class ReceivePool implements IncomingBuffer.Home {
    private static final long INDEX_MASK = 0xFFFF_FFFFL;
    private static final long CHANGE = 1L << 32;
    private static final VarHandle HEAD;
    private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(ReceivePool.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemoryRegion region;
    private final int bufferBytes;
    private final IncomingBuffer[] buffers;
    private final int[] next; // 1 + the index below, 0: none; whoever pushes writes it
    private final AtomicLong out = new AtomicLong(); // buffers that the engine has
    private volatile long head; // 1 + the index on top, 0: none; changes by CAS

    /**
     * A full pool; registers its memory.
     *
     * @param domain where
     * @param count buffers, at least 1
     * @param bufferBytes the size of each
     */
    ReceivePool(ProtectionDomain domain, int count, int bufferBytes) {
        this.region = domain.allocate((long) count * bufferBytes, Access.LOCAL_WRITE);
        this.bufferBytes = bufferBytes;
        this.buffers = new IncomingBuffer[count];
        this.next = new int[count];
        for (int i = count - 1; i >= 0; i--) {
            buffers[i] = new IncomingBuffer(this, region.memory().asSlice((long) i * bufferBytes, bufferBytes));
            push(i);
        }
    }

    MemoryRegion region() {
        return region;
    }

    int bufferBytes() {
        return bufferBytes;
    }

    int count() {
        return buffers.length;
    }

    /** Where a buffer's memory begins in the region. */
    long offset(int index) {
        return (long) index * bufferBytes;
    }

    IncomingBuffer buffer(int index) {
        return buffers[index];
    }

    /** Takes a buffer; -1 when all are out. */
    int take() {
        for (; ; ) {
            long seen = lvHead();
            int top = (int) (seen & INDEX_MASK);
            if (top == 0) {
                return -1;
            }
            long below = (int) NEXT.getVolatile(next, top - 1);
            if (casHead(seen, (seen & ~INDEX_MASK) + CHANGE | below)) {
                return top - 1;
            }
        }
    }

    /** A buffer goes to the engine. */
    IncomingBuffer handOut(int index) {
        out.incrementAndGet();
        return buffers[index];
    }

    @Override
    public void giveBack(IncomingBuffer buffer) {
        out.decrementAndGet();
        push((int) ((buffer.segment().address() - region.address()) / bufferBytes));
    }

    /** Gives back by index. */
    void push(int index) {
        for (; ; ) {
            long seen = lvHead();
            NEXT.setVolatile(next, index, (int) (seen & INDEX_MASK));
            if (casHead(seen, (seen & ~INDEX_MASK) + CHANGE | index + 1)) {
                return;
            }
        }
    }

    /** Buffers that the engine has; a snapshot. */
    long out() {
        return out.get();
    }

    /** Whether no buffer is left; a snapshot. */
    boolean isEmpty() {
        return (lvHead() & INDEX_MASK) == 0;
    }

    private long lvHead() {
        return (long) HEAD.getVolatile(this);
    }

    private boolean casHead(long expected, long value) {
        return HEAD.compareAndSet(this, expected, value);
    }
}
