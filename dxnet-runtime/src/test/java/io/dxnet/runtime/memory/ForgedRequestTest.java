package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.runtime.request.ServiceRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The owner refuses what a peer sends that does not check its operations itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ForgedRequestTest {
    private static final int BYTES = 4096;
    private static final Duration SECONDS_10 = Cluster.seconds(10);

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment readOnly = arena.allocate(BYTES, 8);
    private final MemorySegment writeOnly = arena.allocate(BYTES, 8);
    private final MemorySegment ones = arena.allocate(8).fill((byte) 1);
    private Cluster cluster;

    @BeforeEach
    void start() throws DXNetException {
        List<NodeMap> maps = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            maps.add(new NodeMap(i));
        }
        cluster = new Cluster(
                maps, builder -> builder.transport("loopback").clusterName("forged-" + System.identityHashCode(this)));
        share("read", readOnly, Right.READ);
        share("write", writeOnly, Right.WRITE);
    }

    private SharedRegion share(String name, MemorySegment segment, Right right) throws DXNetException {
        return cluster.node(0).remoteMemory().share(name, segment, EnumSet.of(right), Peers.of(1, 2));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private AttachedRegion attach(int node, String name) throws DXNetException {
        RemoteRegion region = cluster.node(node).remoteMemory().attach(0, name);
        return (AttachedRegion) region;
    }

    private static MemoryService service(DXNet net) {
        return (MemoryService) net.remoteMemory();
    }

    private Status send(int node, ServiceRequest<?> request) throws DXNetException {
        Object reply = service(cluster.node(node)).services().requester().sendSync(request, SECONDS_10);
        return reply instanceof ReadReply read ? read.status() : ((StatusReply) reply).status();
    }

    private Status write(int node, long attachment, long offset) throws DXNetException {
        return send(node, new WriteRequest(0).write(attachment, offset, ones).notify(0, 8, 1));
    }

    private Status read(int node, long attachment, long offset, int length) throws DXNetException {
        return send(node, new ReadRequest(0).read(attachment, offset, arena.allocate(length)));
    }

    @Test
    void shouldRefuseWithoutARight() throws DXNetException {
        long read = attach(1, "read").attachment();
        long write = attach(1, "write").attachment();
        assertThat(read(1, read, 0, 8)).isEqualTo(Status.OK);
        assertThat(write(1, write, 0)).isEqualTo(Status.OK);
        assertThat(write(1, read, 0)).isEqualTo(Status.NO_RIGHT);
        assertThat(read(1, write, 0, 8)).isEqualTo(Status.NO_RIGHT);
        assertThat(send(1, new AtomicRequest(0).add(write, 0, 1))).isEqualTo(Status.NO_RIGHT);
        assertThat(readOnly.mismatch(arena.allocate(BYTES))).isEqualTo(-1);
        checkMessages();
    }

    @Test
    void shouldRefuseOutOfBounds() throws DXNetException {
        long read = attach(1, "read").attachment();
        long write = attach(1, "write").attachment();
        for (long offset : new long[] {-1, -8, BYTES - 7, BYTES, Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MIN_VALUE}) {
            assertThat(write(1, write, offset)).isEqualTo(Status.OUT_OF_BOUNDS);
            assertThat(read(1, read, offset, 8)).isEqualTo(Status.OUT_OF_BOUNDS);
        }
        assertThat(read(1, read, 0, BYTES + 1)).isEqualTo(Status.OUT_OF_BOUNDS);
        assertThat(writeOnly.mismatch(arena.allocate(BYTES))).isEqualTo(-1);
        checkMessages();
    }

    @Test
    void shouldRefuseAMisalignedAtomic() throws DXNetException {
        MemorySegment counters = arena.allocate(64, 8);
        cluster.node(0).remoteMemory().share("atomic", counters, EnumSet.of(Right.ATOMIC), Peers.all());
        long attachment = attach(1, "atomic").attachment();
        assertThat(send(1, new AtomicRequest(0).add(attachment, 4, 1))).isEqualTo(Status.MISALIGNED);
        assertThat(send(1, new AtomicRequest(0).add(attachment, 8, 1))).isEqualTo(Status.OK);
    }

    @Test
    void shouldRefuseTheAttachmentOfAnotherNode() throws DXNetException {
        long ofOne = attach(1, "write").attachment();
        assertThat(write(2, ofOne, 0)).isEqualTo(Status.UNKNOWN_ATTACHMENT);
        assertThat(write(2, ofOne + 1, 0)).isEqualTo(Status.UNKNOWN_ATTACHMENT);
        assertThat(send(2, new StatusRequest(0, ofOne))).isEqualTo(Status.UNKNOWN_ATTACHMENT);
        assertThat(write(1, ofOne, 0)).isEqualTo(Status.OK);
        checkMessages();
    }

    @Test
    void shouldRefuseTheAttachmentOfAnEarlierIncarnation() throws DXNetException {
        long before = attach(1, "write").attachment();
        assertThat(write(1, before, 0)).isEqualTo(Status.OK);
        cluster.node(1).close();
        cluster.start(1);
        writeOnly.fill((byte) 0);
        assertThat(write(1, before, 0)).isEqualTo(Status.UNKNOWN_ATTACHMENT);
        long now = attach(1, "write").attachment();
        assertThat(write(1, before, 0)).isEqualTo(Status.UNKNOWN_ATTACHMENT);
        assertThat(writeOnly.mismatch(arena.allocate(BYTES))).isEqualTo(-1);
        assertThat(write(1, now, 0)).isEqualTo(Status.OK);
    }

    @Test
    void shouldRefuseARevokedRegionAndNoOther() throws DXNetException {
        MemorySegment other = arena.allocate(64);
        SharedRegion closing = share("closing", other, Right.WRITE);
        long revoked = attach(1, "closing").attachment();
        long write = attach(1, "write").attachment();
        closing.close();
        assertThat(write(1, revoked, 0)).isEqualTo(Status.REVOKED);
        assertThat(send(1, new StatusRequest(0, revoked))).isEqualTo(Status.REVOKED);
        assertThat(other.mismatch(arena.allocate(64))).isEqualTo(-1);
        assertThat(write(1, write, 0)).isEqualTo(Status.OK);
    }

    @Test
    void shouldRefuseMoreAttachmentsThanItKeeps() throws DXNetException {
        for (int i = 0; i < OwnedRegions.ATTACHMENTS_MAX; i++) {
            attach(1, "read");
        }
        AttachReply reply = service(cluster.node(1))
                .services()
                .requester()
                .sendSync(new AttachRequest(0, "read", new byte[0]), SECONDS_10);
        assertThat(reply.status()).isEqualTo(Status.NO_RIGHT);
        attach(2, "read");
    }

    private void checkMessages() throws DXNetException {
        assertThat(cluster.node(1).sendSync(new Ping(0, "still here", 0), SECONDS_10))
                .isNotNull();
        assertThat(cluster.failures).isEmpty();
    }
}
