package io.dxnet.runtime.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.receive.HeaderStores;
import io.dxnet.runtime.receive.SplitMessage;
import io.dxnet.runtime.report.ReportedTypes;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.send.SenderThread;
import io.dxnet.runtime.send.SenderThreads;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.IncomingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageHandlerTest {
    private static final int TYPE = 7;
    private static final int COUNT = 5;

    private final Buffers buffers = new Buffers();
    private final HeaderStores stores = new HeaderStores(64, 1);
    private final PeerConnection connection = Buffers.connection(1);
    private final List<Integer> handled = new ArrayList<>();
    private final TypeRegistry types = new TypeRegistry(1);

    private static final class Empty extends Message {}

    private static final class Unreadable extends Message {
        @Override
        public void importObject(Importer importer) {
            throw new OutOfMemoryError("of the import");
        }
    }

    /** What a full heap does to the report of a failure: it fails too. */
    private static final class FailingEvents implements Delivery.Events {
        private final SenderThread sends = new SenderThreads().current();
        private final Throwable failure;
        private int rejected;
        private int unanswered;

        FailingEvents(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public void cannotAnswer(PeerConnection connection, long word, String errorClass, String text) {
            unanswered++;
        }

        @Override
        public void reject(PeerConnection connection, long word, int count, String errorClass, String text) {
            rejected += count;
        }

        @Override
        public void rejected(PeerConnection connection, long word, int count, String reason) {}

        @Override
        public void callbackFailed(String what, Throwable error) {
            if (failure instanceof Error fatal) {
                throw fatal;
            }
            if (failure != null) {
                throw (RuntimeException) failure;
            }
        }

        @Override
        public void interrupted(PeerConnection connection, Message message) {}

        @Override
        public SenderThread sends() {
            return sends;
        }

        @Override
        public void flush(SenderThread thread) {}
    }

    @AfterEach
    void close() {
        buffers.close();
    }

    private IncomingBuffer batch() {
        return batch(HeaderDescriptor.MESSAGE);
    }

    private IncomingBuffer batch(int control) {
        byte[] bytes = new byte[COUNT * HeaderDescriptor.BYTES];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        for (int i = 0; i < COUNT; i++) {
            long at = (long) i * HeaderDescriptor.BYTES;
            segment.set(WireFormat.LONG, at, HeaderDescriptor.word(i, control, TYPE, TYPE, 0));
            segment.set(WireFormat.SHORT, at + Long.BYTES, HeaderDescriptor.tail(0));
        }
        return buffers.filled(connection, bytes, 0, bytes.length);
    }

    private void shouldHandleAllAndThrow(Throwable ofReport) {
        types.registerType(TYPE, TYPE, Empty::new, Set.of());
        types.registerReceiver(TYPE, TYPE, message -> {
            handled.add(handled.size());
            if (handled.size() % 2 == 0) {
                throw new IllegalStateException("of a callback");
            }
        });
        FailingEvents events = new FailingEvents(ofReport);
        handleAll(events, ofReport, COUNT + 2L);
        assertThat(handled).hasSize(COUNT);
    }

    private MessageHandler handler(Delivery delivery, FailingEvents events) {
        return new MessageHandler(
                0,
                stores,
                delivery,
                new ConcurrentLinkedQueue<>(),
                new Completions("test-completer", (what, error) -> {}),
                events);
    }

    private static final class Question extends Request<Response> {}

    /**
     * Another node uses the type's number for something else: a handler of requests would answer a
     * message with an id that another request has, and one of messages would answer no request.
     */
    @ParameterizedTest
    @ValueSource(ints = {HeaderDescriptor.MESSAGE, HeaderDescriptor.REQUEST})
    void shouldRejectAMessageForARequestAndTheOtherWayRound(int control) throws Exception {
        boolean isMessage = control == HeaderDescriptor.MESSAGE;
        types.registerType(TYPE, TYPE, isMessage ? Question::new : Empty::new, Set.of());
        types.registerReceiver(TYPE, TYPE, message -> handled.add(handled.size()));
        FailingEvents events = new FailingEvents(null);
        Delivery delivery = new Delivery(0, 0, types, new RequestMap(16, half -> {}), new ReportedTypes(), events);
        Buffers.offer(stores, batch(control));
        handler(delivery, events).doWork();
        assertThat(handled).isEmpty();
        assertThat(events.rejected).isEqualTo(isMessage ? COUNT : 0);
        assertThat(events.unanswered).isEqualTo(isMessage ? 0 : COUNT);
        assertThat(delivery.count()).isEqualTo(COUNT);
        assertThat(buffers.pool.inUse()).isZero();
    }

    /** An empty message is split where its header is cut. */
    @Test
    void shouldReadEmptyArraysOfASplitMessage() {
        MessageImporter importer = new MessageImporter();
        for (int message = 0; message < 2; message++) {
            importer.begin(new SplitMessage(), 0);
            importer.readBytes(new byte[importer.remaining()]);
            importer.readLongs(new long[0]);
            importer.end();
        }
    }

    private void handleAll(FailingEvents events, Throwable ofReport, long count) {
        Delivery delivery = new Delivery(0, 0, types, new RequestMap(16, half -> {}), new ReportedTypes(), events);
        MessageHandler handler = handler(delivery, events);
        Buffers.offer(stores, batch());
        assertThatThrownBy(handler::doWork).isSameAs(ofReport);
        assertThat(delivery.count()).isEqualTo(count);
        assertThat(buffers.pool.inUse()).isZero();
    }

    /** Else their bytes would count as handled, and an end in order would hide their loss. */
    @Test
    void shouldHandleTheMessagesBehindOneWhoseReportFails() {
        shouldHandleAllAndThrow(new OutOfMemoryError("of a report"));
    }

    @Test
    void shouldHandleTheMessagesBehindOneWhoseReportThrows() {
        shouldHandleAllAndThrow(new IllegalArgumentException("of a report"));
    }

    /** Else they would count as handled, and their sender would not learn that they were not. */
    @Test
    void shouldRejectMessagesThatCannotBeReadWhereTheReportFailsToo() {
        types.registerType(TYPE, TYPE, Unreadable::new, Set.of());
        types.registerReceiver(TYPE, TYPE, message -> handled.add(1));
        OutOfMemoryError ofReport = new OutOfMemoryError("of a report");
        FailingEvents events = new FailingEvents(ofReport);
        handleAll(events, ofReport, COUNT);
        assertThat(handled).isEmpty();
        assertThat(events.rejected).isEqualTo(COUNT);
    }
}
