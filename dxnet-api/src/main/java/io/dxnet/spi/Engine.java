package io.dxnet.spi;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetException;
import io.dxnet.Message;
import io.dxnet.MessageReceiver;
import io.dxnet.MessageTypeOption;
import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.Statistics;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What {@link io.dxnet.DXNet} delegates to; each method is documented there. Any thread may call any method. */
public interface Engine extends AutoCloseable {
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

    /**
     * See {@link io.dxnet.DXNet#describe}.
     *
     * @return one line
     */
    String describe();

    @Override
    void close();
}
