package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.keys.BenchKeys;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.report.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Runs a sweep: starts the nodes of each setup, measures its points, and
 * stops them. Used by one thread.
 */
final class SweepRunner {

    private final BenchOptions options;
    private final String clusterName = "bench-" + Long.toHexString(Heap.PROCESS);

    SweepRunner(BenchOptions options) {
        this.options = options;
        if (!options.hosts.equals(List.of(BenchOptions.LOOPBACK_ADDRESS))) {
            options.nodeOptions.allowAnyAddress();
        }
    }

    /** What the options ask for, on nodes that this command starts. */
    Sweep sweep() {
        List<String> transports = Transports.resolveAll(options.nodeOptions.transport(), options::configuration);
        Sweep sweep = options.sweep(transports, options.nodeCounts());
        for (Setup setup : sweep.setups()) {
            options.check(sweep, options.configuration(setup, clusterName));
        }
        return sweep;
    }

    /**
     * Measures all points, with the floor before and after where it is asked for;
     * what is done is in the report. The keys of {@code --security} are made for that time.
     */
    void run(Report report) throws IOException {
        if (options.security == null) {
            measure(report);
            return;
        }
        int nodes = Collections.max(options.nodeCounts());
        try (BenchKeys keys = BenchKeys.make(options.security, clusterName, nodes)) {
            options.nodeOptions.set(keys.settings());
            measure(report);
        }
    }

    private void measure(Report report) {
        try (Floor floor = options.floor ? new Floor() : null) {
            if (floor != null) {
                say("measuring the floor");
                floor.measure(report.sweep());
            }
            try (Progress progress = progress(report.sweep())) {
                for (Setup setup : report.sweep().setups()) {
                    run(setup, report, progress);
                }
            }
            if (floor != null) {
                say("measuring the floor again");
                floor.measure(report.sweep());
                report.setFloor(floor.results());
            }
        }
    }

    private void run(Setup setup, Report report, Progress progress) {
        DXNetConfig config = options.configuration(setup, clusterName);
        try (Cluster cluster = options.oneProcess || Transports.inOneProcess(config)
                ? Cluster.inThisProcess(config, setup.nodes(), options.hosts)
                : Cluster.onThisMachine(
                        config, setup.nodes(), options.hosts, id -> options.childArguments(id, setup, clusterName))) {
            measure(cluster, setup, report, progress, Duration.ofSeconds(options.wait));
        }
    }

    /** Measures the points of the only setup on nodes that are started by hand. */
    void runByHand(DXNetConfig config, NodeMap map, Report report, Duration patience) {
        try (Cluster cluster = Cluster.byHand(config, map);
                Progress progress = progress(report.sweep())) {
            measure(cluster, report.sweep().setups().getFirst(), report, progress, patience);
        }
    }

    private static void measure(Cluster cluster, Setup setup, Report report, Progress progress, Duration patience) {
        report.setNodeInfos(setup, cluster.coordinator().join(patience));
        new Measurement(cluster.coordinator(), report.sweep(), setup, progress).run(report.results());
    }

    private static Progress progress(Sweep sweep) {
        return Progress.create(Boolean.getBoolean("bench.terminal"), sweep.rounds(), System.err);
    }

    static void say(String line) {
        System.err.println("bench: " + line);
    }
}
