package io.dxnet.ibverbs;

/**
 * What one side of a connection sends to the other, over some channel of its own.
 *
 * @param qpNumber the queue pair
 * @param psn the first packet number it sends, 24 bits
 * @param lid its port's local identifier, 0 on Ethernet
 * @param gid its port's GID, null where LIDs are enough
 */
public record QpAddress(int qpNumber, int psn, int lid, Gid gid) {}
