package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import java.util.List;

/** The threads of some nodes: after a fault they are to be the same ones as before. */
public record NodeThreads(List<Thread> threads) {
    public static NodeThreads of(DXNet... nodes) {
        List<String> prefixes = java.util.Arrays.stream(nodes)
                .map(net -> "dxnet-" + net.nodeId() + "-")
                .toList();
        List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> prefixes.stream().anyMatch(thread.getName()::startsWith))
                .filter(thread -> !thread.getName().endsWith("-connect")) // start and end as needed
                .toList();
        assertThat(threads).hasSizeGreaterThanOrEqualTo(3 * nodes.length);
        return new NodeThreads(threads);
    }

    public void assertAlive() {
        assertThat(threads).allMatch(Thread::isAlive);
    }

    /** The same of one of the nodes. */
    public void assertAliveOf(DXNet net) {
        assertThat(threads)
                .filteredOn(thread -> thread.getName().startsWith("dxnet-" + net.nodeId() + "-"))
                .isNotEmpty()
                .allMatch(Thread::isAlive);
    }
}
