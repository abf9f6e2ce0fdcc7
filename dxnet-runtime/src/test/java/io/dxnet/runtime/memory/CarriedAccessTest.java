package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What messages carry waits in a queue that has a maximum. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CarriedAccessTest {
    /** So many bytes have twice the time of an operation without any. */
    private static final int BYTES = 17 << 20;

    @Test
    void shouldTimeOutWhatFindsNoPlaceInTheQueue() throws Exception {
        MemorySegment shared = Arena.ofAuto().allocate(BYTES, 8);
        MemorySegment source = Arena.ofAuto().allocate(BYTES, 8);
        CountDownLatch released = new CountDownLatch(1);
        try (Cluster cluster = new Cluster(
                        List.of(new NodeMap(0), new NodeMap(1)),
                        builder -> builder.transport("loopback")
                                .clusterName("queue-" + System.identityHashCode(this))
                                .handlers(1)
                                .requestTimeoutMs(1000));
                SharedRegion owned = cluster.node(0)
                        .remoteMemory()
                        .share("region", shared, EnumSet.allOf(Right.class), Peers.all())) {
            owned.onNotify((from, offset, length, value) -> awaitQuietly(released));
            RemoteRegion region = cluster.node(1).remoteMemory().attach(0, "region");
            region.writeAndNotify(0, source.asSlice(0, 1), 1); // from here on the owner's handler is busy
            for (int i = 0; i < CarriedAccess.CHAINS_MAX; i++) {
                var unused = region.writeAsync(0, source);
            }
            CompletableFuture<Long> late = region.fetchAddAsync(0, 1);
            Cluster.await("the end of the operation", late::isDone);
            assertThat(late.exceptionNow())
                    .isInstanceOfSatisfying(
                            RemoteMemoryException.TimedOut.class,
                            e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_DONE));
            region.close();
            released.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
