package io.dxnet.tools.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import io.dxnet.tools.bench.nodes.NodeMaps;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gets by memory: what they return, and when a message answers. */
@Timeout(120)
class PublishedSlotsTest {
    private static final int SLOT_BYTES = 40;
    private static final List<Gets> BOTH = List.of(Gets.MESSAGES, Gets.MEMORY);

    @TempDir
    Path directory;

    private Path map;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void map() throws IOException {
        map = directory.resolve("nodes.properties");
        NodeMaps.write(map, 3);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : List.copyOf(open).reversed()) {
            each.close();
        }
    }

    private DXNetConfig config(String transport) {
        DXNetConfig.Builder builder =
                DXNetConfig.builder().clusterName("slots").transport(transport).requestTimeoutMs(20_000);
        return transport.equals("ib")
                ? builder.transportOption("ib.device", "soft0").build()
                : builder.build();
    }

    private StoreNode node(String transport, Publication publication) {
        StoreNode node = new StoreNode(config(transport), NodeMap.load(0, map), publication);
        open.add(node);
        return node;
    }

    private StoreClient client(String transport, int id) throws DXNetException {
        StoreClient client = new StoreClient(config(transport), NodeMap.load(id, map), 1, BOTH);
        open.add(client);
        client.connect();
        return client;
    }

    private static long count(StoreClient client, GetAnswer answer) {
        return client.counts().of(answer);
    }

    private static void assertRow(StoreClient client, String key, byte[] row) throws DXNetException {
        assertThat(client.read(key, Gets.MEMORY)).isEqualTo(row);
        assertThat(client.read(key, Gets.MESSAGES)).isEqualTo(row);
    }

    private static byte[] row(String name, int bytes) {
        ByteBuffer row = ByteBuffer.allocate(2 + name.length() + 4 + bytes);
        row.putShort((short) name.length()).put(name.getBytes()).putInt(bytes);
        return row.array();
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "nio", "shm", "ib"})
    void shouldReadWhatWasPutLast(String transport) throws DXNetException {
        node(transport, new Publication(100, SLOT_BYTES));
        StoreClient client = client(transport, 1);
        assertThat(client.isOneSided()).isEqualTo(transport.equals("ib") || transport.equals("shm"));
        assertRow(client, "none", null);
        assertThat(count(client, GetAnswer.NO_SLOT)).isEqualTo(1);
        client.insert("a", row("f", 1));
        assertRow(client, "a", row("f", 1));
        client.insert("a", row("f", 2));
        assertRow(client, "a", row("f", 2));
        client.update("a", row("f", 3));
        assertRow(client, "a", row("f", 3));
        assertThat(client.update("b", row("f", 3)).found()).isFalse();
        assertRow(client, "b", null);
        assertThat(count(client, GetAnswer.MEMORY)).isEqualTo(3);
        assertThat(client.delete("a").found()).isTrue();
        assertRow(client, "a", null);
        client.insert("a", row("g", 4));
        assertRow(client, "a", row("g", 4));
        assertThat(count(client, GetAnswer.MEMORY)).isEqualTo(4);
        assertThat(count(client, GetAnswer.NO_SLOT)).isEqualTo(3);
    }

    @Test
    void shouldAskForWhatHasNoRoomInASlot() throws DXNetException {
        node("loopback", new Publication(100, SLOT_BYTES));
        StoreClient client = client("loopback", 1);
        client.insert("a", row("f", 1));
        client.update("a", row("f", 1000));
        assertRow(client, "a", row("f", 1000));
        assertThat(count(client, GetAnswer.LARGE_ROW)).isEqualTo(1);
        client.update("a", row("f", 2));
        assertRow(client, "a", row("f", 2));
        assertThat(count(client, GetAnswer.MEMORY)).isEqualTo(1);
        String longKey = "k".repeat(1000);
        client.insert(longKey, row("f", 1));
        assertRow(client, longKey, row("f", 1));
        client.delete(longKey);
        assertRow(client, longKey, null);
        assertThat(count(client, GetAnswer.NO_SLOT)).isEqualTo(2);
    }

    @Test
    void shouldAskForKeysWithoutAFreeSlot() throws DXNetException {
        int keys = 200;
        node("loopback", new Publication(50, SLOT_BYTES));
        StoreClient client = client("loopback", 1);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < keys; i++) {
                client.insert("key" + i, row("f", (i + round) % 7));
            }
            for (int i = 0; i < keys; i++) {
                assertRow(client, "key" + i, row("f", (i + round) % 7));
            }
            for (int i = round; i < keys; i += 3) { // other keys get these slots
                assertThat(client.delete("key" + i).found()).isTrue();
            }
            for (int i = 0; i < keys; i++) {
                assertRow(client, "key" + i, i % 3 == round ? null : row("f", (i + round) % 7));
            }
        }
        assertThat(count(client, GetAnswer.MEMORY)).isBetween(3L * 30, 3L * 2 * 50);
        assertThat(client.counts().fallbacks()).isEqualTo(6L * keys - count(client, GetAnswer.MEMORY));
    }

    /** One reader sees no older row by either way after a newer one by the other. */
    @ParameterizedTest
    @ValueSource(strings = {"loopback", "nio", "ib"})
    void shouldNeverReadATornOrOlderRow(String transport) throws Exception {
        int updates = 1000;
        node(transport, new Publication(10, 80));
        StoreClient writer = client(transport, 1);
        StoreClient reader = client(transport, 2);
        writer.insert("a", ByteBuffer.allocate(64).array());
        writer.insert("b", ByteBuffer.allocate(64).array());
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Integer> reads = CompletableFuture.supplyAsync(() -> {
            int last = 0;
            int count = 0;
            for (; !stop.get() || count < 50; count++) {
                try {
                    ByteBuffer row = ByteBuffer.wrap(reader.read("a", count % 2 == 0 ? Gets.MEMORY : Gets.MESSAGES));
                    int first = row.getInt();
                    assertThat(first).isGreaterThanOrEqualTo(last);
                    while (row.hasRemaining()) {
                        assertThat(row.getInt()).isEqualTo(first);
                    }
                    last = first;
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            }
            return count;
        });
        for (int i = 1; i <= updates; i++) {
            ByteBuffer row = ByteBuffer.allocate(64);
            while (row.hasRemaining()) {
                row.putInt(i);
            }
            writer.insert("a", row.array());
            writer.insert("b", row.array());
        }
        stop.set(true);
        assertThat(reads.get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(50);
        assertThat(count(reader, GetAnswer.MEMORY)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "ib"})
    void shouldAttachToAStorageNodeThatIsBack(String transport) throws DXNetException {
        StoreNode first = node(transport, new Publication(10, SLOT_BYTES));
        StoreClient client = client(transport, 1);
        client.insert("a", row("f", 1));
        assertRow(client, "a", row("f", 1));
        open.remove(first);
        first.close();
        assertThatThrownBy(() -> client.read("a", Gets.MEMORY)).isInstanceOf(DXNetException.class);
        assertThat(count(client, GetAnswer.NOT_ATTACHED)).isPositive();
        node(transport, new Publication(20, SLOT_BYTES + 8));
        until(() -> {
            try {
                client.insert("a", row("f", 2));
                return true;
            } catch (DXNetException e) {
                return false; // there is no new connection yet
            }
        });
        long before = count(client, GetAnswer.MEMORY);
        until(() -> {
            try {
                assertRow(client, "a", row("f", 2));
                return count(client, GetAnswer.MEMORY) > before;
            } catch (DXNetException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void until(BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Slots that no storage node writes to, and a reader of them. */
    private void withSlots(Publication publication, SlotsTest test) throws DXNetException {
        DXNetConfig config =
                config("loopback").toBuilder().requestTimeoutMs(2000).build();
        GetCounts.Counter counter = new GetCounts.Counter();
        MemorySegment slotBytes = Arena.ofAuto().allocate(PublishedSlots.SLOT_BYTES_LAYOUT);
        slotBytes.set(PublishedSlots.SLOT_BYTES_LAYOUT, 0, publication.slotBytes());
        MemorySegment slots = Arena.ofAuto().allocate(publication.bytes(), 8);
        slots.fill((byte) 1); // the version of each is odd
        // start() accepts peers at once: no attempt waits for the owner's registrations.
        try (DXNet owner = DXNet.builder(NodeMap.load(0, map)).config(config).start();
                DXNet net = DXNet.builder(NodeMap.load(1, map)).config(config).start()) {
            SharedRegion region =
                    owner.remoteMemory().share(PublishedSlots.SLOTS, slots, Set.of(Right.READ), Peers.all());
            owner.remoteMemory().share(PublishedSlots.SLOT_BYTES, slotBytes, Set.of(Right.READ), Peers.all());
            SlotReader reader = new SlotReader(net.remoteMemory(), 0, counter);
            reader.attach();
            test.run(region.versioned(publication.slotBytes()), reader, counter);
        }
    }

    private interface SlotsTest {
        void run(VersionedRegion slots, SlotReader reader, GetCounts.Counter counter) throws DXNetException;
    }

    @Test
    void shouldAskWhereASlotStaysTorn() throws DXNetException {
        withSlots(new Publication(9, SLOT_BYTES), (slots, reader, counter) -> {
            assertThat(reader.read("a")).isNull();
            assertThat(counter.counts().of(GetAnswer.TIMED_OUT)).isEqualTo(1);
            assertThat(counter.counts().fallbacks()).isEqualTo(1);
        });
    }

    @Test
    void shouldNotWaitForATornSlotBehindTheKeys() throws DXNetException {
        Publication publication = new Publication(9, SLOT_BYTES);
        SlotIndex index = new SlotIndex(publication.slots());
        withSlots(publication, (slots, reader, counter) -> {
            for (String key : List.of("a", "b", "c", "d", "e", "f")) {
                byte[] slot = Slot.of(key.getBytes(), row("f", 1), SLOT_BYTES);
                slots.write(index.slot(key, 0), MemorySegment.ofArray(slot));
                assertThat(reader.read(key)).as(key).isEqualTo(row("f", 1));
            }
            assertThat(counter.counts().of(GetAnswer.MEMORY)).isEqualTo(6);
            assertThat(counter.counts().fallbacks()).isZero();
        });
    }

    @Test
    void shouldReportAStorageNodeThatPublishesNothing() {
        node("loopback", null);
        assertThatThrownBy(() -> client("loopback", 1)).isInstanceOf(RemoteMemoryException.NoSuchRegion.class);
    }
}
