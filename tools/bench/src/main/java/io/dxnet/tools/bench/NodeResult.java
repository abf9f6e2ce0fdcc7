package io.dxnet.tools.bench;

import java.util.Arrays;

/**
 * The result of a round at one node.
 *
 * @param messages received and processed; with the round-trip pattern, responses received
 * @param faults found by this node as a receiver
 * @param allocatedBytes on the heap of this node's process during the round
 * @param cpuNanos processor time of this node's process during the round
 * @param ageNs of this node's process when the round began
 * @param process identifies the process: nodes of one process share heap and processor time
 * @param access how this node accessed memory of others
 * @param errors exceptions and broken promises, each of which fails the benchmark
 * @param errorText text of the first error
 * @param histogram encoded round-trip times in nanoseconds, or empty
 * @param timeline {@link Timeline#encode}, empty unless {@link RoundSpec#sampled}
 */
record NodeResult(
        long messages,
        Faults faults,
        long allocatedBytes,
        long cpuNanos,
        long ageNs,
        long process,
        Access access,
        long errors,
        String errorText,
        byte[] histogram,
        long[] timeline) {
    private static final int FIELDS = 11;

    Reply encode() {
        long[] fields = {
            messages,
            faults.lost(),
            faults.duplicated(),
            faults.reordered(),
            faults.corrupted(),
            allocatedBytes,
            cpuNanos,
            ageNs,
            process,
            access.ordinal(),
            errors
        };
        long[] values = Arrays.copyOf(fields, FIELDS + timeline.length);
        System.arraycopy(timeline, 0, values, FIELDS, timeline.length);
        return new Reply(true, values, errorText, histogram);
    }

    static NodeResult decode(Reply reply) {
        long[] v = reply.values();
        return new NodeResult(
                v[0],
                new Faults(v[1], v[2], v[3], v[4]),
                v[5],
                v[6],
                v[7],
                v[8],
                Access.values()[(int) v[9]],
                v[10],
                reply.text(),
                reply.histogram(),
                Arrays.copyOfRange(v, FIELDS, v.length));
    }
}
