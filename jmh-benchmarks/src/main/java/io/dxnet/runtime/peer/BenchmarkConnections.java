package io.dxnet.runtime.peer;

import io.dxnet.runtime.receive.StreamState;
import io.dxnet.runtime.send.StreamOpener;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.foreign.Arena;

/** Connections for benchmarks: open, without an engine. */
public final class BenchmarkConnections {
    private static final int RING_BYTES = 1 << 20;
    private static final int COMMIT_SLOTS = 8192;
    private static final long WINDOW_BYTES = 1L << 40;

    private static final PeerConnection.Owner OWNER = new PeerConnection.Owner() {
        @Override
        public void flowControlPosted(PeerConnection connection) {}

        @Override
        public void signalsReceived(PeerConnection connection, int signals) {}

        @Override
        public void protocolError(PeerConnection connection, String what) {}

        @Override
        public void released(PeerConnection connection) {}

        @Override
        public boolean hasRequests(PeerConnection connection) {
            return false;
        }

        @Override
        public long handledMark() {
            return 0;
        }
    };

    private BenchmarkConnections() {}

    /** A connection whose streams are open. */
    public static PeerConnection open(int nodeId) {
        PeerConnection connection = new PeerConnection(
                nodeId,
                new OutgoingRingBuffer(Arena.global().allocate(RING_BYTES, 64), COMMIT_SLOTS, WINDOW_BYTES),
                WINDOW_BYTES,
                WINDOW_BYTES / 2,
                1_000_000_000,
                null,
                new StreamState(),
                OWNER);
        connection.life().startOpening();
        connection.outgoingOpened();
        return connection;
    }

    /** What opens nothing. */
    public static StreamOpener opener(PeerConnection connection) {
        return new StreamOpener() {
            @Override
            public PeerConnection await(int nodeId, EngineThread thread) {
                return connection;
            }

            @Override
            public void openStream(PeerConnection of, EngineThread thread) {}

            @Override
            public boolean awaitOpen(PeerConnection of, EngineThread thread) {
                return true;
            }
        };
    }
}
