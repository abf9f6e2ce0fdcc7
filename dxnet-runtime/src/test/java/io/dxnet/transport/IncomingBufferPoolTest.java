package io.dxnet.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.dxnet.DXNetConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IncomingBufferPoolTest {
    private static final int SMALL = DXNetConfig.SMALL_BUFFER_BYTES;
    private static final int LARGE = DXNetConfig.LARGE_BUFFER_BYTES;
    private static final int MAX = 4 << 20;

    private static DXNetConfig config(long bytesMax) {
        return DXNetConfig.builder()
                .incomingBytesMax(bytesMax)
                .smallBuffers(1)
                .mediumBuffers(1)
                .largeBuffers(1)
                .build();
    }

    private static List<IncomingBuffer> takeAll(IncomingBufferPool pool, int bytes) {
        List<IncomingBuffer> all = new ArrayList<>();
        for (IncomingBuffer buffer = pool.takeAny(bytes); buffer != null; buffer = pool.takeAny(bytes)) {
            all.add(buffer);
        }
        return all;
    }

    /** With real counts that would take 16 GiB: the bounded queues hold four buffers here. */
    @Test
    void shouldKeepMoreBuffersThanItsQueuesHold() {
        try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX), 4, Arena.ofShared())) {
            for (int round = 0; round < 3; round++) {
                List<IncomingBuffer> all = takeAll(pool, 1);
                assertThat(pool.inUse()).isEqualTo(all.size()).isGreaterThan(200);
                assertThat(pool.bytesInUse()).isEqualTo(MAX);
                assertThat(all).doesNotHaveDuplicates();
                all.forEach(IncomingBuffer::giveBack);
                assertThat(pool.inUse()).isZero();
                assertThat(pool.bytesInUse()).isZero();
                assertThat(pool.allocated()).isEqualTo(all.size());
            }
        }
    }

    /** A shared arena of which allocations fail, as often as a test wants it. */
    private static final class FailingArena implements Arena {
        private final Arena memory = Arena.ofShared();
        private int failures;

        @Override
        public MemorySegment allocate(long bytes, long alignment) {
            if (failures > 0) {
                failures--;
                throw new OutOfMemoryError("the test wants it");
            }
            return memory.allocate(bytes, alignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return memory.scope();
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    @Test
    void shouldCountNoMemoryThatCouldNotBeAllocated() {
        FailingArena arena = new FailingArena();
        try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX), 4, arena)) {
            long before = pool.allocated();
            IncomingBuffer free = pool.takeAny(LARGE); // the next one is allocated
            arena.failures = 2 * MAX / LARGE;
            while (arena.failures > 0) {
                assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> pool.takeAny(LARGE));
            }
            assertThat(pool.allocated()).isEqualTo(before);
            free.giveBack();
            takeAll(pool, 1);
            assertThat(pool.bytesInUse()).as("the errors cost nothing").isEqualTo(MAX);
        }
    }

    @Test
    void shouldTakeAnyMaximumThatIsAllowed() {
        for (long bytes : new long[] {1 << 20, 1L << 30, (1L << 34) + SMALL, 1L << 40}) {
            try (IncomingBufferPool pool = new IncomingBufferPool(config(bytes))) {
                IncomingBuffer buffer = pool.take(LARGE);
                assertThat(pool.bytesInUse()).isEqualTo(LARGE);
                buffer.giveBack();
            }
        }
    }

    @Test
    void shouldUseTheMemoryToTheEndWhateverSizeIsWanted() {
        for (int wanted : new int[] {1, SMALL + 1, LARGE}) {
            try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX + 3 * SMALL + 5))) {
                takeAll(pool, wanted);
                assertThat(pool.bytesInUse()).isEqualTo(MAX + 3 * SMALL);
            }
        }
    }

    @Test
    void shouldNoticeABufferThatIsGivenBackTwice() {
        try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX))) {
            IncomingBuffer buffer = pool.take(1);
            buffer.giveBack();
            assertThatExceptionOfType(AssertionError.class).isThrownBy(buffer::giveBack);
        }
    }

    @Test
    void shouldAskForSmallBuffersBeyondThePartForEverybody() {
        AtomicLong allowance = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX))) {
            pool.admission(MAX / 2, new IncomingBufferPool.Admission() {
                @Override
                public long allowance(Connection from, long bytesInUse) {
                    assertThat(bytesInUse).isGreaterThan(MAX / 2);
                    return allowance.get();
                }

                @Override
                public void refused(Connection from) {
                    refused.incrementAndGet();
                }
            });
            List<IncomingBuffer> shared = new ArrayList<>();
            for (IncomingBuffer b = pool.take(null, LARGE); b != null; b = pool.take(null, LARGE)) {
                assertThat(b.fillMax()).isEqualTo(b.capacity());
                shared.add(b);
            }
            assertThat(pool.bytesInUse()).isBetween((long) MAX / 2 - LARGE, (long) MAX / 2);
            assertThat(refused).hasValue(1);
            assertThat(pool.take(LARGE)).isNull();
            assertThat(refused).hasValue(2);
            allowance.set(5);
            IncomingBuffer last = pool.take(null, LARGE);
            assertThat(last.fillMax()).isEqualTo(5);
            last.giveBack();
            shared.sort(Comparator.comparing(IncomingBuffer::capacity));
            shared.getLast().giveBack();
            IncomingBuffer again = pool.take(null, 1);
            assertThat(again.fillMax()).as("not what it was allowed last time").isEqualTo(again.capacity());
        }
    }

    @Test
    void shouldReturnABufferWhoseConnectionCouldNotBeAsked() {
        try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX))) {
            pool.admission(LARGE, new IncomingBufferPool.Admission() {
                @Override
                public long allowance(Connection from, long bytesInUse) {
                    throw new OutOfMemoryError("the test wants it");
                }

                @Override
                public void refused(Connection from) {}
            });
            IncomingBuffer last = pool.take(null, 1);
            while (pool.bytesInUse() < LARGE) {
                last = pool.takeAny(1);
            }
            long inUse = pool.inUse();
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> pool.take(null, 1));
            assertThat(pool.inUse()).isEqualTo(inUse);
            last.giveBack();
            assertThat(pool.bytesInUse()).isEqualTo(LARGE - SMALL);
        }
    }

    /** On a full heap, a buffer whose return allocates would be lost. */
    @Test
    void shouldAllocateNothingWhenBuffersAreReturned() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (IncomingBufferPool pool = new IncomingBufferPool(config(MAX), 4, Arena.ofShared())) {
            long bytes = Long.MAX_VALUE;
            for (int round = 0; round < 3; round++) { // the first one loads classes
                List<IncomingBuffer> all = takeAll(pool, 1);
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < all.size(); i++) {
                    all.get(i).giveBack();
                }
                bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(bytes).isZero();
        }
    }
}
