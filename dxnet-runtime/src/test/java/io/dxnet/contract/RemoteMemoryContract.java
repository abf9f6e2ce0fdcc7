package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NetClosedException;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.memory.Batch;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What remote memory promises, on every transport: a transport's test class extends this one
 * and configures the transport.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class RemoteMemoryContract extends TransportContract {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final int MIB = 1 << 20;
    private static final int CANARY_BYTES = 4096;
    private static final byte CANARY = (byte) 0xC7;
    private static final String NAME = "region";

    /** For the transports' test classes. */
    protected RemoteMemoryContract() {}

    private final Arena arena = Arena.ofAuto();

    /** Deadlines are far: an end that comes is no deadline's, and a device may be slow at first. */
    private Cluster cluster(int nodes) {
        return cluster(
                nodes,
                builder -> builder.requestTimeoutMs((int) Cluster.seconds(30).toMillis()));
    }

    private static UnaryOperator<DXNetConfig.Builder> layout(ThreadingLayout layout) {
        return builder -> builder.threadingLayout(layout).handlers(layout == ThreadingLayout.FUSED ? 1 : 3);
    }

    private MemorySegment segment(long bytes) {
        return allocate(arena, bytes);
    }

    /** Allocates the memory that is shared, and that which is copied to and from it. */
    protected MemorySegment allocate(Arena from, long bytes) {
        return from.allocate(bytes, 64);
    }

    /** A segment between canaries. */
    private final class Guarded {
        private final MemorySegment whole;
        final MemorySegment segment;

        Guarded(long bytes) {
            whole = segment(bytes + 2L * CANARY_BYTES);
            whole.fill(CANARY);
            segment = whole.asSlice(CANARY_BYTES, bytes);
            segment.fill((byte) 0);
        }

        void check() {
            long end = CANARY_BYTES + segment.byteSize();
            for (int i = 0; i < CANARY_BYTES; i++) {
                assertThat(whole.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(CANARY);
                assertThat(whole.get(ValueLayout.JAVA_BYTE, end + i)).isEqualTo(CANARY);
            }
        }
    }

    private MemorySegment random(long bytes, long seed) {
        byte[] content = new byte[(int) bytes];
        new Random(seed).nextBytes(content);
        MemorySegment filled = segment(Math.max(1, bytes)).asSlice(0, bytes);
        filled.copyFrom(MemorySegment.ofArray(content));
        return filled;
    }

    private static SharedRegion share(DXNet net, MemorySegment segment, Set<Right> rights) throws DXNetException {
        return net.remoteMemory().share(NAME, segment, rights, Peers.all());
    }

    private static RemoteRegion attach(Cluster cluster, int node) throws DXNetException {
        return cluster.node(node).remoteMemory().attach(0, NAME);
    }

    /** The bytes that this thread has allocated; the module reads no management modules. */
    private static long allocatedBytes() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        return (long) Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getCurrentThreadAllocatedBytes")
                .invoke(bean);
    }

    @Test
    void shouldMakeNoGarbageWhereADeviceAccessesTheMemory() throws Exception {
        int rounds = 1000;
        try (Cluster cluster = cluster(2);
                SharedRegion region = share(cluster.node(0), segment(8192), ALL);
                RemoteRegion remote = attach(cluster, 1)) {
            Assumptions.assumeTrue(remote.isOneSided(), "messages carry operations");
            MemorySegment local = segment(64);
            MemorySegment large = segment(8192);
            long before = 0;
            for (int i = 0; i < 2 * rounds; i++) {
                if (i == rounds) {
                    before = allocatedBytes();
                }
                remote.write(64, local);
                remote.read(64, local);
                remote.read(0, large);
                remote.fetchAdd(0, 1);
                remote.compareAndSwap(8, i, i + 1);
            }
            long allocated = allocatedBytes() - before;
            assertThat(region.segment().byteSize()).isEqualTo(8192);
            // A thread that waits for a lock allocates; an object for each operation is much more.
            assertThat(allocated)
                    .as("bytes in %d rounds of 5 operations", rounds)
                    .isLessThan(rounds * 5L * Long.BYTES);
        }
    }

    private static void ping(Cluster cluster, int from, int to) throws DXNetException {
        assertThat(cluster.node(from).sendSync(new Ping(to, "ping", 0), Cluster.seconds(10)))
                .isNotNull();
    }

    // ---------------------------------------------------------------- copies

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 64, 4095, 4096, 65537, 262_144, 262_145, 3 * MIB + 5, 64 * MIB})
    void shouldReadAndWriteEveryByteAndNoOther(int bytes) throws DXNetException {
        Cluster cluster = cluster(2);
        Guarded target = new Guarded(bytes + 100L);
        share(cluster.node(0), target.segment, ALL);
        RemoteRegion region = attach(cluster, 1);
        assertThat(region.length()).isEqualTo(bytes + 100L);
        assertThat(region.owner()).isZero();
        assertThat(region.name()).isEqualTo(NAME);
        MemorySegment source = random(bytes, bytes);
        region.write(51, source);
        assertThat(target.segment.asSlice(51, bytes).mismatch(source)).isEqualTo(-1);
        target.check();
        for (int i = 0; i < 51; i++) {
            assertThat(target.segment.get(ValueLayout.JAVA_BYTE, i)).isZero();
        }
        for (int i = 51 + bytes; i < bytes + 100; i++) {
            assertThat(target.segment.get(ValueLayout.JAVA_BYTE, i)).isZero();
        }
        Guarded back = new Guarded(bytes);
        region.read(51, back.segment);
        assertThat(back.segment.mismatch(source)).isEqualTo(-1);
        back.check();
        cluster.awaitQuiet();
    }

    @Test
    void shouldScatterAndGather() throws DXNetException {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(1 << 20);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        MemorySegment source = random(300_001, 5);
        region.write(9, source.asSlice(0, 1), source.asSlice(1, 0), source.asSlice(1, 300_000));
        assertThat(shared.asSlice(9, 300_001).mismatch(source)).isEqualTo(-1);
        MemorySegment first = segment(299_000);
        MemorySegment second = MemorySegment.ofArray(new byte[1001]);
        region.read(9, first, second);
        assertThat(first.mismatch(source.asSlice(0, 299_000))).isEqualTo(-1);
        assertThat(second.mismatch(source.asSlice(299_000))).isEqualTo(-1);
    }

    @Test
    void shouldAccessLocalSegmentsOfAllKinds() throws DXNetException {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(1000), ALL);
        RemoteRegion region = attach(cluster, 1);
        byte[] heap = {1, 2, 3};
        region.write(5, MemorySegment.ofArray(heap));
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment target = confined.allocate(3);
            region.read(5, target);
            assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(heap);
            target.fill((byte) 9);
            region.write(5, target);
            assertThatThrownBy(() -> region.readAsync(5, target)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] back = new byte[3];
        region.readAsync(5, MemorySegment.ofArray(back)).join();
        assertThat(back).containsOnly(9);
        assertThatThrownBy(
                        () -> region.read(5, MemorySegment.ofArray(new byte[3]).asReadOnly()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCarryOutManyAsynchronousOperations() throws DXNetException {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(1 << 20);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        MemorySegment source = random(1 << 20, 3);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 1 << 20; i += 512) {
            all.add(region.writeAsync(i, source.asSlice(i, 512)));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        assertThat(shared.mismatch(source)).isEqualTo(-1);
        MemorySegment back = segment(1 << 20);
        all.clear();
        for (int i = 0; i < 1 << 20; i += 512) {
            all.add(region.readAsync(i, back.asSlice(i, 512)));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        assertThat(back.mismatch(source)).isEqualTo(-1);
        cluster.awaitQuiet();
    }

    @Test
    void shouldCopyBothWaysBetweenAllNodes() throws Exception {
        int nodes = 3;
        int bytes = 5 * MIB;
        Cluster cluster = cluster(nodes);
        List<MemorySegment> shared = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            shared.add(segment((long) nodes * bytes));
            share(cluster.node(i), shared.get(i), ALL);
        }
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < nodes; j++) {
                int from = i;
                int to = j;
                if (from != to) {
                    all.add(inThread(() -> {
                        RemoteRegion region = cluster.node(from).remoteMemory().attach(to, NAME);
                        MemorySegment source = random(bytes, 10L * from + to);
                        MemorySegment back = segment(bytes);
                        for (int round = 0; round < 3; round++) {
                            region.write((long) from * bytes, source);
                            back.fill((byte) 0);
                            region.read((long) from * bytes, back);
                            assertThat(back.mismatch(source)).isEqualTo(-1);
                        }
                    }));
                }
            }
        }
        for (CompletableFuture<Void> each : all) {
            each.get(100, TimeUnit.SECONDS);
        }
        cluster.awaitQuiet();
    }

    @Test
    void shouldServeAHandlerThatWaits() throws Exception {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(2L * MIB), ALL);
        RemoteRegion region = attach(cluster, 1);
        CompletableFuture<Long> seen = new CompletableFuture<>();
        cluster.node(1).register(TestMessages.TYPE, TestMessages.DATA, message -> {
            try {
                region.write(0, random(2L * MIB, 1));
                region.read(0, segment(2L * MIB));
                region.fetchAddAsync(8, 1).join();
                seen.complete(region.fetchAdd(8, 1));
            } catch (Throwable e) {
                seen.completeExceptionally(e);
            }
        });
        cluster.node(0).sendMessage(new TestMessages.Data(1, 0, 0, 10));
        seen.get(60, TimeUnit.SECONDS);
    }

    /** Also where some are posted to a device and others are messages. */
    @Test
    void shouldKeepTheOrderOfOneThread() throws Exception {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(64);
        SharedRegion owned = share(cluster.node(0), shared, ALL);
        AtomicInteger notified = new AtomicInteger();
        owned.onNotify((from, offset, length, value) -> notified.incrementAndGet());
        RemoteRegion region = attach(cluster, 1);
        int rounds = 500;
        for (int i = 1; i <= rounds; i++) {
            MemorySegment first = segment(8).fill((byte) 1);
            MemorySegment second = segment(8).fill((byte) 2);
            MemorySegment third = segment(8).fill((byte) i);
            List<CompletableFuture<Void>> all = new ArrayList<>();
            all.add(region.writeAndNotifyAsync(8, first, i));
            all.add(region.writeAsync(8, second));
            if (i % 2 == 0) {
                all.add(region.writeAsync(8, third));
            } else {
                region.write(8, third);
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(shared.asSlice(8, 8).mismatch(third)).as("round %d", i).isEqualTo(-1);
        }
        Cluster.await("notifications", () -> notified.get() == rounds);
        cluster.awaitQuiet();
    }

    // ---------------------------------------------------------------- atomics

    @Test
    void shouldAddUpExactly() throws Exception {
        int nodes = 3;
        int rounds = 300;
        Cluster cluster = cluster(nodes);
        MemorySegment shared = segment(4096);
        share(cluster.node(0), shared, ALL);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            RemoteRegion region = attach(cluster, node);
            for (int thread = 0; thread < 3; thread++) {
                all.add(inThread(() -> {
                    for (int i = 0; i < rounds; i++) {
                        region.fetchAdd(8, 3);
                        long before = region.compareAndSwap(16, 0, 0);
                        long expected = before;
                        while ((before = region.compareAndSwap(16, expected, expected + 1)) != expected) {
                            expected = before;
                        }
                    }
                }));
            }
        }
        for (CompletableFuture<Void> each : all) {
            each.get(100, TimeUnit.SECONDS);
        }
        int total = (nodes - 1) * 3 * rounds;
        assertThat(shared.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(3L * total);
        assertThat(shared.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(total);
        assertThat(shared.get(ValueLayout.JAVA_LONG, 0)).isZero();
        assertThat(shared.get(ValueLayout.JAVA_LONG, 24)).isZero();
        cluster.awaitQuiet();
    }

    @Test
    void shouldReturnWhatWasThere() throws DXNetException {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(64);
        shared.set(ValueLayout.JAVA_LONG, 56, Long.MAX_VALUE);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        assertThat(region.fetchAdd(56, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(region.compareAndSwap(56, 5, 6)).isEqualTo(Long.MIN_VALUE);
        assertThat(region.compareAndSwapAsync(56, Long.MIN_VALUE, 6).join()).isEqualTo(Long.MIN_VALUE);
        assertThat(shared.get(ValueLayout.JAVA_LONG, 56)).isEqualTo(6);
        assertThatThrownBy(() -> region.fetchAdd(1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> region.compareAndSwap(4, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> region.fetchAdd(64, 1)).isInstanceOf(RemoteMemoryException.OutOfBounds.class);
    }

    // ---------------------------------------------------------------- batches and notifications

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldCarryOutABatchInOrder(ThreadingLayout layout) throws DXNetException {
        Cluster cluster = cluster(2, layout(layout));
        MemorySegment shared = segment(2L * MIB);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        MemorySegment big = random(MIB + 3, 8);
        MemorySegment back = segment(MIB + 3);
        MemorySegment small = segment(8);
        MemorySegment after = segment(8);
        try (Batch batch = region.batch()) {
            batch.write(8, big)
                    .fence()
                    .read(8, back)
                    .read(0, small)
                    .fence()
                    .fetchAdd(0, 5)
                    .fetchAdd(0, 6)
                    .compareAndSwap(0, 11, 100)
                    .fence()
                    .read(0, after);
            assertThat(batch.execute()).containsExactly(0, 5, 11);
        }
        assertThat(back.mismatch(big)).isEqualTo(-1);
        assertThat(small.get(ValueLayout.JAVA_LONG, 0)).isZero();
        assertThat(after.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(100);
        assertThat(region.batch().execute()).isEmpty();
        assertThat(region.batch().fetchAdd(0, 1).post().join()).containsExactly(100);
    }

    record Notified(int from, long offset, long length, int value) {}

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldNotifyInOrderWhenTheBytesHaveLanded(ThreadingLayout layout) throws DXNetException {
        int count = 200;
        Cluster cluster = cluster(2, layout(layout));
        MemorySegment shared = segment(4L * MIB);
        Queue<Notified> notified = new ConcurrentLinkedQueue<>();
        AtomicReference<String> wrong = new AtomicReference<>();
        SharedRegion owned = share(cluster.node(0), shared, ALL);
        owned.onNotify((from, offset, length, value) -> {
            for (long i = 0; i < length; i += 1 + length / 16) {
                if (shared.get(ValueLayout.JAVA_BYTE, offset + i) != (byte) value) {
                    wrong.set("notification " + value + " came before its bytes");
                }
            }
            notified.add(new Notified(from, offset, length, value));
        });
        RemoteRegion region = attach(cluster, 1);
        List<Notified> expected = new ArrayList<>();
        CompletableFuture<Void> last = null;
        int offset = 0;
        for (int i = 0; i < count; i++) {
            int bytes = i % 50 == 7 ? 600_000 : 1 + i % 5 * 1000;
            MemorySegment source = segment(bytes).fill((byte) i);
            // No place twice: a device writes the next bytes while the listener reads these.
            int at = bytes > 10_000 ? MIB + i / 50 * 600_000 : offset;
            offset += bytes > 10_000 ? 0 : bytes;
            if (bytes > 10_000) {
                last = null;
                region.writeAndNotify(at, source, i);
            } else {
                last = region.writeAndNotifyAsync(at, source, i);
            }
            expected.add(new Notified(1, at, bytes, i));
        }
        last.join();
        Cluster.await("notifications", () -> notified.size() >= count);
        assertThat(wrong.get()).isNull();
        assertThat(notified).containsExactlyElementsOf(expected);
    }

    // ---------------------------------------------------------------- rights and bounds

    @Test
    void shouldRefuseWhatIsOutOfBounds() throws DXNetException {
        Cluster cluster = cluster(2);
        Guarded target = new Guarded(1000);
        share(cluster.node(0), target.segment, ALL);
        RemoteRegion region = attach(cluster, 1);
        MemorySegment local = segment(100);
        for (long offset : new long[] {-1, 901, 1000, 1001, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> region.read(offset, local)).isInstanceOf(RemoteMemoryException.OutOfBounds.class);
            assertThatThrownBy(() -> region.write(offset, local)).isInstanceOf(RemoteMemoryException.OutOfBounds.class);
            assertThat(region.writeAsync(offset, local))
                    .failsWithin(Cluster.seconds(10))
                    .withThrowableOfType(Exception.class)
                    .withCauseInstanceOf(RemoteMemoryException.OutOfBounds.class);
        }
        region.write(900, local);
        target.check();
        ping(cluster, 1, 0);
    }

    @Test
    void shouldRefuseWhatThereIsNoRightFor() throws DXNetException {
        Cluster cluster = cluster(3);
        DXNet owner = cluster.node(0);
        MemorySegment shared = segment(100);
        owner.remoteMemory().share("read", shared, EnumSet.of(Right.READ), Peers.of(1));
        owner.remoteMemory().share("write", shared, EnumSet.of(Right.WRITE), Peers.of(1));
        owner.remoteMemory().share("none", shared, EnumSet.noneOf(Right.class), Peers.of(1));
        MemorySegment local = segment(8).fill((byte) 5);
        RemoteRegion read = cluster.node(1).remoteMemory().attach(0, "read");
        read.read(0, local);
        assertThatThrownBy(() -> read.write(0, local)).isInstanceOf(RemoteMemoryException.NoRight.class);
        assertThatThrownBy(() -> read.fetchAdd(0, 1)).isInstanceOf(RemoteMemoryException.NoRight.class);
        RemoteRegion write = cluster.node(1).remoteMemory().attach(0, "write");
        write.write(0, local);
        assertThatThrownBy(() -> write.read(0, local)).isInstanceOf(RemoteMemoryException.NoRight.class);
        assertThatThrownBy(() -> cluster.node(2).remoteMemory().attach(0, "read"))
                .isInstanceOf(RemoteMemoryException.NoRight.class);
        assertThatThrownBy(() -> cluster.node(2).remoteMemory().attach(0, "other"))
                .isInstanceOf(RemoteMemoryException.NoSuchRegion.class);
        ping(cluster, 1, 0);
        ping(cluster, 2, 0);
    }

    @Test
    void shouldRefuseWhatCannotBeShared() throws DXNetException {
        Cluster cluster = cluster(1);
        DXNet net = cluster.node(0);
        SharedRegion first = share(net, segment(8), ALL);
        assertThatThrownBy(() -> share(net, segment(8), ALL)).isInstanceOf(IllegalStateException.class);
        first.close();
        first.close();
        share(net, segment(8), ALL);
        assertThatThrownBy(() -> net.remoteMemory().share("", segment(8), ALL, Peers.all()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> net.remoteMemory().share("x".repeat(256), segment(8), ALL, Peers.all()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> net.remoteMemory().share("a", segment(9).asSlice(1), ALL, Peers.all()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> net.remoteMemory().share("a", segment(8).asReadOnly(), ALL, Peers.all()))
                .isInstanceOf(IllegalArgumentException.class);
        try (Arena confined = Arena.ofConfined()) {
            assertThatThrownBy(() -> net.remoteMemory().share("a", confined.allocate(8), ALL, Peers.all()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    // ---------------------------------------------------------------- revocation

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldLetNoWriteLandAfterClose(ThreadingLayout layout) throws Exception {
        Cluster cluster = cluster(3, layout(layout));
        for (int round = 0; round < 5; round++) {
            Guarded target = new Guarded(MIB);
            SharedRegion owned = share(cluster.node(0), target.segment, ALL);
            List<CompletableFuture<Throwable>> writers = new ArrayList<>();
            AtomicInteger writes = new AtomicInteger();
            for (int node = 1; node <= 2; node++) {
                RemoteRegion region = attach(cluster, node);
                for (int size : new int[] {64, 4096, 700_000}) {
                    MemorySegment source = segment(size).fill((byte) 1);
                    CompletableFuture<Throwable> ended = new CompletableFuture<>();
                    writers.add(ended);
                    Thread.ofPlatform()
                            .start(() -> ended.complete(catchThrowable(() -> {
                                for (; ; ) {
                                    region.write(0, source);
                                    writes.incrementAndGet();
                                }
                            })));
                }
            }
            Cluster.await("writes", () -> writes.get() > 20);
            owned.close();
            target.segment.fill(CANARY);
            for (CompletableFuture<Throwable> each : writers) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
            }
            assertThat(target.segment.asSlice(1).mismatch(target.segment.asSlice(0, MIB - 1)))
                    .isEqualTo(-1);
            assertThat(target.segment.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(CANARY);
            target.check();
        }
        ping(cluster, 1, 0);
        ping(cluster, 0, 2);
        cluster.awaitQuiet();
    }

    @Test
    void shouldInformPeersOfARevocation() throws DXNetException {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(100);
        SharedRegion owned = share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        RemoteRegion other = attach(cluster, 1);
        region.write(0, segment(8));
        owned.close();
        assertThatThrownBy(() -> region.read(0, segment(8))).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
        assertThatThrownBy(() -> other.fetchAdd(0, 8)).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
        assertThatThrownBy(() -> attach(cluster, 1)).isInstanceOf(RemoteMemoryException.NoSuchRegion.class);
        share(cluster.node(0), shared, ALL);
        assertThatThrownBy(() -> region.read(0, segment(8))).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
        attach(cluster, 1).write(0, segment(8).fill((byte) 3));
        assertThat(shared.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 3);
    }

    @Test
    void shouldRevokeInAListener() throws Exception {
        Cluster cluster = cluster(2);
        SharedRegion owned = share(cluster.node(0), segment(100), ALL);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        owned.onNotify((from, offset, length, value) -> {
            owned.close();
            closed.complete(null);
        });
        RemoteRegion region = attach(cluster, 1);
        region.writeAndNotify(0, segment(8), 1);
        closed.get(60, TimeUnit.SECONDS);
        assertThatThrownBy(() -> region.read(0, segment(8))).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
    }

    @Test
    void shouldDetach() throws DXNetException {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(100), ALL);
        for (int i = 0; i < 200; i++) { // more than may be attached at a time
            RemoteRegion region = attach(cluster, 1);
            region.fetchAdd(0, 1);
            region.close();
            region.close();
            assertThatThrownBy(() -> region.fetchAdd(0, 1)).isInstanceOf(RemoteMemoryException.class);
        }
        assertThat(attach(cluster, 1).fetchAdd(0, 1)).isEqualTo(200);
    }

    /** The owner learns it with the next attachment, before it refuses one of too many. */
    @Test
    void shouldDetachWhenTheConnectionHasEnded() throws DXNetException {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(100), ALL);
        DXNet peer = cluster.node(1);
        for (int i = 0; i < 100; i++) { // more than may be attached at a time
            RemoteRegion region = attach(cluster, 1);
            region.fetchAdd(0, 1);
            peer.disconnectNode(0);
            Cluster.await("the end of the connection", () -> {
                var statistics = peer.statistics();
                return statistics.connectionsOpened() == statistics.connectionsClosed();
            });
            region.close();
        }
        assertThat(attach(cluster, 1).fetchAdd(0, 1)).isEqualTo(100);
    }

    // ---------------------------------------------------------------- failures

    @Test
    void shouldContinueAfterAConnectionEnds() throws DXNetException {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(100), ALL);
        RemoteRegion region = attach(cluster, 1);
        region.fetchAdd(0, 1);
        cluster.node(1).disconnectNode(0);
        assertThat(region.fetchAdd(0, 1)).isEqualTo(1);
        cluster.node(0).disconnectNode(1);
        Cluster.await("an operation", () -> {
            try {
                region.fetchAdd(8, 1);
                return true;
            } catch (RemoteMemoryException.OwnerGone e) {
                return false;
            } catch (DXNetException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(region.fetchAdd(0, 1)).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnotherIncarnation() throws DXNetException {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(100);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        region.write(0, segment(8));
        cluster.node(0).close();
        Throwable gone = catchThrowable(() -> region.write(0, segment(8)));
        assertThat(gone).isInstanceOf(RemoteMemoryException.class);
        assertThat(gone)
                .isInstanceOfAny(RemoteMemoryException.OwnerGone.class, RemoteMemoryException.RegionRevoked.class);
        cluster.start(0);
        share(cluster.node(0), shared, ALL);
        Cluster.await("a refusal", () -> {
            Throwable error = catchThrowable(() -> region.write(0, segment(8).fill((byte) 1)));
            assertThat(error)
                    .isInstanceOfAny(RemoteMemoryException.OwnerGone.class, RemoteMemoryException.RegionRevoked.class);
            return !error.getMessage().contains("refused");
        });
        assertThat(shared.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        RemoteRegion again = attach(cluster, 1);
        again.write(0, segment(8).fill((byte) 1));
        assertThat(shared.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
        ping(cluster, 1, 0);
    }

    @Test
    void shouldEndWhatIsUnderWayWhenTheOwnerGoes() throws Exception {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(4L * MIB), ALL);
        RemoteRegion region = attach(cluster, 1);
        AtomicLong done = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        List<Throwable> failures = new ArrayList<>();
        CompletableFuture<Void> writer = inThread(() -> {
            MemorySegment source = segment(4L * MIB);
            while (!stop.get() && failures.isEmpty()) {
                List<CompletableFuture<Void>> all = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    all.add(region.writeAsync(0, source));
                }
                for (CompletableFuture<Void> each : all) {
                    Throwable error = catchThrowable(each::join);
                    if (error == null) {
                        done.incrementAndGet();
                    } else {
                        failures.add(error.getCause() == null ? error : error.getCause());
                    }
                }
            }
        });
        Cluster.await("writes", () -> done.get() > 2);
        cluster.node(0).close();
        Cluster.await("failures", () -> writer.isDone());
        writer.join();
        assertThat(failures)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOfAny(
                                RemoteMemoryException.OwnerGone.class, RemoteMemoryException.RegionRevoked.class));
        cluster.start(0);
    }

    @Test
    void shouldFailWhenItsOwnNodeIsClosed() throws Exception {
        Cluster cluster = cluster(2);
        share(cluster.node(0), segment(100), ALL);
        RemoteRegion region = attach(cluster, 1);
        cluster.node(1).close();
        assertThatThrownBy(() -> region.read(0, segment(8)))
                .isInstanceOfAny(NetClosedException.class, RemoteMemoryException.OwnerGone.class);
        assertThatThrownBy(() -> cluster.node(1).remoteMemory().attach(0, NAME)).isInstanceOf(NetClosedException.class);
        assertThatThrownBy(() -> share(cluster.node(1), segment(8), ALL)).isInstanceOf(NetClosedException.class);
    }

    @Test
    void shouldAttachToItself() throws DXNetException {
        Cluster cluster = cluster(1);
        share(cluster.node(0), segment(2L * MIB), ALL);
        RemoteRegion region = attach(cluster, 0);
        MemorySegment source = random(2L * MIB, 2);
        region.write(0, source);
        MemorySegment back = segment(2L * MIB);
        region.read(0, back);
        assertThat(back.mismatch(source)).isEqualTo(-1);
    }

    @Test
    void shouldWorkWithSmallRingsAndMessages() throws DXNetException {
        Cluster cluster = cluster(2, builder -> builder.ringBytes(4 << 10).maxMessageBytes(1 << 10));
        MemorySegment shared = segment(100_000);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        MemorySegment source = random(100_000, 4);
        region.write(0, source);
        MemorySegment back = segment(100_000);
        region.read(0, back);
        assertThat(back.mismatch(source)).isEqualTo(-1);
    }

    // ---------------------------------------------------------------- records

    @Test
    void shouldNeverReadATornRecord() throws Exception {
        int recordBytes = 1001;
        int writes = 300;
        Cluster cluster = cluster(3);
        MemorySegment shared = segment(3L * (16 + 1008));
        SharedRegion owned = share(cluster.node(0), shared, ALL);
        VersionedRegion local = owned.versioned(recordBytes);
        assertThat(local.records()).isEqualTo(3);
        VersionedRegion writer = attach(cluster, 1).versioned(recordBytes);
        VersionedRegion reader = attach(cluster, 2).versioned(recordBytes);
        assertThat(reader.read(2, segment(recordBytes))).isZero();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger reads = new AtomicInteger();
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (VersionedRegion from : List.of(local, reader)) {
            for (int record = 0; record < 2; record++) {
                int index = record;
                readers.add(inThread(() -> {
                    byte[] content = new byte[recordBytes];
                    long last = 0;
                    while (!stop.get()) {
                        long version = from.read(index, MemorySegment.ofArray(content));
                        assertThat(version).isEven().isGreaterThanOrEqualTo(last);
                        byte[] expected = new byte[recordBytes];
                        Arrays.fill(expected, (byte) (version / 2));
                        assertThat(content).isEqualTo(expected);
                        last = version;
                        reads.incrementAndGet();
                    }
                }));
            }
        }
        byte[] content = new byte[recordBytes];
        for (int i = 1; i <= writes || reads.get() < 50; i++) {
            Arrays.fill(content, (byte) i);
            assertThat(writer.write(0, MemorySegment.ofArray(content))).isEqualTo(2L * i);
            assertThat(local.write(1, MemorySegment.ofArray(content))).isEqualTo(2L * i);
        }
        stop.set(true);
        for (CompletableFuture<Void> each : readers) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    /** Neighbours, while the one in the middle is written all the time. */
    @Test
    void shouldReadNeighbouringRecordsAtOnce() throws Exception {
        int recordBytes = 13;
        Cluster cluster = cluster(2);
        SharedRegion owned = share(cluster.node(0), segment(5L * (16 + 16) - 3), ALL);
        VersionedRegion local = owned.versioned(recordBytes);
        VersionedRegion remote = attach(cluster, 1).versioned(recordBytes);
        assertThat(remote.records()).isEqualTo(4);
        local.write(0, random(recordBytes, 1));
        local.write(2, random(recordBytes, 2));
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> writer = inThread(() -> {
            for (int i = 1; !stop.get(); i++) {
                local.write(1, segment(recordBytes).fill((byte) i));
            }
        });
        for (VersionedRegion from : List.of(local, remote)) {
            long last = 0;
            for (int whole = 0; whole < 200; ) {
                MemorySegment target = segment(4 * recordBytes).fill((byte) 9);
                long[] versions = new long[4];
                if (from.tryRead(0, target, versions)) {
                    whole++;
                    assertThat(versions[1]).isEven().isGreaterThanOrEqualTo(last);
                    last = versions[1];
                    assertThat(versions).containsExactly(2, last, 2, 0);
                } else {
                    assertThat(versions).containsExactly(2, VersionedRegion.TORN, 2, 0);
                }
                byte inMiddle = versions[1] == VersionedRegion.TORN ? 0 : (byte) (last / 2);
                assertThat(target.asSlice(0, recordBytes).mismatch(random(recordBytes, 1)))
                        .isEqualTo(-1);
                assertThat(target.asSlice(recordBytes, recordBytes)
                                .mismatch(segment(recordBytes).fill(inMiddle)))
                        .isEqualTo(-1);
                assertThat(target.asSlice(2 * recordBytes, recordBytes).mismatch(random(recordBytes, 2)))
                        .isEqualTo(-1);
                assertThat(target.asSlice(3 * recordBytes).mismatch(segment(recordBytes)))
                        .isEqualTo(-1);
            }
            assertThatThrownBy(() -> from.tryRead(2, segment(3 * recordBytes), new long[3]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> from.tryRead(0, segment(recordBytes), new long[2]))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> from.tryRead(0, segment(0), new long[0]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        stop.set(true);
        writer.get(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldReportARecordThatStaysTorn() throws DXNetException {
        Cluster cluster = cluster(2, builder -> builder.requestTimeoutMs(2000));
        MemorySegment shared = segment(100);
        share(cluster.node(0), shared, ALL);
        RemoteRegion region = attach(cluster, 1);
        VersionedRegion records = region.versioned(8);
        shared.set(ValueLayout.JAVA_LONG, 0, 5);
        assertThat(records.write(1, segment(8).fill((byte) 2))).isEqualTo(2);
        long[] versions = new long[2];
        MemorySegment target = segment(16).fill((byte) 9);
        assertThat(records.tryRead(0, target, versions)).isFalse();
        assertThat(versions).containsExactly(VersionedRegion.TORN, 2);
        assertThat(target.asSlice(0, 8).mismatch(segment(8))).isEqualTo(-1);
        assertThat(target.asSlice(8).mismatch(segment(8).fill((byte) 2))).isEqualTo(-1);
        assertThatThrownBy(() -> records.read(0, segment(8))).isInstanceOf(RemoteMemoryException.TimedOut.class);
        assertThat(records.write(0, segment(8).fill((byte) 1))).isEqualTo(6);
        assertThat(records.read(0, segment(8))).isEqualTo(6);
        assertThatThrownBy(() -> records.read(9, segment(8))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> records.read(0, segment(9))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> region.versioned(85)).isInstanceOf(IllegalArgumentException.class);
    }

    /** As a read may find it: the first byte of the version 0x100 above those of 0xFF. */
    @Test
    void shouldNotMistakeATornVersionForARecordThatWasNeverWritten() throws DXNetException {
        Cluster cluster = cluster(2);
        MemorySegment shared = segment(100);
        VersionedRegion local = share(cluster.node(0), shared, ALL).versioned(8);
        VersionedRegion remote = attach(cluster, 1).versioned(8);
        for (VersionedRegion records : List.of(local, remote)) {
            shared.fill((byte) 0);
            assertThat(records.write(1, segment(8).fill((byte) 2))).isEqualTo(2);
            shared.set(ValueLayout.JAVA_LONG, 24, 0);
            long[] versions = new long[3];
            MemorySegment target = segment(24).fill((byte) 9);
            assertThat(records.tryRead(0, target, versions)).isFalse();
            assertThat(versions).containsExactly(0, VersionedRegion.TORN, 0);
            assertThat(target.mismatch(segment(24))).isEqualTo(-1);
            for (long other : new long[] {32, 36, 40, 47}) { // checksum, what follows it, content
                shared.fill((byte) 0);
                assertThat(records.read(1, segment(8))).isZero();
                shared.set(ValueLayout.JAVA_BYTE, other, (byte) 1);
                assertThat(records.tryRead(1, segment(8), new long[1]))
                        .as("a byte at %d", other)
                        .isFalse();
            }
        }
    }

    /** The notification has arrived when the operation is done: what follows does not lose it. */
    @Test
    void shouldNotifyOfWhatWasWrittenBeforeItsWriterDetaches() throws DXNetException {
        int rounds = 60;
        Cluster cluster = cluster(2);
        AtomicInteger notified = new AtomicInteger();
        AtomicReference<String> wrong = new AtomicReference<>();
        SharedRegion owned = share(cluster.node(0), segment(64), ALL);
        owned.onNotify((from, offset, length, value) -> {
            if (value != notified.getAndIncrement()) {
                wrong.set("after " + (notified.get() - 1) + " came " + value);
            }
        });
        MemorySegment source = segment(8);
        int value = 0;
        for (int i = 0; i < rounds; i++) {
            try (RemoteRegion region = cluster.node(1).remoteMemory().attach(0, owned.name())) {
                for (int j = 0; j < 1 + i % 20; j++) {
                    region.writeAndNotify(0, source, value++);
                }
            }
        }
        int all = value;
        Cluster.await("all notifications", () -> notified.get() == all);
        assertThat(wrong).hasNullValue();
    }

    // ---------------------------------------------------------------- ledger

    /** {@code -Ddxnet.test.memorySeconds} and {@code -Ddxnet.test.seed}. */
    @Test
    @Timeout(value = 1200, unit = TimeUnit.SECONDS)
    void shouldAccountForEveryOperation() throws Exception {
        int nodes = 4;
        Cluster cluster = cluster(nodes, builder -> builder.requestTimeoutMs(5000));
        new MemoryLedger(cluster, nodes, Long.getLong("dxnet.test.seed", 17001), this::segment)
                .run(Integer.getInteger("dxnet.test.memorySeconds", 4));
        cluster.awaitQuiet();
    }

    private interface Body {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> inThread(Body body) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                body.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }
}
