package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An owner learns of the attachments that ended while its peer was not connected. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnsentNoticesTest {
    private final UnsentNotices unsent = new UnsentNotices();

    @Test
    void shouldKeepThemOfEachOwner() {
        unsent.add(1, 10);
        unsent.add(2, 20);
        unsent.add(1, 11);
        assertThat(unsent.of(1)).containsExactly(10, 11);
        unsent.add(1, 12);
        unsent.remove(1, new long[] {10, 11});
        unsent.remove(3, new long[] {20});
        assertThat(unsent.of(1)).containsExactly(12);
        assertThat(unsent.of(2)).containsExactly(20);
        unsent.remove(2, new long[] {20});
        assertThat(unsent.of(2)).isEmpty();
    }

    @Test
    void shouldKeepABoundedNumber() {
        int more = UnsentNotices.KEPT_MAX + 2;
        LongStream.range(0, more).forEach(each -> unsent.add(1, each));
        assertThat(unsent.of(1))
                .hasSize(UnsentNotices.KEPT_MAX)
                .startsWith(2, 3)
                .endsWith(more - 1);
    }

    /** Two nodes, the first of which shares a region. */
    private Cluster cluster() throws DXNetException {
        Cluster cluster = new Cluster(
                List.of(new NodeMap(0), new NodeMap(1)),
                builder -> builder.transport("loopback").clusterName("unsent-" + System.identityHashCode(this)));
        cluster.node(0)
                .remoteMemory()
                .share("region", Arena.ofAuto().allocate(64, 8), EnumSet.allOf(Right.class), Peers.all());
        return cluster;
    }

    private static RemoteRegion attach(Cluster cluster) throws DXNetException {
        return cluster.node(1).remoteMemory().attach(0, "region");
    }

    private static void disconnect(Cluster cluster) {
        DXNet peer = cluster.node(1);
        peer.disconnectNode(0);
        Services services = ((MemoryService) peer.remoteMemory()).services();
        Cluster.await(
                "the end of the connection",
                () -> services.connections().connections(0).isEmpty());
    }

    /** Of all that it may keep, so that one which stays makes it refuse the next. */
    @Test
    void shouldInformTheOwnerAheadOfTheNextRequestToAttach() throws DXNetException {
        try (Cluster cluster = cluster()) {
            OwnedRegions owned = ((MemoryService) cluster.node(0).remoteMemory()).owned();
            for (int round = 0; round < 3; round++) {
                List<RemoteRegion> attached = new ArrayList<>();
                for (int i = 0; i < OwnedRegions.ATTACHMENTS_MAX; i++) {
                    attached.add(attach(cluster));
                }
                assertThat(attached.getLast().fetchAdd(0, 1)).isEqualTo(2 * round);
                disconnect(cluster);
                attached.forEach(RemoteRegion::close);
                assertThat(owned.attachments()).isEqualTo(OwnedRegions.ATTACHMENTS_MAX);
                RemoteRegion next = attach(cluster);
                assertThat(owned.attachments()).isEqualTo(1);
                assertThat(next.fetchAdd(0, 1)).isEqualTo(2 * round + 1);
                next.close();
                Cluster.await("the end of all", () -> owned.attachments() == 0);
            }
        }
    }

    @Test
    void shouldKeepOneAttachmentAtMostWhereEachConnectionEndsFirst() throws DXNetException {
        try (Cluster cluster = cluster()) {
            OwnedRegions owned = ((MemoryService) cluster.node(0).remoteMemory()).owned();
            for (int i = 0; i < 200; i++) {
                RemoteRegion region = attach(cluster);
                assertThat(owned.attachments()).isEqualTo(1);
                assertThat(region.fetchAdd(0, 1)).isEqualTo(i);
                disconnect(cluster);
                region.close();
            }
            assertThat(attach(cluster).fetchAdd(0, 1)).isEqualTo(200);
            assertThat(owned.attachments()).isEqualTo(1);
        }
    }
}
