package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.IncomingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A message that lies in several received buffers (DXNet §V-B): its header and
 * the pieces of its payload, in order. Built by the message creation coordinator;
 * complete and immutable when a handler gets it.
 *
 * <p>Its buffers are at most twice as large as its bytes, plus the first and the last buffer,
 * however small the pieces are that it arrives in: a piece is copied behind the one before
 * it where it fits there, unless both fill half of their buffers. So of two buffers in a row,
 * the first one is half full, or what is in both is more than the first one holds. When memory
 * is short, pieces are packed: then all buffers but the last are full to their ends.
 */
public final class SplitMessage {
    private static final int PIECES = 4;
    private static final int PIECES_KEPT = 64;

    @SuppressWarnings("NullAway.Init") // by begin()
    PeerConnection connection;

    long headerWord;
    int length;
    int epoch; // the coordinator
    private int missing;
    private IncomingBuffer[] buffers = new IncomingBuffer[PIECES];
    private long[] spans = new long[PIECES]; // offset << 32 | length
    private int pieces;
    private int unconfirmed;
    private int ahead; // confirmed before the message is whole
    private @Nullable AtomicLong unhandled; // counts this message; null before it is whole

    // The list of incomplete messages: ReceiveBudget
    @Nullable
    SplitMessage earlier;

    @Nullable
    SplitMessage later;

    void begin(PeerConnection from, long word, int payloadLength, int inEpoch) {
        this.connection = from;
        this.headerWord = word;
        this.length = payloadLength;
        this.epoch = inEpoch;
        this.missing = payloadLength;
        this.pieces = 0;
        this.unconfirmed = 0;
        this.ahead = HeaderDescriptor.BYTES; // by the coordinator
    }

    /**
     * Adds the next piece: copies it behind the last one, or keeps its buffer. A piece that
     * does not complete the message must end where its buffer's data ends.
     */
    void add(IncomingBuffer buffer, int offset, int bytes) {
        boolean roomy =
                bytes > tail() || isHalfFull(buffer, bytes) && isHalfFull(buffer(pieces - 1), bytes(pieces - 1));
        if (roomy) {
            keep(buffer, offset, bytes);
        } else {
            copyToTail(buffer, offset, bytes);
        }
    }

    private static boolean isHalfFull(IncomingBuffer buffer, int bytes) {
        return bytes >= buffer.capacity() / 2;
    }

    /** The same, so that the last buffer is filled before another one is kept. */
    void addPacked(IncomingBuffer buffer, int offset, int bytes) {
        ensureRoom(); // before anything is counted
        int copied = addToTail(buffer, offset, bytes);
        int left = bytes - copied;
        if (left > 0) {
            if (copied > 0) {
                MemorySegment.copy(buffer.segment(), offset + copied, buffer.segment(), offset, left);
            }
            keep(buffer, offset, left);
        }
    }

    /** Copies as much of the next piece as has room behind the last one. */
    int addToTail(IncomingBuffer from, int offset, int bytes) {
        int copied = Math.min(bytes, tail());
        if (copied > 0) {
            copyToTail(from, offset, copied);
        }
        return copied;
    }

    /** Copies as much of the next piece as has room in a buffer that nothing else uses. */
    int addCopy(IncomingBuffer from, int offset, int bytes, IncomingBuffer own) {
        own.handOver(connection);
        append(own, 0, 0);
        return addToTail(from, offset, bytes);
    }

    private void copyToTail(IncomingBuffer from, int offset, int bytes) {
        int last = pieces - 1;
        MemorySegment.copy(from.segment(), offset, buffers[last].segment(), (long) offset(last) + bytes(last), bytes);
        spans[last] += bytes;
        count(bytes);
    }

    private void keep(IncomingBuffer buffer, int offset, int bytes) {
        append(buffer, offset, bytes);
        buffer.retain();
        count(bytes);
    }

    private void append(IncomingBuffer buffer, int offset, int bytes) {
        ensureRoom();
        buffers[pieces] = buffer;
        spans[pieces] = (long) offset << 32 | bytes;
        pieces++;
    }

    /** Makes room for one piece more. */
    void ensureRoom() {
        if (pieces == buffers.length) {
            IncomingBuffer[] moreBuffers = Arrays.copyOf(buffers, pieces * 2);
            spans = Arrays.copyOf(spans, pieces * 2);
            buffers = moreBuffers; // both, or none: the heap may be full
        }
    }

    private void count(int bytes) {
        missing -= bytes;
        unconfirmed += bytes;
    }

    /** Room behind the last piece. */
    private int tail() {
        int last = pieces - 1;
        return last < 0 ? 0 : buffers[last].capacity() - offset(last) - bytes(last);
    }

    public PeerConnection connection() {
        return connection;
    }

    public long headerWord() {
        return headerWord;
    }

    public int length() {
        return length;
    }

    int missing() {
        return missing;
    }

    public int pieces() {
        return pieces;
    }

    public IncomingBuffer buffer(int piece) {
        return buffers[piece];
    }

    public int offset(int piece) {
        return (int) (spans[piece] >>> 32);
    }

    public int bytes(int piece) {
        return (int) spans[piece];
    }

    /** The memory of its buffers. */
    long held() {
        long held = 0;
        for (int i = 0; i < pieces; i++) {
            held += buffers[i].capacity();
        }
        return held;
    }

    boolean isUnconfirmed() {
        return unconfirmed > 0;
    }

    /**
     * Confirms to the sender what arrived: the rest of the message can only come
     * if its window opens.
     */
    void confirm() {
        if (unconfirmed > 0) {
            connection.processed(unconfirmed);
            ahead += unconfirmed;
            unconfirmed = 0;
        }
    }

    /**
     * It is whole: counts it until it is released. What was confirmed for it ahead
     * counts again when it is handled.
     */
    void countAs(AtomicLong unhandledMessages) {
        connection.takeBack(ahead);
        unconfirmed += ahead;
        ahead = 0;
        unhandled = unhandledMessages;
        unhandled.incrementAndGet();
    }

    /** Confirms what was not confirmed before, and returns the buffers. */
    public void release() {
        connection.handled(epoch, HeaderDescriptor.BYTES + length);
        confirm();
        discard();
    }

    /**
     * Returns the buffers of a message that no handler gets: nothing of it is confirmed any more.
     */
    @SuppressWarnings("NullAway") // not read before the next begin()
    void discard() {
        for (int i = 0; i < pieces; i++) {
            IncomingBuffer buffer = buffers[i];
            buffers[i] = null;
            buffer.release();
        }
        pieces = 0;
        connection = null;
        if (unhandled != null) { // after the buffers: at 0, no handler has memory of a whole message
            unhandled.decrementAndGet();
            unhandled = null;
        }
        if (buffers.length > PIECES_KEPT) { // don't keep the arrays of the rare giant
            buffers = new IncomingBuffer[PIECES];
            spans = new long[PIECES];
        }
    }
}
