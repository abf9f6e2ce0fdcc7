package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.idle.ThreadSignal;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of headers and payloads, cut into buffers everywhere. */
class MessageCreationCoordinatorTest {
    private static final int PAYLOAD_MAX = 1000;
    private static final int TYPE = 5;

    private final Buffers buffers = new Buffers();
    private final IncomingBufferQueue queue = new IncomingBufferQueue(1 << 12, 1 << 20);
    private final List<String> reports = new ArrayList<>();
    private final PeerConnection peer = Buffers.connection(4);

    private final MessageCreationCoordinator.Events events = new MessageCreationCoordinator.Events() {
        @Override
        public void protocolError(PeerConnection connection, String what) {
            reports.add(connection.nodeId() + ": " + what);
        }

        @Override
        public void stalled(PeerConnection connection, String detail) {
            reports.add(connection.nodeId() + ": " + detail);
        }

        @Override
        public void handover(PeerConnection connection) {
            reports.add(connection.nodeId() + ": handover");
        }

        @Override
        public void goodbye(PeerConnection connection) {
            reports.add(connection.nodeId() + ": goodbye");
        }

        @Override
        public void barrier(PeerConnection connection, int epoch) {
            reports.add(connection.nodeId() + ": barrier ends epoch " + epoch + " of "
                    + StreamState.of(connection).epochs.bytes(epoch) + " bytes");
        }
    };

    @AfterEach
    void close() {
        assertThat(buffers.pool.inUse()).as("buffers not returned").isZero();
        buffers.close();
    }

    private MessageCreationCoordinator coordinator(HeaderStores stores) {
        return coordinator(stores, type -> false);
    }

    private MessageCreationCoordinator coordinator(HeaderStores stores, IntPredicate isExclusive) {
        return coordinator(stores, isExclusive, new ArrayBlockingQueue<>(4));
    }

    private MessageCreationCoordinator coordinator(
            HeaderStores stores, IntPredicate isExclusive, Queue<SplitMessage> splits) {
        return new MessageCreationCoordinator(
                queue,
                stores,
                isExclusive,
                splits,
                events,
                new ReceiveBudget(DXNetConfig.builder().build(), buffers.pool, events),
                8,
                PAYLOAD_MAX,
                1000);
    }

    /** A queue for one thread in which there is nothing, and sometimes no memory for anything. */
    private static final class FullQueue extends AbstractQueue<SplitMessage> {
        private int faults;

        @Override
        public boolean offer(SplitMessage split) {
            return false;
        }

        @Override
        public SplitMessage poll() {
            if (faults > 0) {
                faults--;
                throw new OutOfMemoryError("the test wants it");
            }
            return null;
        }

        @Override
        public SplitMessage peek() {
            return null;
        }

        @Override
        public Iterator<SplitMessage> iterator() {
            return Collections.emptyIterator();
        }

        @Override
        public int size() {
            return 0;
        }
    }

    /** Else the payload would be read as headers. */
    @Test
    void shouldReadAHeaderAgainWhereThereWasNoMemoryForItsMessage() {
        byte[] stream = stream(message(1, 0, 0), message(2, 0, 20), message(3, 0, 0));
        for (int cut = 0; cut <= stream.length; cut++) {
            HeaderStores stores = new HeaderStores(64, 1);
            FullQueue splits = new FullQueue();
            MessageCreationCoordinator coordinator = coordinator(stores, type -> false, splits);
            splits.faults = 2;
            receive(stream, 0, cut);
            receive(stream, cut, stream.length);
            for (int i = 0; i < 6; i++) {
                try {
                    coordinator.doWork();
                } catch (OutOfMemoryError e) {
                    assertThat(e).hasMessage("the test wants it");
                }
            }
            assertThat(drain(stores.shared)).as("cut at %d", cut).containsExactly("1x0", "2x20", "3x0");
        }
        assertThat(reports).isEmpty();
        assertThat(peer.queuedBuffers()).hasValue(0);
    }

    /** A message whose payload bytes are all its id. */
    private static byte[] message(int id, int control, int length) {
        byte[] bytes = new byte[HeaderDescriptor.BYTES + length];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(WireFormat.LONG, 0, HeaderDescriptor.word(id, control, TYPE, 0, length));
        segment.set(WireFormat.SHORT, Long.BYTES, HeaderDescriptor.tail(length));
        java.util.Arrays.fill(bytes, HeaderDescriptor.BYTES, bytes.length, (byte) id);
        return bytes;
    }

    private static byte[] stream(byte[]... messages) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] each : messages) {
            all.writeBytes(each);
        }
        return all.toByteArray();
    }

    private void receive(byte[] bytes, int from, int to) {
        receive(peer, bytes, from, to);
    }

    private void receive(PeerConnection connection, byte[] bytes, int from, int to) {
        if (to > from) {
            IncomingBuffer buffer = buffers.filled(connection, bytes, from, to - from);
            assertThat(queue.offer(buffer)).isTrue();
        }
    }

    private static void work(MessageCreationCoordinator coordinator) {
        while (coordinator.doWork() > 0) {
            // until nothing is left, or a store is full
        }
    }

    /**
     * Reads a store empty as a handler does: "id x length" of each message, checked for content.
     */
    private static List<String> drain(MessageHeaderStore store) {
        List<String> all = new ArrayList<>();
        Batch batch = new Batch();
        while (store.poll(batch)) {
            if (batch.split != null) {
                all.add(describe(batch.split));
                batch.split.release();
                continue;
            }
            MemorySegment segment = batch.buffer.segment();
            int at = batch.start;
            while (at < batch.end) {
                int id = HeaderDescriptor.id(HeaderDescriptor.word(segment, at));
                int length = HeaderDescriptor.length(segment, at);
                at += HeaderDescriptor.BYTES;
                for (int i = 0; i < length; i++) {
                    assertThat(segment.get(WireFormat.BYTE, at + i)).isEqualTo((byte) id);
                }
                at += length;
                all.add(id + "x" + length);
            }
            batch.buffer.release();
        }
        return all;
    }

    private static String describe(SplitMessage split) {
        int id = HeaderDescriptor.id(split.headerWord);
        int bytes = 0;
        for (int p = 0; p < split.pieces(); p++) {
            for (int i = 0; i < split.bytes(p); i++) {
                assertThat(split.buffer(p).segment().get(WireFormat.BYTE, split.offset(p) + i))
                        .isEqualTo((byte) id);
            }
            bytes += split.bytes(p);
        }
        assertThat(bytes).isEqualTo(split.length);
        return id + "x" + bytes;
    }

    @Test
    void shouldFindTheMessagesWhereverTheStreamIsCutOnce() {
        byte[] stream = stream(message(1, 0, 0), message(2, 0, 20), message(3, 0, 1), message(4, 0, 33));
        for (int cut = 0; cut <= stream.length; cut++) {
            HeaderStores stores = new HeaderStores(64, 1);
            MessageCreationCoordinator coordinator = coordinator(stores);
            receive(stream, 0, cut);
            work(coordinator);
            receive(stream, cut, stream.length);
            work(coordinator);
            assertThat(drain(stores.shared)).as("cut at %d", cut).containsExactly("1x0", "2x20", "3x1", "4x33");
        }
        assertThat(reports).isEmpty();
        assertThat(peer.queuedBuffers()).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 11, 16})
    void shouldFindTheMessagesWhenEveryBufferIsSmall(int bytes) {
        byte[] stream = stream(message(1, 0, 0), message(2, 0, 20), message(3, 0, 1), message(4, 0, 33));
        HeaderStores stores = new HeaderStores(64, 1);
        MessageCreationCoordinator coordinator = coordinator(stores);
        for (int at = 0; at < stream.length; at += bytes) {
            receive(stream, at, Math.min(stream.length, at + bytes));
            work(coordinator);
        }
        assertThat(drain(stores.shared)).containsExactly("1x0", "2x20", "3x1", "4x33");
    }

    @Test
    void shouldEndAnEpochAtABarrier() {
        byte[] stream = stream(message(1, 0, 5), message(0, HeaderDescriptor.BARRIER, 0), message(2, 0, 1));
        for (int cut = 0; cut <= stream.length; cut++) {
            PeerConnection each = Buffers.connection(4);
            HeaderStores stores = new HeaderStores(64, 1);
            MessageCreationCoordinator coordinator = coordinator(stores);
            receive(each, stream, 0, cut);
            work(coordinator);
            receive(each, stream, cut, stream.length);
            work(coordinator);
            assertThat(reports).as("cut at %d", cut).containsExactly("4: barrier ends epoch 0 of 25 bytes");
            assertThat(drainEpochs(stores.shared)).as("cut at %d", cut).containsExactly(0, 1);
            assertThat(each.handled(0)).isEqualTo(10); // the barrier; no handler has run
            reports.clear();
        }
    }

    @Test
    void shouldEndAStreamWithABarrierBeforeTheAnswerToTheLastOne() {
        MessageCreationCoordinator coordinator = coordinator(new HeaderStores(64, 1));
        byte[] barrier = message(0, HeaderDescriptor.BARRIER, 0);
        receive(barrier, 0, barrier.length);
        work(coordinator);
        StreamState.of(peer).epochs.answer();
        receive(barrier, 0, barrier.length);
        work(coordinator);
        assertThat(reports)
                .containsExactly("4: barrier ends epoch 0 of 10 bytes", "4: barrier ends epoch 1 of 10 bytes");
        receive(barrier, 0, barrier.length);
        work(coordinator);
        assertThat(reports).hasSize(3).last().asString().contains("before it had the answer");
    }

    private static List<Integer> drainEpochs(MessageHeaderStore store) {
        List<Integer> epochs = new ArrayList<>();
        Batch batch = new Batch();
        while (store.poll(batch)) {
            epochs.add(batch.epoch);
            batch.discard();
        }
        return epochs;
    }

    @Test
    void shouldPutExclusiveMessagesAndResponsesIntoTheirLanesInOrder() {
        byte[] stream = stream(
                message(1, 0, 1),
                message(2, HeaderDescriptor.EXCLUSIVE, 2),
                message(3, HeaderDescriptor.RESPONSE, 3),
                message(4, HeaderDescriptor.REQUEST, 4),
                message(5, HeaderDescriptor.EXCLUSIVE | HeaderDescriptor.REQUEST, 5),
                message(6, 0, 6));
        for (int cut = 0; cut <= stream.length; cut++) {
            HeaderStores stores = new HeaderStores(64, 3);
            MessageCreationCoordinator coordinator = coordinator(stores);
            receive(stream, 0, cut);
            receive(stream, cut, stream.length);
            work(coordinator);
            assertThat(drain(stores.exclusive(stores.handlerOf(4)))).containsExactly("2x2", "5x5");
            assertThat(drain(stores.responses)).containsExactly("3x3");
            assertThat(drain(stores.shared)).containsExactly("1x1", "4x4", "6x6");
            assertThat(drain(stores.exclusive(stores.handlerOf(5)))).isEmpty();
        }
    }

    @Test
    void shouldWaitForTheHandlersWhenAStoreIsFull() {
        HeaderStores stores = new HeaderStores(2, 2);
        MessageCreationCoordinator coordinator = coordinator(stores);
        List<byte[]> messages = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 40; i++) { // batches of 8: five entries, for two places
            messages.add(message(i, 0, i));
            expected.add(i + "x" + i);
        }
        byte[] stream = stream(messages.toArray(new byte[0][]));
        receive(stream, 0, stream.length);
        List<String> got = new ArrayList<>();
        work(coordinator);
        assertThat(coordinator.isBlocked()).isTrue();
        assertThat(peer.queuedBuffers()).hasValue(1);
        for (int i = 0; i < 5; i++) {
            got.addAll(drain(stores.shared));
            work(coordinator);
        }
        assertThat(got).isEqualTo(expected);
        assertThat(coordinator.isBlocked()).isFalse();
        assertThat(peer.queuedBuffers()).hasValue(0);
    }

    /** Handlers make room, and park, while a duty cycle parses: after it has moved the overflow. */
    @Test
    @Timeout(20)
    void shouldWakeAHandlerForWhatItMovesWhileItParses() throws InterruptedException {
        HeaderStores stores = new HeaderStores(2, 2);
        AtomicBoolean waits = new AtomicBoolean(true);
        stores.handler(0, waits::get);
        ThreadSignal signal = new ThreadSignal(() -> !stores.shared.isEmpty());
        stores.threadSignal(0, signal);
        Thread handler = new Thread(() -> signal.park(TimeUnit.HOURS.toNanos(1)));
        List<String> got = new ArrayList<>();
        AtomicReference<Runnable> parsing = new AtomicReference<>(() -> {});
        MessageCreationCoordinator coordinator = coordinator(stores, type -> {
            parsing.getAndSet(() -> {}).run();
            return false;
        });
        byte[][] messages = new byte[41][];
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < messages.length; i++) { // batches of 8: two places, then the overflow
            messages[i] = message(i + 1, 0, 1);
            expected.add(i + 1 + "x1");
        }
        byte[] first = stream(Arrays.copyOf(messages, 40));
        receive(first, 0, first.length);
        work(coordinator);
        assertThat(peer.queuedBuffers()).hasValue(0);
        receive(messages[40], 0, messages[40].length);
        parsing.set(() -> {
            waits.set(false);
            got.addAll(drain(stores.shared));
            handler.start();
            while (!signal.isParked()) {
                Thread.onSpinWait();
            }
        });

        coordinator.doWork();

        handler.join();
        while (got.size() < expected.size()) {
            got.addAll(drain(stores.shared));
            work(coordinator);
        }
        assertThat(got).isEqualTo(expected);
    }

    @Test
    void shouldReadNothingAfterAProtocolErrorOrAGoodbye() {
        record Case(byte[] last, String report) {}
        List<Case> cases = List.of(
                new Case(message(0, HeaderDescriptor.GOODBYE, 0), "4: goodbye"),
                new Case(message(0, 0x20, 0), "4: a header has the unknown control byte 0x20"),
                new Case(message(0, 0x08, 0), "4: a header has the unknown control byte 0x8"),
                new Case(
                        message(0, HeaderDescriptor.SERVICE | HeaderDescriptor.GOODBYE, 0),
                        "4: a header has the unknown control byte 0x15"),
                new Case(
                        message(0, HeaderDescriptor.HANDOVER, 1),
                        "4: a header announces 1 payload bytes; 0 to 0 are allowed (maxMessageBytes)"),
                new Case(
                        message(0, 0, PAYLOAD_MAX + 1),
                        "4: a header announces 1001 payload bytes; 0 to 1000 are allowed (maxMessageBytes)"),
                new Case(
                        message(0, HeaderDescriptor.STREAMED, 0),
                        "4: a header announces 0 payload bytes; 0 to 1000 are allowed (maxMessageBytes)"));
        for (Case each : cases) {
            byte[] stream = stream(message(1, 0, 5), each.last(), message(2, 0, 5));
            for (int cut = 0; cut <= stream.length; cut++) {
                reports.clear();
                StreamState.of(peer).ended = false;
                StreamState.of(peer).headerBytes = 0;
                HeaderStores stores = new HeaderStores(64, 1);
                MessageCreationCoordinator coordinator = coordinator(stores);
                receive(stream, 0, cut);
                work(coordinator);
                receive(stream, cut, stream.length);
                work(coordinator);
                assertThat(drain(stores.shared)).containsExactly("1x5");
                assertThat(reports).containsExactly(each.report());
            }
        }
    }

    @Test
    void shouldReadResponsesAfterAHandover() {
        byte[] stream = stream(
                message(1, 0, 5),
                message(0, HeaderDescriptor.HANDOVER, 0),
                message(2, HeaderDescriptor.RESPONSE, 6),
                message(0, HeaderDescriptor.GOODBYE, 0));
        for (int cut = 0; cut <= stream.length; cut++) {
            reports.clear();
            StreamState.of(peer).ended = false;
            HeaderStores stores = new HeaderStores(64, 1);
            MessageCreationCoordinator coordinator = coordinator(stores);
            receive(stream, 0, cut);
            receive(stream, cut, stream.length);
            work(coordinator);
            assertThat(drain(stores.shared)).containsExactly("1x5");
            assertThat(drain(stores.responses)).containsExactly("2x6");
            assertThat(reports).containsExactly("4: handover", "4: goodbye");
        }
    }

    @Test
    void shouldLetGoOfHalfAMessageWhenItsConnectionEnded() {
        HeaderStores stores = new HeaderStores(64, 1);
        MessageCreationCoordinator coordinator = coordinator(stores);
        byte[] stream = message(1, 0, 500);
        receive(stream, 0, 100);
        receive(stream, 100, 300);
        work(coordinator);
        assertThat(buffers.pool.inUse()).isEqualTo(1);
        receive(stream, 300, 400);
        coordinator.ended(peer); // before its last buffer was read
        work(coordinator);
        work(coordinator);
        assertThat(buffers.pool.inUse()).isZero();
        assertThat(drain(stores.shared)).isEmpty();
    }

    @Test
    void shouldGiveBackEveryBufferWhereverTheWorkStops() {
        // Runs in every store, messages in several buffers, whole and not, and a
        // queue that was not read to its end.
        byte[] stream = stream(
                message(1, 0, 20),
                message(2, 0, 200),
                message(3, HeaderDescriptor.RESPONSE, 200),
                message(4, HeaderDescriptor.EXCLUSIVE, 20),
                message(5, HeaderDescriptor.EXCLUSIVE, 300),
                message(6, 0, 900));
        for (int handlers = 1; handlers <= 2; handlers++) {
            for (int bytes = 0; bytes <= stream.length; bytes++) {
                PeerConnection from = Buffers.connection(4);
                HeaderStores stores = new HeaderStores(2, handlers);
                MessageCreationCoordinator coordinator = coordinator(stores);
                receive(from, stream, 0, bytes / 3);
                work(coordinator);
                receive(from, stream, bytes / 3, bytes / 2);
                work(coordinator);
                receive(from, stream, bytes / 2, bytes);
                long confirmed = from.handledMark();
                coordinator.discard();
                stores.discard();
                assertThat(buffers.pool.inUse())
                        .as("%d handlers, %d bytes", handlers, bytes)
                        .isZero();
                assertThat(from.queuedBuffers()).hasValue(0);
                assertThat(from.handledMark()).as("confirmed").isEqualTo(confirmed);
            }
        }
    }

    /** The report of an end comes between the coordinator's last poll and its sleep. */
    @Test
    @Timeout(60)
    void shouldNotSleepWhileAnEndedConnectionWaits() {
        MessageCreationCoordinator coordinator = coordinator(new HeaderStores(64, 1));
        coordinator.doWork();
        coordinator.ended(peer);
        coordinator.await(TimeUnit.HOURS.toNanos(1));
        assertThat(coordinator.doWork()).as("connections let go").isEqualTo(1);
    }
}
