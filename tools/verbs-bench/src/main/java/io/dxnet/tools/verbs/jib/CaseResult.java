package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a case.
 *
 * @param point the case
 * @param runs at least one
 * @param wire what the port counted in a run of its own, or null
 * @param wireMessages messages of that run, those of both directions where there are two
 */
record CaseResult(Case point, List<Run> runs, PortCounters wire, long wireMessages) {
    /**
     * The result of one run.
     *
     * @param messages of each end that sends; round trips of ping-pong
     * @param outcome of both ends
     * @param times of a latency pattern, else null
     */
    record Run(long messages, Outcome outcome, Rtt times) {
        double perSecond(Pattern pattern) {
            return (pattern == Pattern.BI ? 2.0 : 1.0) * messages * 1e9 / outcome.nanos();
        }
    }

    /** Messages of both directions per second; round trips of ping-pong. */
    Span messagesPerSecond() {
        return Span.of(runs, run -> run.perSecond(point.pattern()));
    }

    Span payloadBytesPerSecond() {
        return messagesPerSecond().times(point.size());
    }

    /** The average of each column over the runs, or null. */
    Rtt times() {
        if (runs.getFirst().times() == null) {
            return null;
        }
        return new Rtt(
                Span.of(runs, run -> run.times().avg()).avg(),
                Span.of(runs, run -> run.times().p50()).avg(),
                Span.of(runs, run -> run.times().p90()).avg(),
                Span.of(runs, run -> run.times().p95()).avg(),
                Span.of(runs, run -> run.times().p99()).avg(),
                Span.of(runs, run -> run.times().p999()).avg(),
                Span.of(runs, run -> run.times().max()).avg());
    }

    private List<Rtt> allTimes() {
        return runs.stream().map(Run::times).toList();
    }

    Rtt timesMin() {
        return Rtt.combine(allTimes(), Math::min);
    }

    Rtt timesMax() {
        return Rtt.combine(allTimes(), Math::max);
    }

    long corrupt() {
        return runs.stream().mapToLong(run -> run.outcome().corrupt()).sum();
    }

    long checked() {
        return runs.stream().mapToLong(run -> run.outcome().checked()).sum();
    }

    /**
     * Bytes on the wire per message beside its payload,
     * acknowledgements included; null where nothing counts them.
     */
    Double overheadBytes() {
        Long bytes = wire == null ? null : wire.wireBytes();
        return bytes == null || wireMessages == 0 ? null : Double.valueOf((double) bytes / wireMessages - point.size());
    }

    /** The same in per cent of the payload. */
    Double overheadPercent() {
        Double bytes = overheadBytes();
        return bytes == null ? null : Double.valueOf(100 * bytes / point.size());
    }

    /**
     * Ours over the reference's: of rates, 1 is as fast; of times, 1 is as quick.
     *
     * @param reference of the same case
     */
    double ratio(PerftestResult reference) {
        return point.pattern().isLatency()
                ? times().p50() / reference.typicalMicros()
                : messagesPerSecond().avg() / reference.messagesPerSecond();
    }

    Map<String, Object> toMap(PerftestResult reference, boolean verified) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("pattern", point.pattern().label());
        o.put("transfer", point.transfer().label());
        o.put("sizeBytes", point.size());
        o.put("messages", runs.getFirst().messages());
        o.put("runs", runs.size());
        messagesPerSecond().putInto(o, "messagesPerSecond");
        payloadBytesPerSecond().putInto(o, "payloadBytesPerSecond");
        boolean latency = times() != null;
        o.put("micros", latency ? times().toMap() : null);
        o.put("microsMin", latency ? timesMin().toMap() : null);
        o.put("microsMax", latency ? timesMax().toMap() : null);
        o.put("overheadBytes", overheadBytes());
        o.put("overheadPercent", overheadPercent());
        o.put("counters", wire == null || wire.isEmpty() ? null : wire.values());
        o.put("checked", verified ? checked() : null);
        o.put("corrupt", verified ? corrupt() : null);
        o.put("reference", reference == null ? null : reference.toMap());
        o.put("ratioToReference", reference == null ? null : ratio(reference));
        return o;
    }
}
