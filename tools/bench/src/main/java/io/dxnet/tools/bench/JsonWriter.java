package io.dxnet.tools.bench;

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
        span(o, "messagesPerSecond", result.messagesPerSecond());
        span(o, "payloadBytesPerSecond", result.payloadBytesPerSecond());
        boolean roundTrips = result.rtt() != null;
        o.put("rttMicros", roundTrips ? rtt(result.rtt()) : null);
        o.put("rttMicrosMin", roundTrips ? rtt(result.rttMin()) : null);
        o.put("rttMicrosMax", roundTrips ? rtt(result.rttMax()) : null);
        Faults faults = result.faults();
        o.put("lost", faults.lost());
        o.put("duplicated", faults.duplicated());
        o.put("reordered", plan.verify() ? faults.reordered() : null);
        o.put("corrupted", plan.verify() ? faults.corrupted() : null);
        span(o, "allocatedBytesPerMessage", result.allocatedBytesPerMessage());
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

    private static void span(Map<String, Object> into, String name, Span span) {
        into.put(name, span.avg());
        into.put(name + "Min", span.min());
        into.put(name + "Max", span.max());
    }

    private static Map<String, Object> rtt(Rtt rtt) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("avg", rtt.avg());
        o.put("p50", rtt.p50());
        o.put("p95", rtt.p95());
        o.put("p99", rtt.p99());
        o.put("p999", rtt.p999());
        o.put("max", rtt.max());
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
            span(o, "messagesPerSecond", floor.stream());
            span(o, "payloadBytesPerSecond", floor.stream().times(result.size()));
        } else {
            o.put("kind", "raw NIO ping-pong, blocking, TCP over the loopback interface");
            o.put("rttMicrosMin", rtt(floor.rttMin()));
            o.put("rttMicrosMax", rtt(Rtt.combine(floor.rtt(), Math::max)));
        }
        o.put("ratio", report.ratioToFloor(result));
        return o;
    }
}
