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

/** Writes a report as a JSON array, one object for each size. What was not measured is null. */
final class JsonWriter {
    private JsonWriter() {}

    static void write(Report report, Path file) throws IOException {
        Files.writeString(file, Json.write(toList(report)));
    }

    static List<Map<String, Object>> toList(Report report) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (SizeResult result : report.results()) {
            list.add(object(report, result));
        }
        return list;
    }

    private static Map<String, Object> object(Report report, SizeResult result) {
        Plan plan = report.plan();
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("transport", report.transport());
        o.put("pattern", plan.pattern().label());
        o.put("nodes", report.nodes());
        o.put("threads", plan.threads());
        o.put("handlers", report.handlers());
        o.put("sizeBytes", result.size());
        o.put("messages", result.messages());
        o.put("seconds", result.seconds());
        result.messagesPerSecond().putInto(o, "messagesPerSecond");
        result.payloadBytesPerSecond().putInto(o, "payloadBytesPerSecond");
        boolean roundTrips = result.rtt() != null;
        o.put("rttMicros", roundTrips ? result.rtt().toMap() : null);
        o.put("rttMicrosMin", roundTrips ? result.rttMin().toMap() : null);
        o.put("rttMicrosMax", roundTrips ? result.rttMax().toMap() : null);
        Faults faults = result.faults();
        o.put("lost", faults.lost());
        o.put("duplicated", faults.duplicated());
        o.put("reordered", plan.verify() ? faults.reordered() : null);
        o.put("corrupted", plan.verify() ? faults.corrupted() : null);
        result.allocatedBytesPerMessage().putInto(o, "allocatedBytesPerMessage");
        o.put("runs", result.runs().size());
        o.put("verified", plan.verify());
        o.put("reusable", plan.reused());
        o.put("floor", floor(report, result));
        o.put("machine", HostInfo.machine());
        o.put("java", HostInfo.java());
        o.put("commandLine", report.commandLine());
        o.put("nodeInfos", report.nodeInfos());
        return o;
    }

    private static Map<String, Object> floor(Report report, SizeResult result) {
        Floor.OfSize floor = report.floor(result.size());
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
