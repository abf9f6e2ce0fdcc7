package io.dxnet.runtime.handle;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetException;
import io.dxnet.Handler;
import io.dxnet.Message;
import io.dxnet.MessageReceiver;
import io.dxnet.MessageType;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.RequestHandler;
import io.dxnet.RequestType;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.ErrorText;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.MessageAccess;
import io.dxnet.spi.ValueMessage;
import io.dxnet.spi.ValueRequest;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Registers the handlers of values as receivers of the messages that carry them. Any thread. */
public final class ValueHandlers {
    private static final MessageAccess ACCESS = MessageAccess.get();

    private final TypeRegistry types;
    private final Sender sender;
    private final HandlerReports reports;
    /** By node: the order outlasts connections. */
    private final ConcurrentHashMap<Integer, OrderedCalls> ordered = new ConcurrentHashMap<>();

    private final LongAdder failed = new LongAdder();

    public ValueHandlers(TypeRegistry types, Sender sender, HandlerReports reports) {
        this.types = types;
        this.sender = sender;
        this.reports = reports;
    }

    /** Handlers that failed on a thread of an executor. */
    public long failed() {
        return failed.sum();
    }

    /** See {@link io.dxnet.DXNetBuilder#on(MessageType, Handler, Executor)}. */
    public <T> void on(MessageType<T> type, Handler<? super T> handler, @Nullable Executor executor) {
        // The carrier is always the handler thread's own: only the value leaves the callback.
        Set<MessageTypeOption> options = EnumSet.of(MessageTypeOption.REUSABLE);
        options.addAll(type.options());
        types.registerValues(type.type(), type.subtype(), () -> new ValueMessage<>(type), options);
        types.registerReceiver(
                type.type(), type.subtype(), executor == null ? receiver(handler) : receiver(type, handler, executor));
    }

    private static <T> MessageReceiver<ValueMessage<T>> receiver(Handler<? super T> handler) {
        return message -> {
            T value = message.value();
            message.clear();
            handler.handle(value, message.source());
        };
    }

    private <T> MessageReceiver<ValueMessage<T>> receiver(
            MessageType<T> type, Handler<? super T> handler, Executor executor) {
        return message -> {
            T value = message.value();
            message.clear();
            int from = message.source();
            long word = HeaderDescriptor.word(0, HeaderDescriptor.MESSAGE, type.type(), type.subtype(), 0);
            DeferredCall call = new DeferredCall(
                    message,
                    reports.sends().epoch,
                    () -> handler.handle(value, from),
                    (connection, error) -> failed(type, connection, word, error));
            execute(call, type, executor);
        };
    }

    /** See {@link io.dxnet.DXNetBuilder#answer(RequestType, RequestHandler, Executor)}. */
    public <Q, R> void answer(
            RequestType<Q, R> type, RequestHandler<? super Q, ? extends R> handler, @Nullable Executor executor) {
        MessageType<Q> request = type.request();
        // A request that leaves the callback is needed for its response.
        Set<MessageTypeOption> options = EnumSet.noneOf(MessageTypeOption.class);
        options.addAll(request.options());
        if (executor == null) {
            options.add(MessageTypeOption.REUSABLE);
        }
        types.registerValues(request.type(), request.subtype(), () -> new ValueRequest<>(type), options);
        types.registerReceiver(
                request.type(), request.subtype(), executor == null ? answerer(handler) : answerer(handler, executor));
    }

    private <Q, R> MessageReceiver<ValueRequest<Q, R>> answerer(RequestHandler<? super Q, ? extends R> handler) {
        return request -> answer(request, handler);
    }

    private <Q, R> MessageReceiver<ValueRequest<Q, R>> answerer(
            RequestHandler<? super Q, ? extends R> handler, Executor executor) {
        return request -> {
            DeferredCall call = new DeferredCall(
                    request,
                    reports.sends().epoch,
                    () -> answer(request, handler),
                    (connection, error) -> cannotAnswer(request, error));
            execute(call, request.ofType().request(), executor);
        };
    }

    private <Q, R> void answer(ValueRequest<Q, R> request, RequestHandler<? super Q, ? extends R> handler)
            throws Exception {
        Q value = request.value();
        request.clear();
        R response = handler.answer(value, request.source());
        if (response == null) {
            throw new MessagingUsageException(
                    "the handler of " + request.what() + " returned null: a response must be an object");
        }
        respond(request, response);
    }

    @SuppressWarnings("NullAway") // a received request has an origin
    private <Q, R> void respond(ValueRequest<Q, R> request, R response) throws DXNetException {
        try {
            sender.respond(
                    request.response(response),
                    (PeerConnection) ACCESS.origin(request),
                    ACCESS.id(request),
                    HeaderDescriptor.RESPONSE);
        } catch (ConnectionLostException | NetClosedException e) {
            // The end of the connection has failed the request.
        }
    }

    private void execute(DeferredCall call, MessageType<?> type, Executor executor) {
        try {
            if (type.isOrdered()) {
                ordered.computeIfAbsent(call.connection().nodeId(), node -> new OrderedCalls())
                        .execute(call, executor);
            } else {
                executor.execute(call);
            }
        } catch (RuntimeException | Error e) {
            if (call.undo()) {
                throw new RefusedByExecutor(e);
            }
            throw e; // after the handler has run
        }
    }

    @SuppressWarnings("NullAway") // RefusedByExecutor has a message
    private void failed(MessageType<?> type, PeerConnection connection, long word, Throwable error) {
        failed(type.toString(), connection.nodeId(), error);
        if (error instanceof RefusedByExecutor) {
            reports.reject(connection, word, 1, error.getClass().getName(), error.getMessage());
        }
    }

    private void failed(String what, int from, Throwable error) {
        failed.increment();
        reports.callbackFailed(what + " from node " + from + " failed in its handler", error);
    }

    @SuppressWarnings("NullAway") // a received request has an origin
    private void cannotAnswer(ValueRequest<?, ?> request, Throwable error) {
        failed(request.what(), request.source(), error);
        reports.cannotAnswer(
                (PeerConnection) ACCESS.origin(request),
                word(request),
                error.getClass().getName(),
                ErrorText.messageOf(error));
    }

    private static long word(Message request) {
        return HeaderDescriptor.word(
                ACCESS.id(request), HeaderDescriptor.REQUEST, request.type(), request.subtype(), 0);
    }
}
