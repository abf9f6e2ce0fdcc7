package io.dxnet.runtime;

import io.dxnet.Message;
import io.dxnet.MessageFormatException;
import io.dxnet.MessageReceiver;
import io.dxnet.MessagingUsageException;
import io.dxnet.Response;
import io.dxnet.spi.MessageAccess;
import io.dxnet.transport.Agent;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * A message handler (DXNet §VI-A): polls batches from the header stores, makes the message objects, imports their payload and
 * passes them to the application. The last reader of a buffer releases it.
 */
final class MessageHandler implements Agent {
    private static final int BATCHES_PER_CYCLE = 8;
    /** Callbacks that wait inside callbacks: deeper ones no longer complete responses, which ends the recursion. */
    private static final int NESTING_MAX = 4;

    /** {@link #callMark} of a handler that handles nothing. */
    static final long IDLE = 0;

    private static final MessageAccess ACCESS = MessageAccess.get();

    /** What a handler reports. */
    interface Events {
        /** A message cannot be received, and its sender waits for no answer: the end of the connection has to report it. */
        void unknownType(PeerConnection connection, int type, int subtype);

        /** A request gets no response: its sender is to be sent the reason. The header's word names the request. */
        void cannotAnswer(PeerConnection connection, long word, String errorClass, String text);

        void callbackFailed(String what, Throwable error);

        /** A callback left its thread interrupted. */
        void interrupted(PeerConnection connection, Message message);

        /** What the current thread has sent. */
        SenderThread sends();

        /** A batch is done, or one of its callbacks waits: what was sent is to go out. */
        void flush(SenderThread sends);
    }

    private final int index;
    private final Lanes lanes;
    private final TypeRegistry types;
    private final RequestMap requests;
    private final Queue<SplitMessage> splits;
    private final Completions completions;
    private final Completions.Lane lane;
    private final int ownNode;
    private final Events events;
    private final Doorbell doorbell = new Doorbell();
    private final BooleanSupplier hasWork;
    private final Batch batch = new Batch();
    private final MessageImporter importer = new MessageImporter();
    private int nesting; // the agent's thread
    private volatile long waitMark = IDLE; // the agent's thread

    private final Counter turns = new Counter(); // odd while it is at work: the agent's thread
    final Counter delivered = new Counter();
    final Counter dropped = new Counter();
    final Counter failed = new Counter();

    MessageHandler(
            int index,
            Lanes lanes,
            TypeRegistry types,
            RequestMap requests,
            Queue<SplitMessage> splits,
            Completions completions,
            int ownNode,
            Events events) {
        this.index = index;
        this.lanes = lanes;
        this.types = types;
        this.requests = requests;
        this.splits = splits;
        this.completions = completions;
        this.lane = completions.lane();
        this.ownNode = ownNode;
        this.events = events;
        this.hasWork = () -> lanes.hasWork(index);
        lanes.handler(index, this::isWaiting);
    }

    Doorbell doorbell() {
        return doorbell;
    }

    @Override
    public String role() {
        return "handler-" + index;
    }

    @Override
    public int doWork() {
        int work = 0;
        turns.add(1);
        try {
            while (work < BATCHES_PER_CYCLE) {
                if (lanes.responses.poll(batch)) {
                    handleResponses();
                } else if (lanes.exclusive(index).poll(batch) || lanes.shared.poll(batch)) {
                    handle(batch, importer);
                } else {
                    break;
                }
                work++;
            }
            return work;
        } finally {
            turns.add(1);
        }
    }

    /** Ends the requests whose responses are here. The agent's thread, outside of callbacks. */
    int endRequests() {
        int work = 0;
        turns.add(1);
        try {
            while (work < BATCHES_PER_CYCLE && lanes.responses.poll(batch)) {
                handleResponses();
                work++;
            }
        } finally {
            turns.add(1);
        }
        return work;
    }

    /** Handles a run of responses, then completes the futures: the buffer is returned, and no response waits for a dependent. */
    private void handleResponses() {
        EngineThread own = EngineThread.current();
        if (own == null) { // an application's thread drives: completers complete the futures
            handle(batch, importer);
            return;
        }
        own.completes = lane;
        try {
            handle(batch, importer);
        } finally {
            own.completes = null;
        }
        completions.drain(lane);
    }

    /**
     * Where the handler is. Any thread.
     *
     * @return {@link #IDLE}, or a number that is the same for as long as one callback, or one dependent of a future, lasts
     */
    long callMark() {
        long turn = turns.get();
        return (turn & 1) == 0 ? IDLE : turn + delivered.get() + dropped.get() + failed.get();
    }

    /** Whether there is something that only {@link #doWork} may do. */
    boolean hasWorkForReceivers() {
        return !lanes.exclusive(index).isEmpty() || !lanes.shared.isEmpty();
    }

    /**
     * Sends what the callback has sent and ends requests, and nothing else: what this thread can do while one of its callbacks
     * waits. Exclusive order and "one message at a time" stay, because no receiver is called and no dependent of a future.
     */
    int progress() {
        events.flush(events.sends());
        waitMark = callMark(); // before: the coordinator may have to pass a full store for the response
        int work = endRequestsInCallback();
        waitMark = callMark();
        return work;
    }

    /** Whether a callback waits, or has waited, in {@link #progress}. Any thread; a snapshot. */
    boolean isWaiting() {
        long mark = waitMark;
        return mark != IDLE && mark == callMark();
    }

    private int endRequestsInCallback() {
        if (nesting >= NESTING_MAX) {
            return 0;
        }
        Batch inner = null;
        MessageImporter innerImporter = null;
        int work = 0;
        nesting++;
        try {
            while (work < BATCHES_PER_CYCLE && !lanes.responses.isEmpty()) {
                if (inner == null) {
                    inner = new Batch();
                    innerImporter = new MessageImporter();
                }
                if (!lanes.responses.poll(inner)) {
                    break;
                }
                handle(inner, innerImporter);
                work++;
            }
        } finally {
            nesting--;
        }
        return work;
    }

    @Override
    public void await(long timeoutNs) {
        doorbell.await(hasWork, timeoutNs);
    }

    @Override
    public void wakeup() {
        doorbell.ring();
    }

    private void handle(Batch work, MessageImporter with) {
        SenderThread sends = events.sends();
        SenderThread.Signals outer = sends.beginBatch();
        try {
            if (work.split != null) {
                sends.lastCallback();
                handleSplit(work.split, with);
            } else {
                handleRun(work, with, sends);
            }
        } finally {
            sends.endBatch(outer);
            events.flush(sends);
        }
    }

    private void handleRun(Batch run, MessageImporter with, SenderThread sends) {
        io.dxnet.transport.IncomingBuffer buffer = run.buffer;
        int start = run.start;
        int at = start;
        int end = run.end;
        PeerConnection connection = (PeerConnection) buffer.connection();
        try {
            MemorySegment segment = buffer.segment();
            while (at < end) {
                long word = HeaderDescriptor.word(segment, at);
                int length = HeaderDescriptor.length(segment, at);
                at += HeaderDescriptor.BYTES;
                with.begin(segment, at, length);
                at += length;
                if (at >= end) {
                    sends.lastCallback();
                }
                deliver(connection, word, with);
            }
        } finally {
            connection.processed(end - start);
            buffer.release();
        }
    }

    private void handleSplit(SplitMessage split, MessageImporter with) {
        try {
            long word = split.headerWord;
            int control = HeaderDescriptor.control(word);
            int payload = (control & HeaderDescriptor.STREAMED) == 0 ? split.length : split.length - 1;
            if ((control & HeaderDescriptor.CATEGORY_MASK) == HeaderDescriptor.ABORTED || isGivenUp(split, control)) {
                dropped.add(1);
            } else {
                with.begin(split, payload);
                deliver(split.connection, word, with);
            }
        } finally {
            with.end();
            split.release();
            splits.offer(split); // refused when there are enough
        }
    }

    /** Whether the trailer, the last byte, says that the sender could not finish the message. */
    private static boolean isGivenUp(SplitMessage split, int control) {
        if ((control & HeaderDescriptor.STREAMED) == 0) {
            return false;
        }
        int last = split.pieces() - 1;
        int offset = split.offset(last) + split.bytes(last) - 1;
        return split.buffer(last).segment().get(WireFormat.BYTE, offset) != HeaderDescriptor.TRAILER_WHOLE;
    }

    /** One message: object, payload, callback. Nothing that the application throws gets out of here. */
    private void deliver(PeerConnection connection, long word, MessageImporter from) {
        try {
            if ((HeaderDescriptor.control(word) & HeaderDescriptor.FAILED) != 0) {
                fail(connection, word, from);
                return;
            }
            TypeRegistry.Entry entry = types.get(HeaderDescriptor.key(word));
            boolean isResponse = HeaderDescriptor.category(word) == HeaderDescriptor.RESPONSE;
            int id = HeaderDescriptor.id(word);
            Message message =
                    isResponse ? response(entry, connection, word) : entry == null ? null : entry.message(index);
            if (message == null) {
                skip(connection, word);
                return;
            }
            ACCESS.received(
                    message,
                    connection.nodeId(),
                    ownNode,
                    HeaderDescriptor.type(word),
                    HeaderDescriptor.subtype(word),
                    id,
                    connection);
            message.importObject(from);
            if (from.remaining() != 0) {
                throw leftOver(message, from.remaining());
            }
            if (isResponse) {
                complete(id, connection, message);
            } else {
                call(entry, connection, word, message);
            }
        } catch (Throwable e) {
            failed(connection, word, e);
        }
    }

    /** A response to be filled: the request knows what it is, or its type is registered; null: neither. */
    private Message response(TypeRegistry.Entry entry, PeerConnection connection, long word) {
        Response ofRequest = requests.emptyResponse(HeaderDescriptor.id(word), connection, HeaderDescriptor.key(word));
        return ofRequest != null ? ofRequest : entry == null || entry.ofValues ? null : entry.factory.get();
    }

    /** The type is not registered here: a requester fails at once, the connection of a message ends. */
    private void skip(PeerConnection connection, long word) {
        dropped.add(1);
        int type = HeaderDescriptor.type(word);
        int subtype = HeaderDescriptor.subtype(word);
        String what = "type " + type + " subtype " + subtype + " is not registered";
        switch (HeaderDescriptor.category(word)) {
            case HeaderDescriptor.REQUEST -> events.cannotAnswer(connection, word, "", what + " there");
            case HeaderDescriptor.RESPONSE ->
                requests.fail(
                        HeaderDescriptor.id(word),
                        connection,
                        request -> new MessagingUsageException(
                                request.what + " was answered, but the answer's " + what + " here"));
            default -> events.unknownType(connection, type, subtype);
        }
    }

    /** A response that carries the reason why there is none. */
    private void fail(PeerConnection connection, long word, MessageImporter from) {
        RequestFailure failure = new RequestFailure();
        failure.importObject(from);
        if (requests.fail(HeaderDescriptor.id(word), connection, failure::exception)) {
            delivered.add(1);
        }
    }

    private void complete(int id, PeerConnection connection, Message message) {
        if (!(message instanceof Response response)) {
            throw new MessageFormatException(
                    message.getClass().getName() + " came as a response but does not extend Response");
        }
        if (requests.complete(id, connection, response)) {
            delivered.add(1);
        }
    }

    private void call(TypeRegistry.Entry entry, PeerConnection connection, long word, Message message)
            throws Exception {
        MessageReceiver<Message> receiver = entry.receiver;
        if (receiver == null) {
            dropped.add(1);
            events.callbackFailed(
                    message.getClass().getName() + " from node " + connection.nodeId() + " was dropped",
                    new MessagingUsageException("no receiver is registered for type " + message.type() + " subtype "
                            + message.subtype() + ": call DXNet.register before messages can arrive"));
            if (HeaderDescriptor.category(word) == HeaderDescriptor.REQUEST) {
                events.cannotAnswer(
                        connection,
                        word,
                        "",
                        "no receiver is registered there for type " + message.type() + " subtype " + message.subtype());
            }
            return;
        }
        delivered.add(1);
        try {
            receiver.onIncomingMessage(message);
        } finally {
            if (Thread.interrupted()) {
                events.interrupted(connection, message);
            }
        }
    }

    private void failed(PeerConnection connection, long word, Throwable error) {
        failed.add(1);
        events.callbackFailed(
                "a message of type " + HeaderDescriptor.type(word) + " subtype " + HeaderDescriptor.subtype(word)
                        + " from node " + connection.nodeId() + " failed in its import or callback",
                error);
        String errorClass = error.getClass().getName();
        String reason = HandlerReports.messageOf(error);
        switch (HeaderDescriptor.category(word)) {
            case HeaderDescriptor.REQUEST -> events.cannotAnswer(connection, word, errorClass, reason);
            case HeaderDescriptor.RESPONSE ->
                requests.fail(
                        HeaderDescriptor.id(word),
                        connection,
                        request -> new MessagingUsageException(
                                "the answer to " + request.what + " could not be read: " + errorClass + ": " + reason,
                                error));
            default -> {} // its sender is not waiting
        }
    }

    private static MessageFormatException leftOver(Message message, int bytes) {
        return new MessageFormatException(message.getClass().getName() + ".importObject left " + bytes
                + " bytes unread: it must read what exportObject writes");
    }
}
