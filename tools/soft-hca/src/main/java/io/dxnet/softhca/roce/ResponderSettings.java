package io.dxnet.softhca.roce;

/**
 * What a responder is set to.
 *
 * @param peer the queue pair number of the requester
 * @param pathMtu bytes of payload in a packet
 * @param firstPsn the first packet sequence number that it expects
 * @param maxReads reads and atomic operations that it remembers for repetition
 */
public record ResponderSettings(int peer, int pathMtu, int firstPsn, int maxReads) {}
