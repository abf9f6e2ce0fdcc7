package io.dxnet.runtime;

import io.dxnet.runtime.PeerConnection.Tail;
import io.dxnet.transport.OutgoingRingBuffer;
import io.dxnet.transport.Transport;

/**
 * Writes the two marks at the end of a stream: the handover, after which only responses follow, and the goodbye, after which nothing
 * does. Each waits for room in the ring and for a large message that is being streamed: another call has to follow. The control
 * thread only.
 */
final class StreamEnd {
    private StreamEnd() {}

    /** Locks the ring for good, so that nothing but responses follows, and writes the handover where there is room. */
    static void tryHandOver(PeerConnection connection, Transport transport) {
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
    static void trySayGoodbye(PeerConnection connection, Transport transport) {
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
        int bytes = ring.tryClaimLocked(HeaderDescriptor.BYTES, true);
        if (bytes != HeaderDescriptor.BYTES) {
            return false; // closed, or the CUB is full
        }
        RingExporter exporter = new RingExporter();
        exporter.begin(ring, ring.lockedClaim(), HeaderDescriptor.BYTES);
        exporter.writeHeader(HeaderDescriptor.word(0, category, 0, 0, 0), HeaderDescriptor.tail(0));
        // Before it can be read: from then on it may be acknowledged.
        if (category == HeaderDescriptor.HANDOVER) {
            connection.life().handoverWritten();
        } else {
            connection.life().goodbyeWritten();
        }
        ring.commit(ring.lockedClaim(), bytes);
        return true;
    }
}
