package io.dxnet.runtime.handle;

import io.dxnet.Message;
import io.dxnet.MessageFormatException;
import io.dxnet.MessageReceiver;
import io.dxnet.MessagingUsageException;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.ErrorText;
import io.dxnet.runtime.report.MessageName;
import io.dxnet.runtime.report.ReportedTypes;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.send.SenderThread;
import io.dxnet.runtime.thread.Counter;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.MessageAccess;
import org.jspecify.annotations.Nullable;

/**
 * Delivers one message after the other (DXNet §VI-A): makes the object, imports the
 * payload, and calls the application or ends the request. What cannot be delivered is
 * reported to its sender. One handler's thread.
 */
public final class Delivery {
    /** The end of a report to the error handler that is made once for each node and type. */
    public static final String REPORTED_ONCE = "; this is reported once";

    private static final MessageAccess ACCESS = MessageAccess.get();

    /** What is reported. */
    public interface Events {
        /**
         * A request gets no response: its sender is to be sent the reason.
         * The header's word names the request.
         */
        void cannotAnswer(PeerConnection connection, long word, String errorClass, String text);

        /**
         * Messages reached no handler: their sender is to be sent the reason.
         * The header's word names their type.
         */
        void reject(PeerConnection connection, long word, int count, String errorClass, String text);

        /** Messages of this node reached no handler at the other one. */
        void rejected(PeerConnection connection, long word, int count, String reason);

        void callbackFailed(String what, Throwable error);

        /** A callback left its thread interrupted. */
        void interrupted(PeerConnection connection, Message message);

        /** What the current thread has sent. */
        SenderThread sends();

        /** A batch is done, or one of its callbacks waits: what was sent is to be signalled. */
        void flush(SenderThread sends);
    }

    private final int handler;
    private final int ownNode;
    private final TypeRegistry types;
    private final RequestMap requests;
    private final ReportedTypes reported;
    private final Events events;

    private TypeRegistry.@Nullable Entry recent; // of the message before
    private int recentKey;

    private @Nullable PeerConnection rejecting; // null: no message was rejected since the last report
    private long rejectedWord;
    private int rejected;

    @SuppressWarnings("NullAway.Init") // set together with rejecting
    private String rejectedClass;

    @SuppressWarnings("NullAway.Init") // set together with rejecting
    private String rejectedText;

    private final Counter delivered = new Counter();
    private final Counter dropped = new Counter();
    private final Counter failed = new Counter();

    public Delivery(
            int handler, int ownNode, TypeRegistry types, RequestMap requests, ReportedTypes reported, Events events) {
        this.handler = handler;
        this.ownNode = ownNode;
        this.types = types;
        this.requests = requests;
        this.reported = reported;
        this.events = events;
    }

    /** {@return the messages that it has done with} */
    public long count() {
        return delivered.get() + dropped.get() + failed.get();
    }

    public long delivered() {
        return delivered.get();
    }

    public long dropped() {
        return dropped.get();
    }

    public long failed() {
        return failed.get();
    }

    /** A message was given up by its sender. */
    void drop() {
        dropped.add(1);
    }

    /**
     * Delivers one message: object, payload, callback. Nothing that the application
     * throws leaves this method.
     */
    @SuppressWarnings("NullAway") // without a receiver there is no message to call it with
    void deliver(PeerConnection connection, long word, MessageImporter from) {
        boolean isRead = false;
        try {
            if (isReport(word)) {
                report(connection, word, from);
                return;
            }
            TypeRegistry.Entry entry = entryOf(HeaderDescriptor.key(word));
            boolean isResponse = HeaderDescriptor.category(word) == HeaderDescriptor.RESPONSE;
            MessageReceiver<Message> receiver = entry == null ? null : entry.receiver;
            Message message =
                    isResponse ? response(entry, connection, word) : receiver == null ? null : entry.message(handler);
            if (message == null) {
                skip(entry, connection, word);
                return;
            }
            if (!isResponse && message instanceof Request != isRequest(word)) {
                skipOther(connection, word);
                return;
            }
            read(message, connection, word, from);
            isRead = true;
            if (isResponse) {
                complete(connection, word, message);
            } else {
                call(receiver, connection, message);
            }
        } catch (Throwable e) {
            failed(connection, word, isRead, e);
        }
    }

    /** {@return the type's entry, which stays the same once it is there; null: not registered} */
    private TypeRegistry.@Nullable Entry entryOf(int key) {
        TypeRegistry.Entry last = recent;
        if (last != null && recentKey == key) {
            return last;
        }
        recent = types.get(key);
        recentKey = key;
        return recent;
    }

    private void read(Message message, PeerConnection connection, long word, MessageImporter from) {
        ACCESS.received(
                message,
                connection.nodeId(),
                ownNode,
                HeaderDescriptor.type(word),
                HeaderDescriptor.subtype(word),
                HeaderDescriptor.id(word),
                connection);
        message.importObject(from);
        if (from.remaining() != 0) {
            throw new MessageFormatException(MessageName.of(message) + ".importObject left " + from.remaining()
                    + " bytes unread: it must read what exportObject writes");
        }
    }

    // ---------------------------------------------------------------- responses

    /**
     * {@return a response to be filled: the one that its request makes, or one of its
     * registered type; null: neither}
     */
    private @Nullable Message response(TypeRegistry.@Nullable Entry entry, PeerConnection connection, long word) {
        Response ofRequest = requests.emptyResponse(HeaderDescriptor.id(word), connection, HeaderDescriptor.key(word));
        return ofRequest != null ? ofRequest : entry == null || entry.ofValues ? null : entry.factory.get();
    }

    private void complete(PeerConnection connection, long word, Message message) {
        if (!(message instanceof Response response)) {
            throw new MessageFormatException(
                    MessageName.of(message) + " came as a response but does not extend Response");
        }
        if (requests.complete(HeaderDescriptor.id(word), connection, response)) {
            delivered.add(1);
        }
    }

    private static boolean isReport(long word) {
        return (HeaderDescriptor.control(word) & HeaderDescriptor.FAILED) != 0
                || HeaderDescriptor.category(word) == HeaderDescriptor.REJECTED;
    }

    /** The other node reports what it could not handle: a request, or messages of a type. */
    private void report(PeerConnection connection, long word, MessageImporter from) {
        if (from.remaining() > FailureReport.BYTES_MAX) {
            throw new MessageFormatException("a failure report of " + from.remaining() + " bytes");
        }
        FailureReport report = new FailureReport();
        report.importObject(from);
        if (HeaderDescriptor.category(word) == HeaderDescriptor.REJECTED) {
            events.rejected(connection, word, report.count(), report.reason());
        } else if (requests.fail(HeaderDescriptor.id(word), connection, report::exception)) {
            delivered.add(1);
        }
    }

    // ---------------------------------------------------------------- callbacks

    private void call(MessageReceiver<Message> receiver, PeerConnection connection, Message message) throws Exception {
        delivered.add(1);
        try {
            receiver.onIncomingMessage(message);
        } finally {
            if (Thread.interrupted()) {
                events.interrupted(connection, message);
            }
        }
    }

    /** The type, or a receiver for it, is not registered here. */
    private void skip(TypeRegistry.@Nullable Entry entry, PeerConnection connection, long word) {
        dropped.add(1);
        int type = HeaderDescriptor.type(word);
        int subtype = HeaderDescriptor.subtype(word);
        String what = (entry == null ? "type " + type : "no receiver is registered for type " + type) + " subtype "
                + subtype + (entry == null ? " is not registered" : "");
        if (HeaderDescriptor.category(word) == HeaderDescriptor.RESPONSE) {
            requests.fail(
                    HeaderDescriptor.id(word),
                    connection,
                    request -> new MessagingUsageException(
                            request.what() + " was answered, but the answer's " + what + " here"));
            return;
        }
        skip(connection, word, what, "register it before messages can arrive");
    }

    /** The type is one of messages here, and of requests there, or the other way round. */
    private void skipOther(PeerConnection connection, long word) {
        dropped.add(1);
        boolean isRequest = isRequest(word);
        skip(
                connection,
                word,
                "type " + HeaderDescriptor.type(word) + " subtype " + HeaderDescriptor.subtype(word) + " came as a "
                        + (isRequest ? "request" : "message") + ", but is a type of "
                        + (isRequest ? "messages" : "requests"),
                "use one number for one type on all nodes");
    }

    private void skip(PeerConnection connection, long word, String what, String remedy) {
        if (reported.isFirst(connection.nodeId(), HeaderDescriptor.key(word))) {
            events.callbackFailed(
                    "messages of type " + HeaderDescriptor.type(word) + " subtype " + HeaderDescriptor.subtype(word)
                            + " from node " + connection.nodeId() + " are rejected, and their sender is informed"
                            + REPORTED_ONCE,
                    new MessagingUsageException(what + " here: " + remedy));
        }
        refuse(connection, word, "", what + " there");
    }

    private static boolean isRequest(long word) {
        return HeaderDescriptor.category(word) == HeaderDescriptor.REQUEST;
    }

    private void failed(PeerConnection connection, long word, boolean isRead, Throwable error) {
        failed.add(1);
        try {
            events.callbackFailed(
                    "a message of type " + HeaderDescriptor.type(word) + " subtype " + HeaderDescriptor.subtype(word)
                            + " from node " + connection.nodeId() + " failed in its import or callback",
                    error);
        } finally { // also where there is no memory for that
            informSender(connection, word, isRead, error);
        }
    }

    private void informSender(PeerConnection connection, long word, boolean isRead, Throwable error) {
        String errorClass = error.getClass().getName();
        String reason = ErrorText.messageOf(error);
        if (HeaderDescriptor.category(word) == HeaderDescriptor.RESPONSE) {
            requests.fail(
                    HeaderDescriptor.id(word),
                    connection,
                    request -> new MessagingUsageException(
                            "the answer to " + request.what() + " could not be read: " + errorClass + ": " + reason,
                            error));
        } else if (isRequest(word) || !isRead || error instanceof RefusedByExecutor) {
            refuse(connection, word, errorClass, reason);
        }
    }

    /**
     * A request or message reached no handler, or failed in it: its sender is
     * to be sent the reason.
     */
    private void refuse(PeerConnection connection, long word, String errorClass, String text) {
        if (isRequest(word)) {
            events.cannotAnswer(connection, word, errorClass, text);
            return;
        }
        if (HeaderDescriptor.category(word) != HeaderDescriptor.MESSAGE) {
            return; // a report that could not be read
        }
        if (rejecting != connection || HeaderDescriptor.key(rejectedWord) != HeaderDescriptor.key(word)) {
            reportRejected();
            rejecting = connection;
            rejectedWord = word;
        }
        rejected++;
        rejectedClass = errorClass;
        rejectedText = text;
    }

    /**
     * Reports what was rejected, before its bytes count as handled: so an orderly
     * end comes after the report.
     */
    void reportRejected() {
        PeerConnection connection = rejecting;
        if (connection != null) {
            int count = rejected;
            rejecting = null;
            rejected = 0;
            events.reject(connection, rejectedWord, count, rejectedClass, rejectedText);
        }
    }
}
