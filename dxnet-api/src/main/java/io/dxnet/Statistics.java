package io.dxnet;

import java.util.List;

/**
 * Counters since the start and levels at the moment of the snapshot. Counters of different threads
 * are read one after the other, so sums over them are exact only when nothing moves.
 *
 * @param messagesSent messages written to ring buffers, requests and responses included
 * @param bytesSent their bytes, headers included
 * @param messagesReceived messages passed to callbacks, and responses that completed a request
 * @param bytesReceived bytes received from the transport
 * @param requestsOutstanding requests without a response yet (level)
 * @param requestsTimedOut requests that ended by timeout
 * @param responsesDropped responses that came late or belong to no request
 * @param callbackErrors exceptions of callbacks and of {@link Importable#importObject}
 * @param messagesDropped messages received without a callback for their type, or
 *     given up by their sender half way
 * @param messagesRejected messages sent that other nodes could not pass to a
 *     handler: see {@link Rejection}
 * @param sendsBlocked times a sender had to wait for ring space or the flow control's window
 * @param connectionsOpened connections made, by either side
 * @param connectionsClosed connections ended
 * @param handshakesRefused handshakes of other nodes, or of strangers, that this node refused, or
 *     that came to nothing; {@link DXNet#describe} has the causes
 * @param buffersInUse pooled receive buffers that are out (level)
 * @param buffersAllocated receive buffers that exist (level)
 * @param incomingQueueBytes bytes received that wait for the
 *     message creation coordinator (level)
 * @param connections one entry for each open connection
 */
public record Statistics(
        long messagesSent,
        long bytesSent,
        long messagesReceived,
        long bytesReceived,
        long requestsOutstanding,
        long requestsTimedOut,
        long responsesDropped,
        long callbackErrors,
        long messagesDropped,
        long messagesRejected,
        long sendsBlocked,
        long connectionsOpened,
        long connectionsClosed,
        long handshakesRefused,
        long buffersInUse,
        long buffersAllocated,
        long incomingQueueBytes,
        List<OfConnection> connections) {

    /**
     * One connection.
     *
     * @param nodeId the other node
     * @param bytesSent bytes given to the transport or waiting for it
     * @param bytesReceived bytes that arrived
     * @param bytesInRing bytes in the ring that the transport has not sent yet (level)
     * @param bytesUnconfirmed bytes sent that the other node has not confirmed yet (level)
     */
    public record OfConnection(
            int nodeId, long bytesSent, long bytesReceived, long bytesInRing, long bytesUnconfirmed) {}
}
