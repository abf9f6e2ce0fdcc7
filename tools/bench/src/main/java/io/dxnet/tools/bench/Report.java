package io.dxnet.tools.bench;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/** Everything that is printed, written and drawn. */
final class Report {
    private static final java.util.regex.Pattern HANDLERS = java.util.regex.Pattern.compile("(\\d+) handlers?\\b");

    private final String transport;
    private final int nodes;
    private final int handlers;
    private final Plan plan;
    private final String commandLine;
    private final Map<Integer, String> nodeInfos;
    private final List<SizeResult> results;
    private Map<Integer, Floor.OfSize> floor = Map.of();

    Report(
            String transport,
            int nodes,
            int handlers,
            Plan plan,
            String commandLine,
            Map<Integer, String> nodeInfos,
            List<SizeResult> results) {
        this.transport = transport;
        this.nodes = nodes;
        this.handlers = handlers;
        this.plan = plan;
        this.commandLine = commandLine;
        this.nodeInfos = nodeInfos;
        this.results = results;
    }

    String transport() {
        return transport;
    }

    int nodes() {
        return nodes;
    }

    /** As configured, or what node 0 says that DXNet chose; 0 when it says nothing. */
    int handlers() {
        if (handlers != 0) {
            return handlers;
        }
        Matcher chosen =
                HANDLERS.matcher(nodeInfos.values().stream().findFirst().orElse(""));
        return chosen.find() ? Integer.parseInt(chosen.group(1)) : 0;
    }

    Plan plan() {
        return plan;
    }

    String commandLine() {
        return commandLine;
    }

    /** What each node says of itself. */
    Map<Integer, String> nodeInfos() {
        return nodeInfos;
    }

    List<SizeResult> results() {
        return results;
    }

    void setFloor(Map<Integer, Floor.OfSize> floor) {
        this.floor = floor;
    }

    /** The floor of a size, or null. */
    Floor.OfSize floor(int size) {
        return floor.get(size);
    }

    boolean hasFloor() {
        return !floor.isEmpty();
    }

    /** Our rate over the floor's: 1 is as fast as raw TCP; of round trips, our p50 over the floor's: 1 is as quick. */
    Double ratioToFloor(SizeResult result) {
        Floor.OfSize ofSize = floor(result.size());
        if (ofSize == null) {
            return null;
        }
        return plan.pattern() == Pattern.RTT
                ? Double.valueOf(result.rtt().p50() / ofSize.rttMin().p50())
                : Double.valueOf(
                        result.messagesPerSecond().avg() / ofSize.stream().avg());
    }
}
