package io.dxnet.runtime;

import io.dxnet.transport.IncomingBuffer;
import java.util.Arrays;

/**
 * A message that lies in several received buffers (DXNet §V-B): its header and the pieces of its payload, in order. Built by
 * the message creation coordinator; complete and immutable when a handler gets it.
 */
final class SplitMessage {
    PeerConnection connection;
    long headerWord;
    int length;
    private int missing;
    private IncomingBuffer[] buffers = new IncomingBuffer[4];
    private long[] spans = new long[4]; // offset << 32 | length
    private int pieces;

    void begin(PeerConnection from, long word, int payloadLength) {
        this.connection = from;
        this.headerWord = word;
        this.length = payloadLength;
        this.missing = payloadLength;
        this.pieces = 0;
    }

    /** Adds the next piece and keeps its buffer. */
    void add(IncomingBuffer buffer, int offset, int bytes) {
        if (pieces == buffers.length) {
            buffers = Arrays.copyOf(buffers, pieces * 2);
            spans = Arrays.copyOf(spans, pieces * 2);
        }
        buffer.retain();
        buffers[pieces] = buffer;
        spans[pieces] = (long) offset << 32 | bytes;
        pieces++;
        missing -= bytes;
    }

    /** The bytes of the message that lie in a buffer, if that is the last one that was added; else 0. */
    int lastPieceBytes(IncomingBuffer buffer) {
        return pieces > 0 && buffers[pieces - 1] == buffer ? bytes(pieces - 1) : 0;
    }

    int missing() {
        return missing;
    }

    int pieces() {
        return pieces;
    }

    IncomingBuffer buffer(int piece) {
        return buffers[piece];
    }

    int offset(int piece) {
        return (int) (spans[piece] >>> 32);
    }

    int bytes(int piece) {
        return (int) spans[piece];
    }

    /** Lets the buffers go. */
    void release() {
        for (int i = 0; i < pieces; i++) {
            IncomingBuffer buffer = buffers[i];
            buffers[i] = null;
            buffer.release();
        }
        pieces = 0;
        connection = null;
        if (buffers.length > 64) { // don't keep the arrays of the rare giant
            buffers = new IncomingBuffer[4];
            spans = new long[4];
        }
    }
}
