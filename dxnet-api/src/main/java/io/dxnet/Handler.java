package io.dxnet;

/**
 * The application's callback for the messages of one {@link MessageType}.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface Handler<T> {
    /**
     * Handles a message. Runs on a message handler thread of the node, or where {@link
     * DXNetBuilder#on(MessageType, Handler, java.util.concurrent.Executor)} puts it. Messages of an
     * {@link MessageType#ordered() ordered} type come one at a time, in the order in which their
     * node sent them; others may come on several threads at once. A callback that lasts slows its
     * senders down (back-pressure). It may send messages and requests itself.
     *
     * @param message the message
     * @param from the id of the node that sent it, 0 to 65535
     * @throws Exception any: it is reported to
     *     {@link DXNetConfig#errorHandler()}, and the thread continues
     */
    void handle(T message, int from) throws Exception;
}
