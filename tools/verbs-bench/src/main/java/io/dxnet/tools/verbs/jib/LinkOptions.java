package io.dxnet.tools.verbs.jib;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What both ends must agree on when they connect.
 *
 * @param depth requests of the send queue
 * @param receives requests of the receive queue
 * @param chain requests posted with one call, at most
 * @param signalEvery one request in so many has a completion, where the pattern allows it
 * @param inline largest message of the latency patterns that is sent inline, bytes
 * @param bytesMax largest message, bytes
 * @param stallSeconds how long nothing may move in a run
 * @param patienceSeconds how long one end waits for the other between its steps
 */
record LinkOptions(
        int depth,
        int receives,
        int chain,
        int signalEvery,
        int inline,
        int bytesMax,
        int stallSeconds,
        int patienceSeconds) {
    /** Memory for messages, each way: 16 of the largest at most. */
    private static final long REGION_BYTES = 16 << 20;

    private static final int CACHE_LINE = 64;

    long regionBytes() {
        return Math.max(REGION_BYTES, stride(bytesMax));
    }

    /** Distance of messages in memory: no two share a cache line. */
    static long stride(int size) {
        return (size + CACHE_LINE - 1L) & -CACHE_LINE;
    }

    /** Places for outgoing messages of a size: a power of two, at most the send queue's depth. */
    int sendSlots(int size) {
        return Integer.highestOneBit(Math.clamp(regionBytes() / stride(size), 1, depth));
    }

    /**
     * Places for incoming messages of a size: a power of two, at most the receive queue's depth.
     */
    int receiveSlots(int size) {
        return Integer.highestOneBit(Math.clamp(regionBytes() / stride(size), 1, receives));
    }

    void write(DataOutputStream out) throws IOException {
        for (int value :
                new int[] {depth, receives, chain, signalEvery, inline, bytesMax, stallSeconds, patienceSeconds}) {
            out.writeInt(value);
        }
    }

    static LinkOptions read(DataInputStream in) throws IOException {
        return new LinkOptions(
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt());
    }
}
