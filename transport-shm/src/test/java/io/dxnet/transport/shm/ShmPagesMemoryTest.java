package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Remote memory on shared memory, of pages that the nodes map. */
class ShmPagesMemoryTest extends ShmMemoryTest {
    private final RingFolder folder = RingFolder.open(Path.of("/dev/shm"));

    @Override
    protected MemorySegment allocate(Arena arena, long bytes) {
        SharedPages.removeFreed();
        try {
            return folder.createPages(arena, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldAccessByLoadsAndStoresWhatTheNodeAllocated() throws Exception {
        try (Cluster cluster = new Cluster(maps(2), this::configure);
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = cluster.node(0).remoteMemory().allocate(arena, 4096);
            cluster.node(0).remoteMemory().share("half", memory.asSlice(1024, 2048), Set.of(Right.WRITE), Peers.all());
            RemoteRegion region = cluster.node(1).remoteMemory().attach(0, "half");
            assertThat(region.isOneSided()).isTrue();
            MemorySegment nine = arena.allocate(2048).fill((byte) 9);
            region.write(0, nine);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 1023)).isZero();
            assertThat(memory.asSlice(1024, 2048).mismatch(nine)).isEqualTo(-1);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 1024 + 2048)).isZero();
        }
    }
}
