package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A model of a node that receives: many connections, one coordinator, handlers,
 * in one thread and in random order. Every message becomes whole, and only the oldest
 * one's connection exceeds its part of the memory.
 */
class ReceiveBudgetTest {
    private static final int HEADER = HeaderDescriptor.BYTES;
    private static final int STEPS_WITHOUT_PROGRESS = 300_000;

    /** A peer that sends messages, one after the other. */
    private static final class Peer {
        final PeerConnection connection;
        final int pieceMax;
        final Deque<Integer> lengths = new ArrayDeque<>();
        byte[] message = {};
        int at;
        IncomingBuffer kept;
        long unconfirmed; // with a window only

        Peer(PeerConnection connection, int pieceMax) {
            this.connection = connection;
            this.pieceMax = pieceMax;
        }

        boolean hasMore() {
            return at < message.length || !lengths.isEmpty();
        }

        /** Fills a buffer with what follows in the stream. */
        int fill(IncomingBuffer buffer, int bytes) {
            int filled = 0;
            while (filled < bytes && hasMore()) {
                if (at == message.length) {
                    begin(lengths.poll());
                }
                int part = Math.min(bytes - filled, message.length - at);
                MemorySegment.copy(MemorySegment.ofArray(message), at, buffer.segment(), filled, part);
                at += part;
                filled += part;
            }
            return filled;
        }

        /** What a transport does whose data is in its own buffers, within the sender's window. */
        boolean receiveInto(Node node, Own own, int window) {
            unconfirmed -= (long) connection.takeFlowControl(Integer.MAX_VALUE) * Buffers.STEP_BYTES;
            if (kept == null) {
                if (!hasMore() || unconfirmed >= window || own.free.isEmpty()) {
                    return false;
                }
                IncomingBuffer buffer = own.free.poll();
                buffer.length(fill(buffer, 1 + node.random.nextInt(pieceMax)));
                unconfirmed += buffer.length();
                own.out.incrementAndGet();
                kept = buffer;
            }
            return node.offer(this);
        }

        private void begin(int length) {
            at = 0;
            if (message.length == HEADER + length) {
                return; // the same again
            }
            message = new byte[HEADER + length];
            MemorySegment segment = MemorySegment.ofArray(message);
            segment.set(WireFormat.LONG, 0, HeaderDescriptor.word(length, 0, 1, 0, length));
            segment.set(WireFormat.SHORT, Long.BYTES, HeaderDescriptor.tail(length));
            for (int i = 0; i < length; i++) {
                message[HEADER + i] = (byte) (length + i * 7);
            }
        }
    }

    private final List<String> stalled = new ArrayList<>();
    private final MessageCreationCoordinator.Events events = new MessageCreationCoordinator.Events() {
        @Override
        public void stalled(PeerConnection connection, String detail) {
            stalled.add(detail);
        }

        @Override
        public void protocolError(PeerConnection connection, String what) {
            throw new AssertionError(what);
        }

        @Override
        public void handover(PeerConnection connection) {}

        @Override
        public void goodbye(PeerConnection connection) {
            throw new AssertionError("goodbye");
        }

        @Override
        public void barrier(PeerConnection connection, int epoch) {
            throw new AssertionError("barrier");
        }
    };

    /** One node that receives. */
    private final class Node implements AutoCloseable {
        final Random random;
        final DXNetConfig config;
        final IncomingBufferPool pool;
        final IncomingBufferQueue queue;
        final HeaderStores stores = new HeaderStores(16, 1);
        final ReceiveBudget budget;
        final MessageCreationCoordinator coordinator;
        final Deque<Object> handlers = new ArrayDeque<>(); // what they hold
        final List<Peer> peers = new ArrayList<>();
        final int coordinatorTurns; // of 50; the more seldom, the more is in the queue
        long heldMax;
        long handled;

        Node(long seed, long bytesMax, int messageMax, int largeMax, int timeoutMs) {
            random = new Random(seed);
            coordinatorTurns = 1 << random.nextInt(5);
            config = DXNetConfig.builder()
                    .incomingBytesMax(bytesMax)
                    .maxMessageBytes(messageMax)
                    .sendTimeoutMs(timeoutMs)
                    .smallBuffers(1 + random.nextInt(64))
                    .mediumBuffers(1 + random.nextInt(largeMax))
                    .largeBuffers(1 + random.nextInt(largeMax))
                    .build();
            pool = new IncomingBufferPool(config);
            queue = new IncomingBufferQueue(16 + random.nextInt(256), 65536 << random.nextInt(6));
            budget = new ReceiveBudget(config, pool, events);
            heldMax = budget.general();
            coordinator = new MessageCreationCoordinator(
                    queue, stores, type -> false, new ArrayBlockingQueue<>(4), events, budget, 8, messageMax, 1000);
        }

        Peer peer(int pieceMax) {
            Peer peer = new Peer(Buffers.connection(peers.size() + 1), pieceMax);
            peers.add(peer);
            return peer;
        }

        /** What a transport that can stop reading does for one connection. */
        boolean receive(Peer peer) {
            if (peer.kept == null) {
                if (!peer.hasMore()) {
                    return false;
                }
                IncomingBuffer buffer = pool.take(peer.connection, 1 + random.nextInt(256 << 10));
                if (buffer == null) {
                    return false;
                }
                if (peer.connection != oldest()) {
                    assertThat(pool.bytesInUse()).isLessThanOrEqualTo(budget.general());
                }
                int most = Math.min(peer.pieceMax, buffer.fillMax());
                buffer.length(peer.fill(buffer, 1 + random.nextInt(most)));
                peer.kept = buffer;
            }
            return offer(peer);
        }

        private boolean offer(Peer peer) {
            PeerConnection connection = peer.connection;
            IncomingBuffer buffer = peer.kept;
            int length = buffer.length();
            if (!queue.hasShareFor(connection)) {
                return false;
            }
            buffer.handOver(connection);
            connection.queuedBuffers().incrementAndGet();
            if (!queue.offer(buffer)) {
                connection.queuedBuffers().decrementAndGet();
                return false;
            }
            connection.bytesReceived().add(length);
            peer.kept = null;
            return true;
        }

        private PeerConnection oldest() {
            return budget.oldestConnection();
        }

        /** A handler polls a batch; another one finishes one. */
        boolean handle() {
            Batch batch = new Batch();
            boolean taken = handlers.size() < 3 && stores.shared.poll(batch);
            if (taken) {
                handlers.add(batch);
            }
            if (!handlers.isEmpty() && (!taken || random.nextBoolean())) {
                finish((Batch) handlers.poll());
                return true;
            }
            return taken;
        }

        private void finish(Batch batch) {
            if (batch.split != null) {
                assertIntact(batch.split);
                handled++;
                batch.split.release();
                return;
            }
            MemorySegment segment = batch.buffer.segment();
            for (int at = batch.start; at < batch.end; at += HEADER + HeaderDescriptor.length(segment, at)) {
                handled++;
            }
            ((PeerConnection) batch.buffer.connection()).processed(batch.end - batch.start);
            batch.buffer.release();
        }

        private void assertIntact(SplitMessage split) {
            int position = 0;
            for (int p = 0; p < split.pieces(); p++) {
                for (int i = 0; i < split.bytes(p); i += 1 + random.nextInt(64)) {
                    byte expected = (byte) (split.length + (position + i) * 7);
                    if (split.buffer(p).segment().get(WireFormat.BYTE, split.offset(p) + i) != expected) {
                        throw new AssertionError("byte " + (position + i) + " of " + split.length + " is wrong");
                    }
                }
                position += split.bytes(p);
            }
            assertThat(position).isEqualTo(split.length);
        }

        private void assertBounds() {
            long held = 0;
            for (Peer peer : peers) {
                SplitMessage split = StreamState.of(peer.connection).split;
                held += split == null || peer.connection == oldest() ? 0 : split.held();
            }
            assertThat(held).as("incomplete messages but the oldest").isLessThanOrEqualTo(heldMax);
            assertThat(pool.bytesInUse()).isLessThanOrEqualTo(config.incomingBytesMax());
            assertThat(stalled).isEmpty();
        }

        /** Runs until all messages are handled; everything has its turn, in random order. */
        void run(long messages, Transport transport) {
            int idle = 0;
            while (handled < messages) {
                int turn = random.nextInt(50);
                boolean worked;
                if (turn < coordinatorTurns) {
                    worked = coordinator.doWork() > 0;
                    assertBounds();
                } else if (turn < 2 * coordinatorTurns) {
                    worked = handle();
                } else {
                    worked = transport.receive(peers.get(random.nextInt(peers.size())));
                }
                idle = worked ? 0 : idle + 1;
                if (idle > STEPS_WITHOUT_PROGRESS) {
                    throw new AssertionError("stuck: " + handled + " of " + messages + " messages, " + pool.bytesInUse()
                            + " bytes in use, " + budget.describe());
                }
            }
            assertThat(pool.inUse()).isZero();
            assertThat(stalled).isEmpty();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private interface Transport {
        boolean receive(Peer peer);
    }

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("dxnet.test.budgetSeeds", 60));
    }

    private static int length(Random random, int most) {
        return random.nextInt(3) > 0 ? most - random.nextInt(1 + most / 4) : random.nextInt(1000);
    }

    /** TCP and loopback: what gets no memory is not read. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCompleteEveryMessageInBoundedMemory(long seed) {
        Random random = new Random(seed);
        int messageMax = 300_000 + random.nextInt(1 << (20 + random.nextInt(3)));
        long bytesMax = messageMax + DXNetConfig.RECEIVE_MARGIN_BYTES + random.nextInt(4) * random.nextInt(1 << 20);
        int messages = 0;
        try (Node node = new Node(seed, bytesMax, messageMax, 8, 3_600_000)) {
            int peers = 2 + random.nextInt(12);
            for (int p = 0; p < peers; p++) {
                int pieceMax = List.of(100, 5000, 12_000, 60_000, 256 << 10).get(random.nextInt(5));
                Peer peer = node.peer(pieceMax);
                int most = Math.min(messageMax, pieceMax * 2000);
                for (int m = random.nextInt(6); m >= 0; m--) {
                    peer.lengths.add(length(random, most));
                    messages++;
                }
            }
            node.run(messages, node::receive);
        }
    }

    /**
     * InfiniBand: what comes is in the transport's own buffers, and windows hold the senders up.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCompleteEveryMessageThatComesInATransportsOwnBuffers(long seed) {
        Random random = new Random(seed);
        int window = 64 << 10;
        int peers = 2 + random.nextInt(8);
        int messageMax = 50_000 + random.nextInt(1 << 20);
        // Room for a window of each, in the lower half of the part for all:
        // as ReceiveBudget requires.
        long bytesMax = messageMax + DXNetConfig.RECEIVE_MARGIN_BYTES + 3L * peers * window;
        int messages = 0;
        try (Node node = new Node(seed, bytesMax, messageMax, 1, 3_600_000);
                Own own = new Own(64 + random.nextInt(64), 16 << 10)) {
            for (int p = 0; p < peers; p++) {
                Peer peer = node.peer(random.nextBoolean() ? 16 << 10 : 3000);
                for (int m = random.nextInt(6); m >= 0; m--) {
                    peer.lengths.add(length(random, messageMax));
                    messages++;
                }
            }
            node.heldMax += (long) own.count * (16 << 10);
            node.run(messages, peer -> peer.receiveInto(node, own, window));
            assertThat(own.out).hasValue(0);
        }
    }

    /**
     * A handler returns memory at any moment of the coordinator's search for some: the coordinator
     * never treats that moment as a lack of memory.
     */
    @Test
    void shouldEndNoConnectionWhileAHandlerReturnsMemory() throws InterruptedException {
        int window = 64 << 10;
        int messageMax = 800_000; // more than the part for all: one that is handled fills it
        int messages = 3_000;
        long bytesMax = messageMax + DXNetConfig.RECEIVE_MARGIN_BYTES + 3L * 2 * window;
        try (Node node = new Node(1, bytesMax, messageMax, 1, 3_600_000);
                Own own = new Own(10, 16 << 10)) {
            for (int p = 0; p < 2; p++) {
                Peer peer = node.peer(16 << 10);
                for (int m = 0; m < messages / 2; m++) {
                    peer.lengths.add(messageMax - p);
                }
            }
            AtomicLong handled = new AtomicLong();
            Thread handler = Thread.ofPlatform().daemon().start(() -> {
                while (handled.get() < messages && !Thread.currentThread().isInterrupted()) {
                    Batch batch = new Batch();
                    if (node.stores.shared.poll(batch)) {
                        node.finish(batch);
                        handled.set(node.handled);
                    }
                }
            });
            long deadlineNs = System.nanoTime() + 120_000_000_000L;
            while (handled.get() < messages && stalled.isEmpty() && System.nanoTime() - deadlineNs < 0) {
                for (Peer peer : node.peers) {
                    peer.receiveInto(node, own, window);
                }
                node.coordinator.doWork();
            }
            handler.interrupt();
            handler.join();
            assertThat(stalled).isEmpty();
            assertThat(handled).hasValue(messages);
        }
    }

    /** A transport's pool. */
    private static final class Own implements IncomingBuffer.Home, AutoCloseable {
        final Arena arena = Arena.ofShared();
        final Queue<IncomingBuffer> free = new ConcurrentLinkedQueue<>();
        final int count;
        final AtomicInteger out = new AtomicInteger();

        Own(int count, int bytes) {
            this.count = count;
            for (int i = 0; i < count; i++) {
                free.add(new IncomingBuffer(this, arena.allocate(bytes)));
            }
        }

        @Override
        public void giveBack(IncomingBuffer buffer) {
            out.decrementAndGet();
            free.add(buffer);
        }

        @Override
        public boolean isShort() {
            return 2 * out.get() > count;
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /**
     * The oldest message stops in the middle, others wait: its connection is ended,
     * not without, and not before.
     */
    @Test
    void shouldEndAnOldestMessageThatDoesNotGrowWhileOthersWait() {
        int messageMax = 1 << 20;
        try (Node node = new Node(1, messageMax + DXNetConfig.RECEIVE_MARGIN_BYTES + 1000, messageMax, 1, 200)) {
            Peer holder = node.peer(256 << 10);
            holder.lengths.add(messageMax);
            while (holder.at < messageMax - 100_000 || holder.message.length == 0) {
                node.receive(holder);
                node.coordinator.doWork();
            }
            long deadlineNs = System.nanoTime() + 1_000_000_000L;
            while (System.nanoTime() - deadlineNs < 0) {
                node.coordinator.doWork();
            }
            assertThat(stalled).as("no connection waits").isEmpty();
            Peer other = node.peer(256 << 10);
            other.lengths.add(messageMax);
            deadlineNs = System.nanoTime() + 60_000_000_000L;
            while (stalled.isEmpty() && System.nanoTime() - deadlineNs < 0) {
                node.receive(other);
                node.coordinator.doWork();
            }
            assertThat(stalled.getFirst())
                    .contains("node 1 sent ", " of a message of 1048576 bytes", "sendTimeoutMs", "incomingBytesMax");
            node.coordinator.ended(holder.connection);
            while (node.handled == 0) {
                node.receive(other);
                node.coordinator.doWork();
                node.handle();
            }
            while (!node.handlers.isEmpty()) {
                node.handle();
            }
            assertThat(node.pool.inUse()).isZero();
        }
    }

    /**
     * A sender that ignores its window, over a transport that can't stop reading:
     * it alone is ended.
     */
    @Test
    void shouldEndASenderThatIgnoresItsWindowWhereItsDataCanNotBeLeftUnread() {
        int messageMax = 1 << 20;
        try (Node node = new Node(1, messageMax + DXNetConfig.RECEIVE_MARGIN_BYTES, messageMax, 1, 3_600_000);
                Own own = new Own(64, 16 << 10)) {
            Peer first = node.peer(16 << 10);
            first.lengths.add(messageMax);
            Peer greedy = node.peer(16 << 10);
            greedy.lengths.add(messageMax);
            receive(node, own, first);
            for (int i = 0; i < 1000 && stalled.isEmpty(); i++) {
                receive(node, own, greedy);
            }
            assertThat(stalled).hasSize(1);
            assertThat(stalled.getFirst()).contains("node 2 sent ", "incomingBytesMax", "the transport's own is short");
            node.coordinator.ended(greedy.connection);
            while (node.handled == 0) {
                receive(node, own, first);
                node.handle();
            }
            while (!node.handlers.isEmpty()) {
                node.handle();
            }
            assertThat(node.pool.inUse()).isZero();
            assertThat(own.out).hasValue(0);
        }
    }

    @Test
    void shouldMarkAConnectionThatIsNotRead() {
        try (Buffers buffers = new Buffers()) {
            ReceiveBudget budget = new ReceiveBudget(DXNetConfig.builder().build(), buffers.pool, events);
            PeerConnection connection = Buffers.connection(1);
            budget.refused(null);
            assertThat(connection.isReadingRefused()).isFalse();
            budget.refused(connection);
            assertThat(connection.isReadingRefused()).isTrue();
        }
    }

    private static void receive(Node node, Own own, Peer peer) {
        if (peer.hasMore() && !own.free.isEmpty()) {
            IncomingBuffer buffer = own.free.poll();
            buffer.length(peer.fill(buffer, peer.pieceMax));
            own.out.incrementAndGet();
            peer.kept = buffer;
            while (!node.offer(peer)) {
                node.coordinator.doWork();
            }
        }
        node.coordinator.doWork();
    }
}
