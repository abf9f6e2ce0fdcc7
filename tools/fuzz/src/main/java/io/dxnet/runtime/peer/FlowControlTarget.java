package io.dxnet.runtime.peer;

import io.dxnet.runtime.receive.Buffers;
import io.dxnet.runtime.receive.StreamState;
import io.dxnet.tools.fuzz.FuzzTarget;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps that the other node confirms. A count comes from one byte over TCP or from the
 * immediate data over InfiniBand, and is at most the sum of what one read of the transport finds.
 * Confirming more than was sent is a protocol error, whatever the count.
 *
 * <p>Input: a byte below 128 sends as many bytes; else the next four bytes are a count.
 */
public final class FlowControlTarget implements FuzzTarget {
    private static final int WINDOW = 1 << 10;
    private static final int RING_BYTES = 4096;

    private static final long CLOSE_TIMEOUT_NS = 1_000_000_000;
    /** The smallest and the largest step that a configuration can have are far from these. */
    private static final long[] STEPS = {1, 64, 1 << 18, 1L << 30};

    /** Creates the target. */
    public FlowControlTarget() {}

    @Override
    public String name() {
        return "flow-control";
    }

    @Override
    public List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int count :
                new int[] {1, 2, 64, 255, 256, 1 << 16, 1 << 28, 1 << 30, Integer.MAX_VALUE, -1, 0, Integer.MIN_VALUE
                }) {
            for (int sent : new int[] {0, 64, 127}) {
                seeds.add(ByteBuffer.allocate(6)
                        .put((byte) sent)
                        .put((byte) 0x80)
                        .putInt(count)
                        .array());
            }
        }
        return seeds;
    }

    @Override
    public void run(byte[] input) {
        for (long step : STEPS) {
            run(ByteBuffer.wrap(input), step);
        }
    }

    private static void run(ByteBuffer input, long step) {
        List<String> errors = new ArrayList<>();
        OutgoingRingBuffer ring = new OutgoingRingBuffer(MemorySegment.ofArray(new byte[RING_BYTES]), 16, WINDOW);
        PeerConnection connection = new PeerConnection(
                1, ring, WINDOW, step, CLOSE_TIMEOUT_NS, null, new StreamState(), new Buffers.SilentOwner() {
                    @Override
                    public void protocolError(PeerConnection broken, String what) {
                        errors.add(what);
                    }
                });
        if (!connection.outgoingOpened()) {
            throw new AssertionError("a new connection does not open");
        }
        long unconfirmed = 0;
        while (input.hasRemaining() && errors.isEmpty()) {
            int next = input.get();
            if (next >= 0) {
                unconfirmed += send(ring, next);
            } else if (input.remaining() >= Integer.BYTES) {
                int count = input.getInt();
                connection.flowControlReceived(count);
                boolean possible = count >= 0 && count * step <= unconfirmed;
                if (possible != errors.isEmpty()) {
                    throw new AssertionError(
                            count + " steps of " + step + " with " + unconfirmed + " bytes unconfirmed: " + errors);
                }
                unconfirmed -= possible ? count * step : 0;
            } else {
                return;
            }
            if (errors.isEmpty() && connection.unconfirmedBytes() != unconfirmed) {
                throw new AssertionError(connection.unconfirmedBytes() + " bytes unconfirmed, not " + unconfirmed);
            }
        }
    }

    /** Sends, as far as the window lets it. */
    private static int send(OutgoingRingBuffer ring, int bytes) {
        if (bytes == 0) {
            return 0;
        }
        long claim = ring.tryClaim(bytes, Window.OBSERVED);
        if (claim < 0) {
            return 0;
        }
        ring.commit(claim, bytes);
        int readable = ring.readable();
        ring.post(readable);
        ring.confirm(readable);
        return bytes;
    }
}
