package io.dxnet.tools.bench;

import io.dxnet.tools.report.HostInfo;
import io.dxnet.tools.report.Json;
import io.dxnet.tools.report.Rtt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a report as a JSON array, one object for each point. What was not measured is null. */
final class JsonWriter {
    private JsonWriter() {}

    static void write(Report report, Path file) throws IOException {
        Files.writeString(file, Json.write(toList(report)));
    }

    static List<Map<String, Object>> toList(Report report) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (PointResult result : report.results()) {
            list.add(object(report, result));
        }
        return list;
    }

    private static Map<String, Object> object(Report report, PointResult result) {
        Plan plan = report.plan();
        Point point = result.point();
        Setup setup = point.setup();
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("transport", setup.transport());
        o.put("binding", Binding.chosen());
        o.put("pattern", point.pattern().label());
        o.put("nodes", setup.nodes());
        o.put("threads", point.threads());
        o.put("batch", point.batch());
        o.put("chains", point.pattern().accessesMemory() ? plan.chains() : null);
        o.put("pauseMicros", point.pattern().sendsRequests() ? plan.pauseMicros() : null);
        o.put("oneSided", result.access().isOneSided());
        o.put("handlers", report.handlers(setup));
        o.put("parking", setup.parking() == null ? null : setup.parkingLabel());
        o.put("sizeBytes", result.size());
        o.put("messages", result.messages());
        o.put("seconds", result.seconds());
        result.messagesPerSecond().putInto(o, "messagesPerSecond");
        result.payloadBytesPerSecond().putInto(o, "payloadBytesPerSecond");
        boolean roundTrips = result.rtt() != null;
        o.put("rttMicros", roundTrips ? result.rtt().toMap() : null);
        o.put("rttMicrosMin", roundTrips ? result.rttMin().toMap() : null);
        o.put("rttMicrosMax", roundTrips ? result.rttMax().toMap() : null);
        if (point.pattern() == Pattern.SWITCH && result.beforeSwitch() != null) {
            result.beforeSwitch().putInto(o, "allToAllMessagesPerSecond");
            result.afterSwitch().putInto(o, "ringMessagesPerSecond");
        }
        o.putAll(report.knownFaults(result));
        result.allocatedBytesPerMessage().putInto(o, "allocatedBytesPerMessage");
        result.cpuNanosPerMessage().putInto(o, "cpuNanosPerMessage");
        o.put("steadyAtSeconds", plan.warmupSeconds() == 0 ? result.steadyAtSeconds() : null);
        o.put("runs", result.runs().size());
        o.put("verified", plan.verify());
        o.put("api", point.api().label());
        o.put("floor", floor(report, result));
        o.putAll(origin(report));
        o.put("nodeInfos", report.nodeInfos(setup));
        return o;
    }

    /** Where, with what and how a report was made. */
    static Map<String, Object> origin(Report report) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("machine", HostInfo.machine());
        o.put("java", HostInfo.java());
        o.put("version", HostInfo.version());
        o.put("commandLine", report.commandLine());
        return o;
    }

    private static Map<String, Object> floor(Report report, PointResult result) {
        Floor.OfSize floor = report.floor(result);
        if (floor == null) {
            return null;
        }
        Map<String, Object> o = new LinkedHashMap<>();
        if (floor.rtt().isEmpty()) {
            o.put("kind", "raw NIO stream, one thread, batched writes, TCP over the loopback interface");
            floor.stream().putInto(o, "messagesPerSecond");
            floor.stream().times(result.size()).putInto(o, "payloadBytesPerSecond");
        } else {
            o.put("kind", "raw NIO ping-pong, blocking, TCP over the loopback interface");
            o.put("rttMicrosMin", floor.rttMin().toMap());
            o.put("rttMicrosMax", Rtt.combine(floor.rtt(), Math::max).toMap());
        }
        o.put("ratio", report.ratioToFloor(result));
        return o;
    }
}
