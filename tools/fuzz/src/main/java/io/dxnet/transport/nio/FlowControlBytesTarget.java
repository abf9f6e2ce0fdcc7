package io.dxnet.transport.nio;

import io.dxnet.tools.fuzz.Feed;
import io.dxnet.tools.fuzz.FuzzTarget;
import io.dxnet.transport.Connection;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes against the stream's direction over TCP: confirmations, and signals behind their
 * escape. They mean the same wherever reads cut them.
 */
public final class FlowControlBytesTarget implements FuzzTarget {
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(16);

    /** Creates the target. */
    public FlowControlBytesTarget() {}

    @Override
    public String name() {
        return "flow-control-bytes";
    }

    @Override
    public List<byte[]> seeds() {
        byte[] many = new byte[200];
        java.util.Arrays.fill(many, (byte) 0xFF);
        byte[] signals = new byte[200];
        signals[1] = 1;
        signals[199] = (byte) 0x80;
        return List.of(
                new byte[] {1, 2, (byte) 0xFF},
                new byte[] {5, IncomingPipe.FC_SIGNALS, 1, 7},
                new byte[] {IncomingPipe.FC_SIGNALS, 0, IncomingPipe.FC_SIGNALS},
                many,
                signals);
    }

    @Override
    public void run(byte[] input) throws IOException {
        long steps = 0;
        int signals = 0;
        for (int i = 0; i < input.length; i++) {
            if (input[i] == IncomingPipe.FC_SIGNALS) {
                i++;
                signals |= i < input.length ? input[i] & 0xFF : 0;
            } else {
                steps += input[i] & 0xFF;
            }
        }
        for (int pieceBytes : new int[] {1, 2, 3, scratch.capacity()}) {
            Received received = receive(input, pieceBytes);
            if (received.steps != steps || received.signals != signals) {
                throw new AssertionError(
                        "in pieces of " + pieceBytes + " bytes: " + received.steps + " steps, signals 0x"
                                + Integer.toHexString(received.signals) + ", not " + steps + " and 0x"
                                + Integer.toHexString(signals));
            }
        }
    }

    private Received receive(byte[] input, int pieceBytes) throws IOException {
        Received received = new Received();
        Feed feed = new Feed(input, pieceBytes);
        OutgoingPipe pipe = new OutgoingPipe(new NioConnection(received, 1, null), ByteStream.plain(feed));
        for (int turn = 0; !feed.isEmpty(); turn++) {
            if (turn > input.length) {
                throw new AssertionError("it stopped to read");
            }
            pipe.readFlowControl(scratch);
        }
        return received;
    }

    /** Adds up the steps and signals that it receives. */
    private static final class Received extends Connection {
        private long steps;
        private int signals;

        Received() {
            super(1, new OutgoingRingBuffer(MemorySegment.ofArray(new byte[64]), 2, 1 << 10));
        }

        @Override
        public int takeFlowControl(int max) {
            return 0;
        }

        @Override
        public void returnFlowControl(int count) {}

        @Override
        public void flowControlReceived(int count) {
            if (count <= 0) {
                throw new AssertionError("received " + count + " steps");
            }
            steps += count;
        }

        @Override
        public int takeSignals() {
            return 0;
        }

        @Override
        public void returnSignals(int set) {}

        @Override
        public void signalsReceived(int set) {
            if (set <= 0 || set > 0xFF) {
                throw new AssertionError("received signals 0x" + Integer.toHexString(set));
            }
            signals |= set;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void released() {}
    }
}
