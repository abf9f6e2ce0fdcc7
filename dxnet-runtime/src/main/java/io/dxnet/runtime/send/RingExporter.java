package io.dxnet.runtime.send;

import io.dxnet.DXNetException;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.SegmentExporter;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one message into a connection's ring. A claimed region may continue at the ring's
 * beginning. A message that is larger than a region may be is written into one region
 * after the other, each published as soon as it is full (DXNet §V-A, large messages):
 * {@code exportObject} runs once and waits in here. Belongs to one thread at a time.
 */
final class RingExporter extends SegmentExporter {
    /** Ends a stream from inside {@code exportObject}; the cause is what the application gets. */
    static final class StreamBroken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StreamBroken(Exception cause) {
            super(cause.getMessage(), cause, false, false);
        }

        boolean isTimeout() {
            return getCause() instanceof SendTimeoutException;
        }

        /** {@return the cause; one that is not checked is thrown} */
        @SuppressWarnings("NullAway") // made with a cause
        DXNetException reason() {
            if (getCause() instanceof NetClosedException closed) {
                throw closed;
            }
            return (DXNetException) getCause();
        }
    }

    /** Where a stream gets its regions. */
    interface Regions {
        /** Waits for room; returns the bytes claimed, 1 to {@code bytesMax}. */
        int claim(PeerConnection connection, int bytesMax) throws DXNetException;

        /** A region was committed. */
        void committed(PeerConnection connection);
    }

    /** In place of {@link #wrapped}: the message wrote more than it announced. */
    private static final int OVERRUN = -1;

    private int wrapped; // bytes of the region that lie at the ring's beginning

    // Null unless a message is streamed: an idle exporter refers to no engine.
    private @Nullable Regions regions;
    private @Nullable PeerConnection streaming; // null unless a message is streamed
    private int unclaimed; // of the streamed message
    private int regionMax;
    private int regionBytes;
    private @Nullable StreamBroken broken;
    private boolean whole; // the stream is written to its end

    /** Starts a message that lies in one region. */
    void begin(OutgoingRingBuffer ring, long claim, int bytes) {
        streaming = null;
        region(ring, claim, bytes);
    }

    private void region(OutgoingRingBuffer ring, long claim, int bytes) {
        int offset = ring.offset(claim);
        int contiguous = Math.min(bytes, ring.capacity() - offset);
        segment = ring.segment();
        position = offset;
        limit = offset + contiguous;
        wrapped = bytes - contiguous;
    }

    /** Starts a message that is streamed; the caller holds the ring's lock. */
    void beginStream(Regions from, PeerConnection connection, int bytes, int bytesOfRegionMax) {
        regions = from;
        streaming = connection;
        unclaimed = bytes;
        regionMax = bytesOfRegionMax;
        regionBytes = 0;
        broken = null;
        whole = false;
        position = 0;
        limit = 0;
        wrapped = 0;
    }

    void writeHeader(long word, short tail) {
        long at = position;
        if (limit - at >= HeaderDescriptor.BYTES) {
            segment.set(WireFormat.LONG, at, word);
            segment.set(WireFormat.SHORT, at + Long.BYTES, tail);
            position = at + HeaderDescriptor.BYTES;
        } else {
            writeLong(word);
            writeShort(tail);
        }
    }

    /** Bytes that the message announced and did not write; less than 0 where it wrote more. */
    int missing() {
        return (int) (limit - position) + wrapped + (streaming == null ? 0 : unclaimed);
    }

    /** Writes zeros where the message did not write. */
    void fill() {
        for (int i = missing(); i > 0; i--) {
            writeByte((byte) 0);
        }
    }

    /** Writes the last byte of a stream, after zeros where the message did not write. */
    void writeTrailer(byte trailer) {
        fill();
        wrapped = 0; // also after an overrun
        unclaimed++;
        writeByte(trailer);
        whole = true;
    }

    /** {@return whether the stream was written to its end} Else half a message is on its way. */
    boolean isWhole() {
        return whole;
    }

    /** Publishes the last region of a stream. */
    void endStream() {
        try {
            commitRegion();
        } finally {
            regions = null;
            streaming = null;
        }
    }

    /** Why the stream ended early, or null: the application may have caught the exception. */
    @Nullable
    StreamBroken broken() {
        return broken;
    }

    @Override
    protected void nextPiece() {
        if (wrapped > 0) {
            position = 0;
            limit = wrapped;
            wrapped = 0;
        } else if (streaming != null && unclaimed > 0) {
            nextRegion();
        } else {
            wrapped = OVERRUN; // the application may catch the exception
            throw new MessagingUsageException(
                    "exportObject writes more bytes than sizeOfObject() returned: the two must agree");
        }
    }

    @SuppressWarnings("NullAway") // called while a message is streamed
    private void nextRegion() {
        if (broken != null) {
            throw broken;
        }
        PeerConnection connection = streaming;
        commitRegion();
        try {
            int bytes = regions.claim(connection, Math.min(unclaimed, regionMax));
            unclaimed -= bytes;
            regionBytes = bytes;
            region(connection.ring(), connection.ring().lockedClaim(), bytes);
        } catch (DXNetException | NetClosedException e) {
            broken = new StreamBroken(e);
            throw broken;
        }
    }

    @SuppressWarnings("NullAway") // a region has bytes only while a message is streamed
    private void commitRegion() {
        if (regionBytes > 0) {
            OutgoingRingBuffer ring = streaming.ring();
            ring.commit(ring.lockedClaim(), regionBytes);
            regionBytes = 0;
            regions.committed(streaming);
        }
    }
}
