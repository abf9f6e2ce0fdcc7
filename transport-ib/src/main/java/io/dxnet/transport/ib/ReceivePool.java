package io.dxnet.transport.ib;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.transport.IncomingBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receive buffer pool (Ibdxnet §7.2.4): buffers of one size, cut from one segment that is one
 * memory region. Any thread returns one; the receiving agent acquires. A stack, so that the buffers
 * whose memory is in the cache are used first.
 */
final class ReceivePool implements IncomingBuffer.Home {
    private final MemoryRegion region;
    private final int bufferBytes;
    private final IncomingBuffer[] buffers;
    private final IndexStack free;
    private final AtomicLong out = new AtomicLong(); // buffers that the engine has

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
        this.free = new IndexStack(count);
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

    /** Acquires a buffer; {@link IndexStack#NONE} when all are out. */
    int take() {
        return free.pop();
    }

    /** A buffer is passed to the engine. */
    IncomingBuffer handOut(int index) {
        out.incrementAndGet();
        return buffers[index];
    }

    @Override
    public void giveBack(IncomingBuffer buffer) {
        out.decrementAndGet();
        push((int) ((buffer.segment().address() - region.address()) / bufferBytes));
    }

    /** More than half of the buffers are with the engine: the others are needed for receiving. */
    @Override
    public boolean isShort() {
        return 2 * out.get() > buffers.length;
    }

    /** Returns a buffer by its index. */
    void push(int index) {
        free.push(index);
    }

    /** Buffers that the engine has; a snapshot. */
    long out() {
        return out.get();
    }

    /** Whether no buffer is left; a snapshot. */
    boolean isEmpty() {
        return free.isEmpty();
    }
}
