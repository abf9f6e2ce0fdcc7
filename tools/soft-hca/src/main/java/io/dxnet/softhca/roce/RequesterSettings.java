package io.dxnet.softhca.roce;

/**
 * What a requester is set to.
 *
 * @param peer the queue pair number of the responder
 * @param pathMtu bytes of payload in a packet
 * @param firstPsn the first packet sequence number
 * @param maxReads reads and atomic operations without answer at a time
 * @param windowBytes what the receiver's socket is expected to hold for this connection: bounds the
 *     packets in flight
 * @param timeoutNs the time without an answer after which it sends again; 0: none
 * @param retries how often it does so without progress
 * @param notReadyRetries how often it sends again to a receiver that is not ready; 7: no limit
 */
public record RequesterSettings(
        int peer,
        int pathMtu,
        int firstPsn,
        int maxReads,
        int windowBytes,
        long timeoutNs,
        int retries,
        int notReadyRetries) {}
