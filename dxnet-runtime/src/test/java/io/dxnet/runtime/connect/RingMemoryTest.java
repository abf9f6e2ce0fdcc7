package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RingMemoryTest {
    private static final long SECONDS_30_NS = 30_000_000_000L;

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldWaitUntilASystemCallLetsGoOfTheMemory() throws Exception {
        RingMemory memory = new RingMemory(1 << 20);
        MemorySegment ring = memory.take();
        Pipe pipe = Pipe.open(); // holds less than the ring: the write blocks, and holds the memory
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                ByteBuffer bytes = ring.asByteBuffer();
                while (bytes.hasRemaining()) {
                    pipe.sink().write(bytes);
                }
            } catch (Exception e) {
                // its memory was freed
            }
        });
        ByteBuffer in = ByteBuffer.allocate(1);
        pipe.source().read(in);
        assertThat(memory.tryFree(1_000_000)).as("under a system call").isFalse();
        Thread reader = Thread.ofPlatform().start(() -> {
            try (Pipe.SourceChannel source = pipe.source()) {
                ByteBuffer all = ByteBuffer.allocate(1 << 20);
                while (all.position() < all.capacity() - 1 && source.read(all) > 0) {
                    // on
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(memory.tryFree(SECONDS_30_NS)).isTrue();
        assertThat(ring.scope().isAlive()).isFalse();
        assertThat(memory.tryFree(0)).as("a second time").isTrue();
        reader.join();
        writer.join();
    }
}
