package io.dxnet.runtime.send;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.peer.PeerConnection.Tail;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.Transport;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.lang.foreign.ValueLayout;

/**
 * Writes the marks of a stream: at its end the handover, after which only responses follow, and
 * the goodbye, after which nothing does; before them barriers. The first two wait for room in the
 * ring and for a large message that is being streamed: another call has to follow. The control
 * thread, where nothing else is stated.
 */
public final class StreamMarks {
    private StreamMarks() {}

    /**
     * Locks the ring for good, so that nothing but responses follows, and writes
     * the handover where there is room.
     */
    public static void tryHandOver(PeerConnection connection, Transport transport) {
        if (connection.tail() == Tail.OPEN) {
            if (!connection.ring().tryLock()) {
                return;
            }
            connection.tail(Tail.LOCKED);
        }
        if (tryWrite(connection, HeaderDescriptor.HANDOVER)) {
            connection.tail(Tail.RESPONSES);
            transport.dataPosted(connection);
        }
    }

    /** Keeps responses out, and writes the goodbye where there is room. */
    public static void trySayGoodbye(PeerConnection connection, Transport transport) {
        if (connection.tail() != Tail.GOODBYE && !connection.tail(Tail.RESPONSES, Tail.GOODBYE)) {
            return;
        }
        if (tryWrite(connection, HeaderDescriptor.GOODBYE)) {
            transport.dataPosted(connection);
        }
    }

    private static boolean tryWrite(PeerConnection connection, int category) {
        OutgoingRingBuffer ring = connection.ring();
        if (ring.capacity() - ring.pending() < HeaderDescriptor.BYTES) {
            return false;
        }
        int bytes = ring.tryClaimLocked(HeaderDescriptor.BYTES, Window.IGNORED);
        if (bytes != HeaderDescriptor.BYTES) {
            return false; // closed, or the CUB is full
        }
        writeHeader(ring, ring.lockedClaim(), category);
        // Before it can be read: from then on it may be acknowledged.
        if (category == HeaderDescriptor.HANDOVER) {
            connection.life().handoverWritten();
        } else if (category == HeaderDescriptor.GOODBYE) {
            connection.life().goodbyeWritten();
        }
        ring.commit(ring.lockedClaim(), bytes);
        return true;
    }

    /**
     * Writes the barrier that is requested, where the ring has room and is not locked. A thread
     * that streams a message writes it before it unlocks the ring.
     *
     * @return whether it is written, by either
     */
    static boolean tryWriteBarrier(PeerConnection connection) {
        if (connection.beginBarrier()) {
            boolean isWritten = false;
            try {
                OutgoingRingBuffer ring = connection.ring();
                long claim = ring.tryClaim(HeaderDescriptor.BYTES, Window.IGNORED);
                if (claim >= 0) {
                    writeHeader(ring, claim, HeaderDescriptor.BARRIER);
                    ring.commit(claim, HeaderDescriptor.BYTES);
                    isWritten = true;
                }
            } finally {
                connection.endBarrier(isWritten);
            }
        }
        return connection.isBarrierWritten();
    }

    /** Writes the barrier that is requested, if one is. The thread that holds the ring's lock. */
    static void writeRequestedBarrier(PeerConnection connection) {
        if (connection.beginBarrier()) {
            boolean isWritten = false;
            try {
                isWritten = tryWrite(connection, HeaderDescriptor.BARRIER);
            } finally {
                connection.endBarrier(isWritten);
            }
        }
    }

    /** Without an object: where the heap is full, what is claimed would never be committed. */
    private static void writeHeader(OutgoingRingBuffer ring, long claim, int category) {
        long word = HeaderDescriptor.word(0, category, 0, 0, 0);
        write(ring, claim, word, Long.BYTES);
        write(ring, claim + Long.BYTES, HeaderDescriptor.tail(0), Short.BYTES);
    }

    private static void write(OutgoingRingBuffer ring, long claim, long bits, int bytes) {
        for (int i = 0; i < bytes; i++) {
            ring.segment().set(ValueLayout.JAVA_BYTE, ring.offset(claim + i), (byte) (bits >>> i * Byte.SIZE));
        }
    }
}
