package io.dxnet.runtime.receive;

import io.dxnet.DXNetConfig;
import io.dxnet.Message;
import io.dxnet.MessageFormatException;
import io.dxnet.MessagingUsageException;
import io.dxnet.Response;
import io.dxnet.runtime.handle.Delivery;
import io.dxnet.runtime.handle.MessageHandler;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.ReportedTypes;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.send.SenderThread;
import io.dxnet.runtime.send.SenderThreads;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.Script;
import io.dxnet.tools.fuzz.FuzzTarget;
import io.dxnet.transport.IncomingBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * A connection's incoming stream through the message creation coordinator and the handlers.
 * Messages, errors and the end of the stream are the same wherever the received buffers cut it; all
 * buffers are returned; only documented exceptions are reported.
 *
 * <p>The first byte chooses the number of handlers and the size of the small buffers.
 */
public final class StreamTarget implements FuzzTarget {
    private static final int PAYLOAD_MAX = 100;
    private static final int OWN_NODE = 0;
    private static final int SCRIPT = 1;
    private static final int SCRIPT_EXCLUSIVE = 2;
    private static final int ANSWER = 3;
    private static final int WITHOUT_RECEIVER = 4;
    private static final int SERVICE = 5;

    private final Engine one = new Engine(1);
    private final Engine three = new Engine(3);

    /** Creates the target. */
    public StreamTarget() {}

    @Override
    public String name() {
        return "stream";
    }

    @Override
    public List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        byte[] script = {4, 1, 2, 3, 4, 10, 4, 'a', 'b', 1, 7};
        byte[] messages = concat(
                message(1, HeaderDescriptor.MESSAGE, SCRIPT, script),
                message(2, HeaderDescriptor.EXCLUSIVE, SCRIPT_EXCLUSIVE, script),
                message(3, HeaderDescriptor.REQUEST, SCRIPT, new byte[0]),
                message(4, HeaderDescriptor.RESPONSE, ANSWER, script),
                message(5, HeaderDescriptor.RESPONSE, SCRIPT, script),
                message(6, HeaderDescriptor.MESSAGE, WITHOUT_RECEIVER, script),
                message(7, HeaderDescriptor.MESSAGE, 99, script),
                message(8, HeaderDescriptor.ABORTED, SCRIPT, script),
                message(11, HeaderDescriptor.REQUEST, 99, script),
                message(12, HeaderDescriptor.REQUEST, WITHOUT_RECEIVER, script),
                message(13, HeaderDescriptor.SERVICE | HeaderDescriptor.MESSAGE, SERVICE, script),
                message(14, HeaderDescriptor.SERVICE | HeaderDescriptor.REQUEST, 99, script),
                message(13, HeaderDescriptor.RESPONSE | HeaderDescriptor.FAILED, 99, new byte[] {2, 'A', 2, 'b'}),
                message(9, HeaderDescriptor.STREAMED, SCRIPT, concat(script, new byte[] {0})),
                message(10, HeaderDescriptor.STREAMED, SCRIPT, concat(script, new byte[] {1})));
        for (int first : new int[] {0, 1, 2, 15, 100}) {
            seeds.add(concat(new byte[] {(byte) first}, messages));
            seeds.add(concat(
                    new byte[] {(byte) first},
                    messages,
                    message(0, HeaderDescriptor.HANDOVER, 0, new byte[0]),
                    message(4, HeaderDescriptor.RESPONSE, ANSWER, script),
                    message(0, HeaderDescriptor.GOODBYE, 0, new byte[0]),
                    messages));
            seeds.add(concat(new byte[] {(byte) first}, message(1, 0, SCRIPT, new byte[PAYLOAD_MAX + 1])));
            seeds.add(concat(new byte[] {(byte) first}, message(1, HeaderDescriptor.FAILED, SCRIPT, script)));
            seeds.add(
                    concat(new byte[] {(byte) first}, Arrays.copyOf(message(1, 0, SCRIPT, new byte[PAYLOAD_MAX]), 50)));
        }
        return seeds;
    }

    private static byte[] message(int id, int control, int type, byte[] payload) {
        byte[] bytes = Arrays.copyOf(new byte[0], HeaderDescriptor.BYTES + payload.length);
        java.nio.ByteBuffer header = java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        header.putLong(HeaderDescriptor.word(id, control, type, 0, payload.length));
        header.putShort(HeaderDescriptor.tail(payload.length));
        header.put(payload);
        return bytes;
    }

    private static byte[] concat(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Override
    public void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int choice = input[0] & 0xFF;
        Engine engine = (choice & 1) == 0 ? one : three;
        byte[] stream = Arrays.copyOfRange(input, 1, input.length);
        List<String> whole = engine.receive(stream, stream.length, null);
        compare(whole, engine.receive(stream, 1 + choice / 2, null), "buffers of " + (1 + choice / 2) + " bytes");
        compare(whole, engine.receive(stream, 40, new Random(Arrays.hashCode(input))), "buffers of any size");
    }

    private static void compare(List<String> whole, List<String> cut, String how) {
        if (!whole.equals(cut)) {
            throw new AssertionError("in " + how + " it is " + cut + ", else " + whole);
        }
    }

    @Override
    public long allocationBytesMax(int inputBytes) {
        return (1L << 20) + 4096L * inputBytes; // a connection and its reports, buffers of one byte
    }

    @Override
    public int inputBytesMax() {
        return 512; // some messages of the largest size
    }

    /** The receiving half of an engine, without threads. */
    private static final class Engine implements MessageCreationCoordinator.Events, Delivery.Events {
        private final Buffers buffers = new Buffers();
        private final SenderThreads senders = new SenderThreads();
        private final IncomingBufferQueue queue = new IncomingBufferQueue(1 << 16, 1 << 30);
        private final MessageCreationCoordinator coordinator;
        private final List<MessageHandler> handlers = new ArrayList<>();
        private final List<String> reports = new ArrayList<>();

        Engine(int count) {
            TypeRegistry types = new TypeRegistry(count);
            types.registerType(SCRIPT, 0, ScriptMessage::new, Set.of());
            types.registerType(SCRIPT_EXCLUSIVE, 0, ScriptMessage::new, Set.of(io.dxnet.MessageTypeOption.EXCLUSIVE));
            types.registerType(ANSWER, 0, Answer::new, Set.of());
            types.registerType(WITHOUT_RECEIVER, 0, ScriptMessage::new, Set.of());
            for (int type : new int[] {SCRIPT, SCRIPT_EXCLUSIVE}) {
                types.registerReceiver(
                        type, 0, message -> reports.add("received " + message.type() + ": " + size(message)));
            }
            types.registerService(
                    SERVICE, ScriptMessage::new, message -> reports.add("received of a service: " + size(message)));
            types.registerReceiver(ANSWER, 0, message -> reports.add("received an answer"));
            HeaderStores stores = new HeaderStores(64, count);
            ArrayBlockingQueue<SplitMessage> splits = new ArrayBlockingQueue<>(4);
            ReceiveBudget budget = new ReceiveBudget(DXNetConfig.builder().build(), buffers.pool, this);
            coordinator = new MessageCreationCoordinator(
                    queue, stores, types::isExclusive, splits, this, budget, 8, PAYLOAD_MAX, 1000);
            RequestMap requests = new RequestMap(16, half -> {});
            Completions completions = new Completions("fuzz-completer", this::callbackFailed);
            for (int i = 0; i < count; i++) {
                Delivery delivery = new Delivery(i, OWN_NODE, types, requests, new ReportedTypes(), this);
                handlers.add(new MessageHandler(i, stores, delivery, splits, completions, this));
            }
        }

        private static String size(Message message) {
            return message instanceof ScriptMessage script ? "" + script.script.size() : "";
        }

        /**
         * Receives a stream in buffers of that size, or of any
         * size up to it; what happened, in no order.
         */
        List<String> receive(byte[] stream, int bufferBytes, Random random) {
            reports.clear();
            PeerConnection peer = Buffers.connection(4);
            int at = 0;
            while (at < stream.length) {
                int bytes =
                        Math.min(stream.length - at, random == null ? bufferBytes : 1 + random.nextInt(bufferBytes));
                IncomingBuffer buffer = buffers.filled(peer, stream, at, bytes);
                if (!queue.offer(buffer)) {
                    throw new AssertionError("the queue is full");
                }
                at += bytes;
                if (random == null || random.nextBoolean()) {
                    work();
                }
            }
            work();
            reports.add("ended " + StreamState.of(peer).ended);
            long ofBarrier = StreamState.of(peer).epochs.bytes(0); // one at most: it is not answered
            if (ofBarrier > 0 && peer.handled(0) != ofBarrier) {
                throw new AssertionError(
                        peer.handled(0) + " of " + ofBarrier + " bytes before the barrier are handled");
            }
            coordinator.ended(peer);
            work();
            if (buffers.pool.inUse() != 0 || peer.queuedBuffers().get() != 0 || StreamState.of(peer).split != null) {
                throw new AssertionError(buffers.pool.inUse() + " buffers in use, " + peer.queuedBuffers() + " queued");
            }
            List<String> result = new ArrayList<>(reports);
            Collections.sort(result);
            return result;
        }

        private void work() {
            int work;
            do {
                work = coordinator.doWork();
                for (MessageHandler handler : handlers) {
                    work += handler.doWork();
                }
            } while (work > 0);
            if (coordinator.isBlocked()) {
                throw new AssertionError("the coordinator waits for handlers that have nothing to do");
            }
        }

        @Override
        public void protocolError(PeerConnection connection, String what) {
            reports.add("protocol error: " + what);
        }

        @Override
        public void handover(PeerConnection connection) {
            reports.add("handover");
        }

        @Override
        public void goodbye(PeerConnection connection) {
            reports.add("goodbye");
        }

        @Override
        public void barrier(PeerConnection connection, int epoch) {
            reports.add("barrier after " + StreamState.of(connection).epochs.bytes(epoch) + " bytes");
        }

        @Override
        public void cannotAnswer(PeerConnection connection, long word, String errorClass, String text) {
            reports.add("cannot answer request " + HeaderDescriptor.id(word) + ": " + errorClass + ": " + text);
        }

        @Override
        public void reject(PeerConnection connection, long word, int count, String errorClass, String text) {
            // Which of them share a report, and its text, depends on the buffers.
            for (int i = 0; i < count; i++) {
                reports.add("reject type " + HeaderDescriptor.key(word));
            }
        }

        @Override
        public void rejected(PeerConnection connection, long word, int count, String reason) {
            reports.add("rejected " + count + " of type " + HeaderDescriptor.key(word) + ": " + reason);
        }

        @Override
        public void callbackFailed(String what, Throwable error) {
            if (!(error instanceof MessageFormatException) && !(error instanceof MessagingUsageException)) {
                throw new AssertionError(what, error);
            }
            if (!what.endsWith(Delivery.REPORTED_ONCE)) { // by an engine, not for each cut
                reports.add(what + ": " + error.getMessage());
            }
        }

        @Override
        public void stalled(PeerConnection connection, String detail) {
            throw new AssertionError("with memory for all: " + detail);
        }

        @Override
        public void interrupted(PeerConnection connection, Message message) {
            throw new AssertionError("no callback here does that");
        }

        @Override
        public SenderThread sends() {
            return senders.current();
        }

        @Override
        public void flush(SenderThread sends) {}
    }

    /** So that a message can carry a script. */
    private static final class ScriptMessage extends Message {
        private Script script = new Script();

        @Override
        public void importObject(io.dxnet.Importer importer) {
            script = new Script(); // the message may be used again
            script.importObject(importer);
        }
    }

    /** A response to nothing. */
    private static final class Answer extends Response {
        private final Script script = new Script();

        @Override
        public void importObject(io.dxnet.Importer importer) {
            script.importObject(importer);
        }
    }
}
