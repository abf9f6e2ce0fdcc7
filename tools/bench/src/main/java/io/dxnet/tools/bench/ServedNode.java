package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.bench.nodes.Failure;
import io.dxnet.tools.cli.ToolException;
import java.time.Duration;

/** A node that another one coordinates: runs until the coordinator stops it or is lost. */
final class ServedNode {
    private static final long TICK_NS = Duration.ofMillis(200).toNanos();
    private static final long LOST_NS = Duration.ofSeconds(10).toNanos();

    private ServedNode() {}

    /**
     * Runs the node until it has to end.
     *
     * @param patience the longest wait for the coordinator
     * @param child whether the end of standard input ends it: its parent has ended
     * @return exit code
     */
    static int run(DXNetConfig config, NodeMap map, Duration patience, boolean child) {
        Failure parentGone = new Failure();
        if (child) {
            Thread.ofPlatform().name("bench-parent").daemon().start(() -> {
                ChildProcess.awaitParentsEnd();
                parentGone.fail("the benchmark that started this node has ended");
            });
        }
        try (BenchNode node = Cluster.startNode(config, map)) {
            long begin = System.nanoTime();
            long lostNs = 0;
            while (!node.awaitStop(TICK_NS)) {
                parentGone.check();
                long now = System.nanoTime();
                if (!node.joined() && now - begin > patience.toNanos()) {
                    throw new ToolException("node " + map.ownNodeId() + " waited " + patience.toSeconds()
                            + " s, but no coordinator came: start the benchmark on the node with the lowest id");
                }
                if (!node.coordinatorLost()) {
                    lostNs = now;
                } else if (now - lostNs > LOST_NS) {
                    throw new ToolException("node " + map.ownNodeId() + " lost its coordinator");
                }
            }
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }
}
