package io.dxnet.runtime.handle;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.MessageTypeOption;
import io.dxnet.jmh.NanosPerCall;
import io.dxnet.runtime.peer.BenchmarkConnections;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.BenchmarkStores;
import io.dxnet.runtime.receive.HeaderStores;
import io.dxnet.runtime.report.ReportedTypes;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.send.BenchmarkSenders;
import io.dxnet.runtime.send.SenderThread;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.BenchmarkBuffers;
import io.dxnet.transport.IncomingBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The way of a message of 64 bytes from a run in the header store to the callback, by one
 * thread: nanoseconds.
 */
@State(Scope.Thread)
@OperationsPerInvocation(StructureHandler.ITEMS)
public class StructureHandler extends NanosPerCall {
    static final int ITEMS = 500;

    private static final int PAYLOAD_BYTES = 64;

    /** A payload and nothing else. */
    private static final class Payload extends Message {
        private byte[] bytes;

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeBytes(bytes);
        }

        @Override
        public void importObject(Importer importer) {
            int length = importer.remaining();
            if (bytes == null || bytes.length != length) {
                bytes = new byte[length];
            }
            importer.readBytes(bytes);
        }

        @Override
        public int sizeOfObject() {
            return bytes.length;
        }
    }

    /** Nothing to report. */
    private static final class NoEvents implements Delivery.Events {
        private final SenderThread sends = BenchmarkSenders.current();

        @Override
        public void cannotAnswer(PeerConnection connection, long word, String errorClass, String text) {}

        @Override
        public void reject(PeerConnection connection, long word, int count, String errorClass, String text) {}

        @Override
        public void rejected(PeerConnection connection, long word, int count, String reason) {}

        @Override
        public void callbackFailed(String what, Throwable error) {
            throw new IllegalStateException(what, error);
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

    @Param({"false", "true"})
    boolean reusable;

    private final PeerConnection connection = BenchmarkConnections.open(1);
    private final HeaderStores stores = new HeaderStores(64, 1);
    private final IncomingBuffer buffer = BenchmarkBuffers.of(ITEMS * (HeaderDescriptor.BYTES + PAYLOAD_BYTES));
    private MessageHandler handler;
    private long received;

    @Setup
    public void prepare() {
        for (int i = 0; i < ITEMS; i++) {
            long at = (long) i * (HeaderDescriptor.BYTES + PAYLOAD_BYTES);
            buffer.segment()
                    .set(WireFormat.LONG, at, HeaderDescriptor.word(0, HeaderDescriptor.MESSAGE, 7, 7, PAYLOAD_BYTES));
            buffer.segment().set(WireFormat.SHORT, at + Long.BYTES, HeaderDescriptor.tail(PAYLOAD_BYTES));
        }
        buffer.length(ITEMS * (HeaderDescriptor.BYTES + PAYLOAD_BYTES));
        TypeRegistry types = new TypeRegistry(1);
        types.registerType(7, 7, Payload::new, reusable ? Set.of(MessageTypeOption.REUSABLE) : Set.of());
        types.registerReceiver(7, 7, message -> received++);
        NoEvents events = new NoEvents();
        handler = new MessageHandler(
                0,
                stores,
                new Delivery(0, 0, types, new RequestMap(64, half -> {}), new ReportedTypes(), events),
                new ConcurrentLinkedQueue<>(),
                new Completions("benchmark", (what, error) -> {}),
                events);
    }

    @Benchmark
    public long handle() {
        buffer.handOver(connection);
        BenchmarkStores.offer(stores, buffer);
        handler.doWork();
        return received;
    }

    // ---------------------------------------------------------------- the floor

    private byte[] payload = new byte[PAYLOAD_BYTES];

    /** A header read and 64 bytes copied, to a new array or to one that is used again. */
    @Benchmark
    public long floor() {
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            long at = (long) i * (HeaderDescriptor.BYTES + PAYLOAD_BYTES);
            sum += buffer.segment().get(WireFormat.LONG, at) + buffer.segment().get(WireFormat.SHORT, at + Long.BYTES);
            if (!reusable) {
                payload = new byte[PAYLOAD_BYTES];
            }
            MemorySegment.copy(
                    buffer.segment(), ValueLayout.JAVA_BYTE, at + HeaderDescriptor.BYTES, payload, 0, PAYLOAD_BYTES);
        }
        return sum + payload[0];
    }
}
