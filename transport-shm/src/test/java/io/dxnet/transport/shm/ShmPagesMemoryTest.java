package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetException;
import io.dxnet.contract.Cluster;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Remote memory on shared memory, of pages that the nodes map. */
class ShmPagesMemoryTest extends ShmMemoryTest {
    private final ShmMemory memory = new ShmMemory(RingFolder.open(Path.of("/dev/shm")));

    @Override
    protected MemorySegment allocate(Arena arena, long bytes) {
        try {
            return memory.allocate(arena, bytes);
        } catch (DXNetException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldAccessByLoadsAndStoresWhatTheNodeAllocated() throws Exception {
        try (Cluster cluster = new Cluster(maps(2), this::configure);
                Arena arena = Arena.ofShared()) {
            MemorySegment whole = cluster.node(0).remoteMemory().allocate(arena, 4096);
            cluster.node(0).remoteMemory().share("half", whole.asSlice(1024, 2048), Set.of(Right.WRITE), Peers.all());
            RemoteRegion region = cluster.node(1).remoteMemory().attach(0, "half");
            assertThat(region.isOneSided()).isTrue();
            MemorySegment nine = arena.allocate(2048).fill((byte) 9);
            region.write(0, nine);
            assertThat(whole.get(ValueLayout.JAVA_BYTE, 1023)).isZero();
            assertThat(whole.asSlice(1024, 2048).mismatch(nine)).isEqualTo(-1);
            assertThat(whole.get(ValueLayout.JAVA_BYTE, 1024 + 2048)).isZero();
        }
    }
}
