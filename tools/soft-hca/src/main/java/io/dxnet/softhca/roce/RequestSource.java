package io.dxnet.softhca.roce;

/**
 * The requests of one queue pair, numbered from 0 in the order of their posts. All methods are
 * called by the requester, on the thread that drives it.
 */
public interface RequestSource {
    /**
     * {@return the number of the first request that may not be started}
     */
    long startable();

    /**
     * Fills in a request and checks its local keys.
     *
     * @param sequence its number
     * @param into gets the request
     * @return {@code SUCCESS}, or why it fails
     */
    RequestStatus load(long sequence, Request into);

    /**
     * Executes a request of kind {@code LOCAL}; all before it are complete.
     *
     * @param sequence its number
     * @return {@code SUCCESS} or {@code LOCAL_WINDOW}
     */
    RequestStatus execute(long sequence);

    /**
     * Copies bytes of a request's local memory to the payload of a packet.
     *
     * @param sequence the request
     * @param offset the first byte
     * @param packet its payload is at {@link Packet#payloadAddress}
     * @param bytes how many
     * @return whether the local keys still fit
     */
    boolean gather(long sequence, long offset, Packet packet, int bytes);

    /**
     * Copies the payload of an answer to a request's local memory.
     *
     * @param sequence the request
     * @param offset where the payload belongs
     * @param packet the answer
     * @return whether the local keys still fit
     */
    boolean scatter(long sequence, long offset, Packet packet);

    /**
     * Writes what an atomic operation found to a request's local memory.
     *
     * @param sequence the request
     * @param value what the peer's memory held
     * @return whether the local keys still fit
     */
    boolean scatterValue(long sequence, long value);

    /**
     * Completes the oldest request. After a failure, the requester asks for nothing any more.
     *
     * @param sequence its number
     * @param status how it ended
     */
    void complete(long sequence, RequestStatus status);
}
