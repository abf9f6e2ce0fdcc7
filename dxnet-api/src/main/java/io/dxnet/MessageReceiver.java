package io.dxnet;

/**
 * The application's callback for the messages of one type (DXNet Table I).
 *
 * @param <M> the message class
 */
@FunctionalInterface
public interface MessageReceiver<M extends Message> {
    /**
     * Called for each message that arrives, on a message handler thread. Messages of an exclusive
     * type come one at a time and in the order in which their node sent them; others may come on
     * several threads at once. A callback that blocks slows its senders down
     * (back-pressure); it may send messages and requests itself. One that leaves its thread
     * interrupted is reported, and the flag is cleared.
     *
     * @param message the message
     * @throws Exception any failure: it is reported to {@link DXNetConfig#errorHandler()},
     *     the thread continues, and the sender of a request that has no response yet gets a
     *     {@link RequestFailedException} with class and message
     */
    void onIncomingMessage(M message) throws Exception;
}
