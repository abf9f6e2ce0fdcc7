package io.dxnet.spi;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Handler;
import io.dxnet.Message;
import io.dxnet.MessageReceiver;
import io.dxnet.MessageType;
import io.dxnet.MessageTypeOption;
import io.dxnet.Request;
import io.dxnet.RequestHandler;
import io.dxnet.RequestType;
import io.dxnet.Response;
import io.dxnet.Statistics;
import io.dxnet.memory.RemoteMemory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link io.dxnet.DXNet} delegates to; each method is documented there.
 * Any thread may call any method.
 */
public interface Engine extends AutoCloseable {
    /** {@return the configuration in force} */
    DXNetConfig config();

    /**
     * Starts the threads, and listens.
     *
     * @param isComplete whether all types are registered: then other nodes need not wait for more
     */
    void start(boolean isComplete);

    /**
     * See {@link io.dxnet.DXNet#registerMessageType}.
     *
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @param factory makes empty messages
     * @param options of the type
     */
    void registerMessageType(
            int type, int subtype, Supplier<? extends Message> factory, Set<MessageTypeOption> options);

    /**
     * See {@link io.dxnet.DXNet#register}.
     *
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @param receiver the callback
     */
    void register(int type, int subtype, MessageReceiver<? extends Message> receiver);

    /**
     * See {@link io.dxnet.DXNet#unregister}.
     *
     * @param type 0 to 255
     * @param subtype 0 to 255
     */
    void unregister(int type, int subtype);

    /**
     * See {@link io.dxnet.DXNet#cancelRequests}.
     *
     * @param nodeId 0 to 65535
     * @return how many there were
     */
    int cancelRequests(int nodeId);

    /**
     * See {@link io.dxnet.DXNetBuilder#on}.
     *
     * @param <T> the type of the values
     * @param type the type
     * @param handler the callback
     * @param executor runs it; null: a message handler thread does
     */
    <T> void on(MessageType<T> type, Handler<? super T> handler, @Nullable Executor executor);

    /**
     * See {@link io.dxnet.DXNetBuilder#answer}.
     *
     * @param <Q> the type of the requests
     * @param <R> the type of the responses
     * @param type the type
     * @param handler the callback
     * @param executor runs it; null: a message handler thread does
     */
    <Q, R> void answer(
            RequestType<Q, R> type, RequestHandler<? super Q, ? extends R> handler, @Nullable Executor executor);

    /**
     * See {@link io.dxnet.DXNet#send}.
     *
     * @param <T> the type of the value
     * @param nodeId 0 to 65535
     * @param type the type
     * @param value the value
     * @throws DXNetException when it could not be sent
     */
    <T> void send(int nodeId, MessageType<T> type, T value) throws DXNetException;

    /**
     * See {@link io.dxnet.DXNet#trySend}.
     *
     * @param <T> the type of the value
     * @param nodeId 0 to 65535
     * @param type the type
     * @param value the value
     * @return whether it was sent
     * @throws DXNetException when the connection broke
     */
    <T> boolean trySend(int nodeId, MessageType<T> type, T value) throws DXNetException;

    /**
     * See {@link io.dxnet.DXNet#whenWritable}.
     *
     * @param nodeId 0 to 65535
     * @return the future
     */
    CompletableFuture<Void> whenWritable(int nodeId);

    /**
     * See {@link io.dxnet.DXNet#whenHandled}.
     *
     * @param nodeId 0 to 65535
     * @return the future
     */
    CompletableFuture<Void> whenHandled(int nodeId);

    /**
     * See {@link io.dxnet.DXNet#call(int, RequestType, Object, Duration)}.
     *
     * @param <Q> the type of the request
     * @param <R> the type of the response
     * @param nodeId 0 to 65535
     * @param type the type
     * @param value the request
     * @param timeout the longest wait
     * @return the response
     * @throws DXNetException when there is none
     */
    <Q, R> R call(int nodeId, RequestType<Q, R> type, Q value, Duration timeout) throws DXNetException;

    /**
     * See {@link io.dxnet.DXNet#callAsync(int, RequestType, Object, Duration)}.
     *
     * @param <Q> the type of the request
     * @param <R> the type of the response
     * @param nodeId 0 to 65535
     * @param type the type
     * @param value the request
     * @param timeout until the future fails
     * @return the future response
     */
    <Q, R> CompletableFuture<R> callAsync(int nodeId, RequestType<Q, R> type, Q value, Duration timeout);

    /**
     * See {@link io.dxnet.DXNet#sendMessage}.
     *
     * @param message the message
     * @throws DXNetException when it could not be sent
     */
    void sendMessage(Message message) throws DXNetException;

    /**
     * See {@link io.dxnet.DXNet#sendSync}.
     *
     * @param request the request
     * @param timeout the longest wait
     * @param <R> the type of the response
     * @return the response
     * @throws DXNetException when there is none
     */
    <R extends Response> R sendSync(Request<R> request, Duration timeout) throws DXNetException;

    /**
     * See {@link io.dxnet.DXNet#sendAsync}.
     *
     * @param request the request
     * @param timeout until the future fails
     * @param <R> the type of the response
     * @return the future response
     */
    <R extends Response> CompletableFuture<R> sendAsync(Request<R> request, Duration timeout);

    /**
     * See {@link io.dxnet.DXNet#remoteMemory}.
     *
     * @return the service
     */
    RemoteMemory remoteMemory();

    /**
     * See {@link io.dxnet.DXNet#connectNode}.
     *
     * @param nodeId 0 to 65535
     * @throws DXNetException when it can't be reached
     */
    void connectNode(int nodeId) throws DXNetException;

    /**
     * See {@link io.dxnet.DXNet#disconnectNode}.
     *
     * @param nodeId 0 to 65535
     */
    void disconnectNode(int nodeId);

    /**
     * See {@link io.dxnet.DXNet#addConnectionListener}.
     *
     * @param listener the listener
     */
    void addConnectionListener(ConnectionListener listener);

    /**
     * See {@link io.dxnet.DXNet#removeConnectionListener}.
     *
     * @param listener the listener
     */
    void removeConnectionListener(ConnectionListener listener);

    /**
     * See {@link io.dxnet.DXNet#statistics}.
     *
     * @return a snapshot
     */
    Statistics statistics();

    /** See {@link io.dxnet.DXNet#reloadSecurity}. */
    void reloadSecurity();

    /**
     * See {@link io.dxnet.DXNet#describe}.
     *
     * @return one line
     */
    String describe();

    @Override
    void close();
}
