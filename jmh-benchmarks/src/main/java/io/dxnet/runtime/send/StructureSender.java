package io.dxnet.runtime.send;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.NetClosedException;
import io.dxnet.jmh.NanosPerCall;
import io.dxnet.runtime.peer.BenchmarkConnections;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.BenchmarkTransport;
import io.dxnet.transport.idle.IdleStrategies;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The way of a message of 64 bytes from the application's call into the ring, by one
 * thread: nanoseconds. The wire accepts all at once, in batches.
 */
@State(Scope.Thread)
@OperationsPerInvocation(StructureSender.ITEMS)
public class StructureSender extends NanosPerCall {
    static final int ITEMS = 1000;

    private static final int PAYLOAD_BYTES = 64;

    /** A payload and nothing else. */
    private static final class Payload extends Message {
        private final byte[] bytes = new byte[PAYLOAD_BYTES];

        Payload() {
            super(1, 7, 7);
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeBytes(bytes);
        }

        @Override
        public void importObject(Importer importer) {
            importer.readBytes(bytes);
        }

        @Override
        public int sizeOfObject() {
            return PAYLOAD_BYTES;
        }
    }

    /** One connection, always open. */
    private static final class OneConnection implements Connections {
        private final PeerConnection connection = BenchmarkConnections.open(1);

        @Override
        public PeerConnection connectionTo(int nodeId) {
            return connection;
        }

        @Override
        public void openOutgoing(PeerConnection ignored) {}

        @Override
        public void leaveIfEnding(PeerConnection ignored) {}

        @Override
        public PeerConnection usableNow(PeerConnection ignored, Predicate<ConnectionLife> isOfUse) {
            return connection;
        }

        @Override
        public void lost(PeerConnection ignored, Disconnect.Reason reason, String detail) {}

        @Override
        public void failRequests(PeerConnection ignored) {}

        @Override
        public void checkOpen() {}

        @Override
        public List<PeerConnection> connections(int nodeId) {
            return List.of(connection);
        }

        @Override
        public boolean isClosing() {
            return false;
        }

        @Override
        public NetClosedException closedException() {
            throw new IllegalStateException();
        }
    }

    private final DXNetConfig config = DXNetConfig.builder().build();
    private final OneConnection connections = new OneConnection();
    private final Sender sender = new Sender(
            config,
            key -> key < 0,
            new BenchmarkTransport(),
            new IdleStrategies(config),
            connections,
            BenchmarkConnections.opener(connections.connection));
    private final Payload message = new Payload();

    @Benchmark
    public void send() throws DXNetException {
        for (int i = 0; i < ITEMS; i++) {
            sender.send(message, 1, HeaderDescriptor.MESSAGE, 0, null);
        }
    }

    // ---------------------------------------------------------------- the floor

    private static final int RING_BYTES = 1 << 20;
    private static final int RECORD_BYTES = HeaderDescriptor.BYTES + PAYLOAD_BYTES;
    private static final VarHandle COMMIT = MethodHandles.arrayElementVarHandle(long[].class);

    private final MemorySegment ring = Arena.global().allocate(RING_BYTES + RECORD_BYTES, 64);
    private final AtomicLong claimed = new AtomicLong();
    private final long[] commits = new long[1024];
    private final byte[] payload = new byte[PAYLOAD_BYTES];

    /**
     * What no ring for several threads does without: a claim by compare-and-set, a header and 64
     * bytes, a commit by a release store.
     */
    @Benchmark
    public long floor() {
        for (int i = 0; i < ITEMS; i++) {
            long claim = claimed.get();
            claimed.compareAndSet(claim, claim + RECORD_BYTES);
            long at = claim & RING_BYTES - 1;
            ring.set(WireFormat.LONG, at, claim);
            ring.set(WireFormat.SHORT, at + Long.BYTES, (short) PAYLOAD_BYTES);
            MemorySegment.copy(payload, 0, ring, ValueLayout.JAVA_BYTE, at + HeaderDescriptor.BYTES, PAYLOAD_BYTES);
            COMMIT.setRelease(commits, i & commits.length - 1, claim + RECORD_BYTES);
        }
        return claimed.get();
    }
}
