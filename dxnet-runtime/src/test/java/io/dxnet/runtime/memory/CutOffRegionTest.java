package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A region in a file that another process makes shorter: operations that messages carry fail, each
 * of them, and messaging continues.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CutOffRegionTest {
    private static final int BYTES = 4096;
    /** Enough that all compilers' code runs. */
    private static final int OPERATIONS = 40_000;

    @TempDir
    private Path folder;

    private final Cluster cluster = new Cluster(
            List.of(new NodeMap(0), new NodeMap(1)),
            builder -> builder.transport("loopback").clusterName("cut-" + System.identityHashCode(this)));

    /** One operation, by its number. */
    private static void operate(RemoteRegion region, MemorySegment local, int number) throws DXNetException {
        switch (number % 4) {
            case 0 -> region.read(0, local);
            case 1 -> region.write(0, local);
            case 2 -> region.fetchAdd(0, 1);
            default -> region.compareAndSwap(0, 0, 1);
        }
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldFailEachOperationAndContinue() throws DXNetException, IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("region"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            MemorySegment local = arena.allocate(Long.BYTES, Long.BYTES);
            cluster.node(0).remoteMemory().share("region", mapped, EnumSet.allOf(Right.class), Peers.of(1));
            RemoteRegion region = cluster.node(1).remoteMemory().attach(0, "region");
            for (int i = 0; i < OPERATIONS; i++) {
                operate(region, local, i);
            }
            file.truncate(0);
            int failed = 0;
            for (int i = 0; i < OPERATIONS; i++) {
                try {
                    operate(region, local, i);
                } catch (RemoteMemoryException e) {
                    failed++;
                }
            }
            assertThat(failed).isEqualTo(OPERATIONS);
            assertThat(cluster.node(1).sendSync(new Ping(0, "after it", 10), Cluster.seconds(10)).text)
                    .isEqualTo("after it");
        }
    }
}
