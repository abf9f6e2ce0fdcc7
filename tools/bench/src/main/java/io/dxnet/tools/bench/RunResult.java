package io.dxnet.tools.bench;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The result of one run, over all nodes.
 *
 * @param messages received and processed; with the round-trip pattern, requests answered
 * @param nanos from the coordinator's start command to the last node's report that all is processed
 * @param faults over all nodes
 * @param allocatedBytes on the heaps of all processes
 * @param cpuNanos processor time of all processes
 * @param ageNs of the oldest node's process when the run began
 * @param access how memory of other nodes was accessed
 * @param times round-trip times in nanoseconds, or null
 * @param course the throughput over time where {@link RoundSpec#sampled}, else null
 */
record RunResult(
        long messages,
        long nanos,
        Faults faults,
        long allocatedBytes,
        long cpuNanos,
        long ageNs,
        Access access,
        Histogram times,
        Course course) {

    static RunResult of(List<NodeResult> nodes, long nanos, long durationNs) {
        long messages = 0;
        Faults faults = Faults.NONE;
        Histogram times = null;
        for (NodeResult node : nodes) {
            messages += node.messages();
            faults = faults.plus(node.faults());
            if (node.histogram().length > 0) {
                Histogram one = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(node.histogram()), 0);
                if (times == null) {
                    times = one;
                } else {
                    times.add(one);
                }
            }
        }
        long bytes = overProcesses(nodes, NodeResult::allocatedBytes);
        long cpuNanos = overProcesses(nodes, NodeResult::cpuNanos);
        long ageNs = nodes.stream().mapToLong(NodeResult::ageNs).max().orElse(0);
        Access access = nodes.stream()
                .map(NodeResult::access)
                .filter(each -> each != Access.NONE)
                .min(Comparator.naturalOrder())
                .orElse(Access.NONE);
        boolean sampled = nodes.stream().anyMatch(node -> node.timeline().length > 0);
        Course course =
                sampled ? Course.of(nodes.stream().map(NodeResult::timeline).toList(), durationNs) : null;
        return new RunResult(messages, nanos, faults, bytes, cpuNanos, ageNs, access, times, course);
    }

    /**
     * Nodes of one process have the same, but for when each
     * of them read it: the largest counts.
     */
    private static long overProcesses(List<NodeResult> nodes, ToLongFunction<NodeResult> value) {
        Map<Long, Long> byProcess = new HashMap<>();
        nodes.forEach(node -> byProcess.merge(node.process(), value.applyAsLong(node), Math::max));
        return byProcess.values().stream().mapToLong(Long::longValue).sum();
    }

    double seconds() {
        return nanos / 1e9;
    }

    double messagesPerSecond() {
        return messages / seconds();
    }

    double allocatedBytesPerMessage() {
        return messages == 0 ? 0 : (double) allocatedBytes / messages;
    }

    double cpuNanosPerMessage() {
        return messages == 0 ? 0 : (double) cpuNanos / messages;
    }
}
