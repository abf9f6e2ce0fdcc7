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
    private int unconfirmed;

    void begin(PeerConnection from, long word, int payloadLength) {
        this.connection = from;
        this.headerWord = word;
        this.length = payloadLength;
        this.missing = payloadLength;
        this.pieces = 0;
        this.unconfirmed = 0;
    }

    /**
     * Adds the next piece and keeps its buffer. All but the last piece are confirmed to the sender at once: the rest of the
     * message can only come if its window opens. The last one is confirmed when the message was handled.
     */
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
        if (missing > 0) {
            connection.processed(bytes);
        } else {
            unconfirmed = bytes;
        }
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

    /** Confirms the last piece to the sender and lets the buffers go. */
    void release() {
        if (unconfirmed > 0) {
            connection.processed(unconfirmed);
        }
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
