package io.dxnet.softhca.capture;

/**
 * What a capture holds of one packet of a network.
 *
 * @param timeNs since 1970, in nanoseconds
 * @param linkType what the first header is, a {@code LINKTYPE_} of pcap
 * @param bytes the captured bytes
 * @param originalLength how long the packet was: more than the bytes where the capture cut it
 */
public record Frame(long timeNs, int linkType, byte[] bytes, int originalLength) {}
