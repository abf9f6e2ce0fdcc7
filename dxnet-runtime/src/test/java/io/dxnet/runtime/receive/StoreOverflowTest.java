package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dxnet.transport.IncomingBuffer;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a full header store has no room for. */
class StoreOverflowTest {
    private static final int CAPACITY = 2;
    private static final int ENTRIES_MAX = 64 * CAPACITY;

    private final Buffers buffers = new Buffers();
    private final MessageHeaderStore store = new MessageHeaderStore(CAPACITY);
    private final StoreOverflow overflow = new StoreOverflow(store);
    private final Batch batch = new Batch();

    @AfterEach
    void close() {
        buffers.close();
    }

    private void fill(IncomingBuffer buffer) {
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(overflow.hasRoom(false)).isTrue();
            overflow.offerRun(buffer, i, i + 1, 0);
        }
        assertThat(overflow.hasRoom(false)).isFalse();
    }

    @Test
    void shouldKeepTheOrderAndRefuseWhenItHoldsItsMaximum() {
        IncomingBuffer buffer = buffers.ofLength(1);
        fill(buffer);
        SplitMessage split = new SplitMessage();
        for (int i = CAPACITY; i < CAPACITY + ENTRIES_MAX; i++) {
            assertThat(overflow.hasRoom(true)).isTrue();
            if (i % 3 == 0) {
                overflow.offerSplit(split);
            } else {
                overflow.offerRun(buffer, i, i + 1, i);
            }
        }
        assertThat(overflow.hasRoom(true)).isFalse();
        for (int i = 0; i < CAPACITY + ENTRIES_MAX; i++) {
            assertThat(store.poll(batch)).isTrue();
            overflow.drain();
            if (i >= CAPACITY && i % 3 == 0) {
                assertThat(batch.split).isSameAs(split);
            } else {
                assertThat(batch.start).isEqualTo(i);
                assertThat(batch.split).isNull();
            }
        }
        assertThat(overflow.isEmpty()).isTrue();
        assertThat(overflow.hasRoom(false)).isTrue();
    }

    /** A run was retained before: an error between would leave its buffer behind for good. */
    @Test
    void shouldAllocateNothingWhenARunIsOffered() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        IncomingBuffer buffer = buffers.ofLength(1);
        fill(buffer);
        threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ENTRIES_MAX; i++) {
            assertThat(overflow.hasRoom(true)).isTrue();
            long before = threads.getCurrentThreadAllocatedBytes();
            overflow.offerRun(buffer, i, i + 1, 0);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
        }
    }

    @Test
    void shouldReleaseTheBuffersOfAllEntriesWhenDiscarded() {
        IncomingBuffer buffer = buffers.ofLength(1);
        fill(buffer);
        buffer.retain();
        assertThat(overflow.hasRoom(true)).isTrue();
        overflow.offerRun(buffer, 0, 1, 0);
        overflow.discard();
        assertThat(overflow.isEmpty()).isTrue();
        buffer.release();
        assertThat(buffers.pool.inUse()).isZero();
    }
}
