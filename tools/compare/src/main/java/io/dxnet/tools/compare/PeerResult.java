package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.CpuUse;
import io.dxnet.tools.compare.harness.Faults;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerRun;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** What was measured of a peer, in all its turns. */
final class PeerResult {
    private final PeerInfo info;
    private final Map<Plan.Step, List<Double>> perSecond = new LinkedHashMap<>();
    private final Map<Plan.Step, CpuUse> cpu = new LinkedHashMap<>();
    private final Map<Plan.Step, Histogram> times = new LinkedHashMap<>();
    private final List<Double> connectionsPerSecond = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> silences = new ArrayList<>();
    private Faults faults = Faults.NONE;
    private String onThisMachine = "";
    private String skipped;

    PeerResult(PeerInfo info) {
        this.info = info;
    }

    void add(Plan.Step step, PeerRun.OneWay measured) {
        if (measured.perSecond().stream().allMatch(rate -> rate == 0)) {
            silences.add(step.title() + ", " + step.size() + " B");
        }
        perSecond.computeIfAbsent(step, s -> new ArrayList<>()).addAll(measured.perSecond());
        cpu.merge(step, measured.cpu(), CpuUse::plus);
        faults = faults.plus(measured.faults());
    }

    void add(Plan.Step step, PeerRun.RoundTrips measured) {
        if (measured.times().getTotalCount() == 0) {
            silences.add(step.title() + ", " + step.size() + " B");
        }
        times.computeIfAbsent(step, s -> new Histogram(measured.times())).add(measured.times());
        faults = faults.plus(measured.faults());
    }

    void addConnections(double perSecond) {
        connectionsPerSecond.add(perSecond);
    }

    void setOnThisMachine(String detail) {
        onThisMachine = detail;
    }

    /** What the peer found on this machine, or an empty text. */
    String onThisMachine() {
        return onThisMachine;
    }

    void skip(String reason) {
        skipped = reason;
    }

    void fail(String reason) {
        failures.add(reason);
    }

    PeerInfo info() {
        return info;
    }

    Faults faults() {
        return faults;
    }

    /** Why it can't run on this machine, or null. */
    String skipped() {
        return skipped;
    }

    /** The measurements in which no message came, or no round trip ended. */
    List<String> silences() {
        return silences;
    }

    /** The failures while the peer ran. */
    List<String> failures() {
        return failures;
    }

    /** Messages per second one way; nothing where none was measured or none came. */
    Optional<Span> rate(int size, int threads) {
        return Optional.ofNullable(perSecond.get(new Plan.Step(size, threads)))
                .map(parts -> Span.of(parts, Double::doubleValue))
                .filter(span -> span.avg() > 0);
    }

    /**
     * Messages one way per second of processor time, in all turns together; nothing where none came
     * or the time is not known.
     */
    OptionalDouble perCpuSecond(int size, int threads) {
        return cpu.getOrDefault(new Plan.Step(size, threads), CpuUse.NONE).messagesPerSecond();
    }

    /** Connections made per second; nothing where none were counted. */
    OptionalDouble connectionsPerSecond() {
        return connectionsPerSecond.stream().mapToDouble(Double::doubleValue).average();
    }

    /** Round-trip times; nothing where none were measured or none ended in time. */
    Optional<Rtt> rtt(int size) {
        return Optional.ofNullable(times.get(new Plan.Step(size, 0)))
                .filter(measured -> measured.getTotalCount() > 0)
                .map(Rtt::of);
    }
}
