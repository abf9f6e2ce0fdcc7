package io.dxnet.transport.ib;

import io.dxnet.tools.fuzz.Feed;
import io.dxnet.tools.fuzz.FuzzTarget;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The words on the control channel of a connection over InfiniBand. */
public final class ControlChannelTarget implements FuzzTarget {
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(256);

    /** Creates the target. */
    public ControlChannelTarget() {}

    @Override
    public String name() {
        return "control-channel";
    }

    @Override
    public List<byte[]> seeds() {
        byte[] alive = new byte[600];
        java.util.Arrays.fill(alive, ControlChannel.ALIVE);
        return List.of(
                new byte[] {ControlChannel.READY, ControlChannel.ALIVE, ControlChannel.BYE},
                alive,
                new byte[] {ControlChannel.PROBE, ControlChannel.PROBE},
                new byte[] {ControlChannel.PROBE, ControlChannel.OPEN},
                new byte[] {0, 6});
    }

    @Override
    public void run(byte[] input) {
        ControlChannel side = new ControlChannel(ByteStream.plain(new Feed(input, input.length)), 1000);
        boolean ready = false;
        boolean refused = false;
        int reads = input.length / scratch.capacity() + 1;
        try {
            for (int i = 0; i < reads; i++) {
                ready |= side.read(scratch, i);
            }
        } catch (IOException e) {
            refused = true; // as documented
        }
        boolean known = true;
        boolean saidReady = false;
        boolean saidBye = false;
        for (byte word : input) {
            known &= word == ControlChannel.READY
                    || word == ControlChannel.ALIVE
                    || word == ControlChannel.BYE
                    || word == ControlChannel.PROBE; // OPEN answers a question that was not asked
            saidReady |= word == ControlChannel.READY;
            saidBye |= word == ControlChannel.BYE;
        }
        if (refused == known) {
            throw new AssertionError(known ? "refused what a node sends" : "accepted what no node sends");
        }
        if (known && (ready != saidReady || side.heardBye() != saidBye)) {
            throw new AssertionError("ready " + ready + ", bye " + side.heardBye());
        }
    }
}
