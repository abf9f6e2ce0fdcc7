package io.dxnet.tools.bench;

/**
 * What a round gave at one node.
 *
 * @param messages received and processed; with the round-trip pattern, responses received
 * @param faults found by this node as a receiver
 * @param allocatedBytes on the heap of this node's process during the round
 * @param process tells processes apart: nodes of one process share the heap
 * @param errors exceptions and broken promises, each of which fails the benchmark
 * @param errorText the first of them, in words
 * @param histogram encoded round-trip times in nanoseconds, or empty
 */
record NodeResult(
        long messages,
        Faults faults,
        long allocatedBytes,
        long process,
        long errors,
        String errorText,
        byte[] histogram) {

    Reply encode() {
        long[] values = {
            messages,
            faults.lost(),
            faults.duplicated(),
            faults.reordered(),
            faults.corrupted(),
            allocatedBytes,
            process,
            errors
        };
        return new Reply(true, values, errorText, histogram);
    }

    static NodeResult decode(Reply reply) {
        long[] v = reply.values();
        return new NodeResult(
                v[0], new Faults(v[1], v[2], v[3], v[4]), v[5], v[6], v[7], reply.text(), reply.histogram());
    }
}
