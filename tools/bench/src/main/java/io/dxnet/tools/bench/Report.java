package io.dxnet.tools.bench;

import io.dxnet.tools.report.HostInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Everything that is printed, written and drawn. Filled by one thread in the course of a sweep. */
final class Report {
    private static final Pattern HANDLERS = Pattern.compile("(\\d+) handlers?\\b");

    private final Sweep sweep;
    private final String commandLine;
    private final Map<Setup, Map<Integer, String>> nodeInfos = new LinkedHashMap<>();
    private final List<PointResult> results = new ArrayList<>();
    private Floor.Results floor = new Floor.Results();

    Report(Sweep sweep, String commandLine) {
        this.sweep = sweep;
        this.commandLine = commandLine;
    }

    Sweep sweep() {
        return sweep;
    }

    Plan plan() {
        return sweep.plan();
    }

    String commandLine() {
        return commandLine;
    }

    /** Where this was measured, with what: one line each. */
    List<String> origin() {
        return List.of(HostInfo.machine(), HostInfo.java() + "; " + HostInfo.version());
    }

    /** The descriptions of a setup's nodes, by node id. */
    Map<Integer, String> nodeInfos(Setup setup) {
        return nodeInfos.getOrDefault(setup, Map.of());
    }

    void setNodeInfos(Setup setup, Map<Integer, String> infos) {
        nodeInfos.put(setup, infos);
    }

    /** The setups that were started. */
    List<Setup> setups() {
        return List.copyOf(nodeInfos.keySet());
    }

    /**
     * The number as configured, or the one that the first
     * node's description reports; 0 where it reports none.
     */
    int handlers(Setup setup) {
        if (setup.handlers() != 0) {
            return setup.handlers();
        }
        Matcher chosen = HANDLERS.matcher(firstNode(setup));
        return chosen.find() ? Integer.parseInt(chosen.group(1)) : 0;
    }

    /** The description of a setup's first node, or an empty text. */
    String firstNode(Setup setup) {
        return nodeInfos(setup).values().stream().findFirst().orElse("");
    }

    /** The points that are done; a sweep that still runs adds its points to this list. */
    List<PointResult> results() {
        return results;
    }

    /** The faults of all points. */
    Faults faults() {
        return results.stream().map(PointResult::faults).reduce(Faults.NONE, Faults::plus);
    }

    /** The faults of a point by name: null for those that nothing was counted of. */
    Map<String, Long> knownFaults(PointResult result) {
        Faults faults = result.faults();
        io.dxnet.tools.bench.Pattern pattern = result.point().pattern();
        boolean verified = plan().verify();
        Map<String, Long> known = new LinkedHashMap<>();
        known.put("lost", pattern.isCounted() ? faults.lost() : null);
        known.put("duplicated", pattern.isCounted() ? faults.duplicated() : null);
        known.put("reordered", verified && pattern.isReceived() ? faults.reordered() : null);
        known.put("corrupted", verified ? faults.corrupted() : null);
        return known;
    }

    boolean roundTrips() {
        return sweep.patterns().stream().anyMatch(io.dxnet.tools.bench.Pattern::roundTrips);
    }

    void setFloor(Floor.Results floor) {
        this.floor = floor;
    }

    /** The floor of a point, or null. */
    Floor.OfSize floor(PointResult result) {
        return floor.of(result.point());
    }

    boolean hasFloor() {
        return !floor.isEmpty();
    }

    /**
     * DXNet's rate over the floor's, or its p50 over the
     * floor's for round trips; 1: as fast as raw TCP.
     */
    Double ratioToFloor(PointResult result) {
        Floor.OfSize ofSize = floor(result);
        if (ofSize == null) {
            return null;
        }
        return result.point().pattern().roundTrips()
                ? Double.valueOf(result.rtt().p50() / ofSize.rttMin().p50())
                : Double.valueOf(
                        result.messagesPerSecond().avg() / ofSize.stream().avg());
    }
}
