package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.transport.IncomingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IncomingBufferQueueTest {
    private final Buffers buffers = new Buffers();

    @AfterEach
    void close() {
        buffers.close();
    }

    @Test
    void shouldKeepTheOrderAndCountBytesRoundAndRound() {
        IncomingBufferQueue queue = new IncomingBufferQueue(3, 1000);
        IncomingBuffer[] three = {buffers.ofLength(1), buffers.ofLength(2), buffers.ofLength(3)};
        for (int round = 1; round <= 10; round++) {
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.poll()).isNull();
            for (IncomingBuffer buffer : three) {
                assertThat(queue.offer(buffer)).isTrue();
            }
            assertThat(queue.isEmpty()).isFalse();
            assertThat(queue.bytes()).isEqualTo(6);
            for (IncomingBuffer buffer : three) {
                assertThat(queue.poll()).isSameAs(buffer);
            }
            assertThat(queue.bytes()).isZero();
            assertThat(queue.bytesTotal()).isEqualTo(6L * round);
        }
    }

    @Test
    void shouldRefuseWhenItHasAsManyBuffersAsItMay() {
        // Not a power of two: the bound is exact.
        IncomingBufferQueue queue = new IncomingBufferQueue(3, 1000);
        IncomingBuffer buffer = buffers.ofLength(1);
        for (int i = 0; i < 3; i++) {
            assertThat(queue.offer(buffer)).isTrue();
        }
        assertThat(queue.offer(buffer)).isFalse();
        assertThat(queue.bytes()).as("a refused one does not count").isEqualTo(3);
        queue.poll();
        assertThat(queue.offer(buffer)).isTrue();
        assertThat(queue.offer(buffer)).isFalse();
    }

    @Test
    void shouldRefuseWhenItHasAsManyBytesAsItMayButTakeASingleOneOfAnySize() {
        IncomingBufferQueue queue = new IncomingBufferQueue(100, 10);
        IncomingBuffer large = buffers.ofLength(11);
        IncomingBuffer small = buffers.ofLength(5);
        assertThat(queue.offer(large)).as("alone").isTrue();
        assertThat(queue.offer(small)).isFalse();
        assertThat(queue.poll()).isSameAs(large);
        assertThat(queue.offer(small)).isTrue();
        assertThat(queue.offer(large)).isFalse();
        assertThat(queue.offer(small)).as("exactly full").isTrue();
        assertThat(queue.offer(small)).isFalse();
        assertThat(queue.bytes()).isEqualTo(10);
    }
}
