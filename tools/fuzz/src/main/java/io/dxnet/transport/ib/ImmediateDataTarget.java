package io.dxnet.transport.ib;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.List;

/** The 32 bits with each message of a queue pair. */
public final class ImmediateDataTarget implements FuzzTarget {
    /** Creates the target. */
    public ImmediateDataTarget() {}

    @Override
    public String name() {
        return "immediate-data";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                ByteBuffer.allocate(4).putInt(ImmediateData.of(65535, 255, 255)).array(), new byte[4]);
    }

    @Override
    public void run(byte[] input) {
        if (input.length < Integer.BYTES) {
            return;
        }
        int immediate = ByteBuffer.wrap(input).getInt();
        int nodeId = ImmediateData.nodeId(immediate);
        int steps = ImmediateData.steps(immediate);
        int signals = ImmediateData.signals(immediate);
        if (nodeId < 0
                || nodeId > 65535
                || steps < 0
                || steps > ImmediateData.STEPS_MAX
                || signals < 0
                || signals > 255) {
            throw new AssertionError("node id " + nodeId + ", steps " + steps + ", signals " + signals);
        }
        if (ImmediateData.of(nodeId, steps, signals) != immediate) {
            throw new AssertionError("it encodes to other bits");
        }
    }
}
