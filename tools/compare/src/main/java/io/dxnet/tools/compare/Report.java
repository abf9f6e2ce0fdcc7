package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.report.HostInfo;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What was measured, and what follows from it. The ratio "against DXNet" is a
 * system's speed over DXNet's, by rate or by the median round trip: above 1, the
 * other system wins. Of several transports of DXNet the first counts; beside a peer with TLS, the
 * one with TLS.
 *
 * @param plan what was to be measured
 * @param results of each peer, in the plan's order
 * @param commandLine as typed
 */
record Report(Plan plan, List<PeerResult> results, String commandLine) {

    /** Something in which a peer is faster than DXNet. */
    record Loss(PeerInfo winner, Plan.Step step, double against) {}

    /**
     * What a system is compared with: the first DXNet, but with modes of security or with remote
     * memory, a peer with the DXNet that crosses the same; DXNet's own operations on remote memory
     * are different ones, and not compared.
     */
    private Optional<PeerResult> dxnet(PeerResult other) {
        if (plan.subject() == Plan.Subject.MEMORY && other.info().role() == PeerInfo.Role.DXNET) {
            return Optional.empty();
        }
        List<PeerResult> all = results.stream()
                .filter(result -> result.info().role() == PeerInfo.Role.DXNET)
                .toList();
        return all.stream()
                .filter(result -> plan.isPaired()
                        && other.info().role() == PeerInfo.Role.PEER
                        && result.info().crosses().equals(other.info().crosses()))
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /** The peer's rate over DXNet's. */
    OptionalDouble rateAgainst(PeerResult peer, int size, int threads) {
        Optional<Span> theirs = peer.rate(size, threads);
        Optional<Span> ours = dxnet(peer).flatMap(result -> result.rate(size, threads));
        return theirs.isPresent() && ours.isPresent()
                ? OptionalDouble.of(theirs.get().avg() / ours.get().avg())
                : OptionalDouble.empty();
    }

    /** DXNet's median round trip over the peer's. */
    OptionalDouble rttAgainst(PeerResult peer, int size) {
        Optional<Rtt> theirs = peer.rtt(size);
        Optional<Rtt> ours = dxnet(peer).flatMap(result -> result.rtt(size));
        return theirs.isPresent() && ours.isPresent()
                ? OptionalDouble.of(ours.get().p50() / theirs.get().p50())
                : OptionalDouble.empty();
    }

    private OptionalDouble against(PeerResult peer, Plan.Step step) {
        return step.roundTrips() ? rttAgainst(peer, step.size()) : rateAgainst(peer, step.size(), step.threads());
    }

    private List<PeerResult> peers() {
        return results.stream()
                .filter(result -> result.info().role() == PeerInfo.Role.PEER)
                .toList();
    }

    /** Every case in which a peer wins, by peer, number of threads and size; round trips last. */
    List<Loss> losses() {
        List<Loss> losses = new ArrayList<>();
        for (PeerResult peer : peers()) {
            for (int threads : plan.kinds()) {
                for (int size : plan.sizes()) {
                    Plan.Step step = new Plan.Step(size, threads);
                    OptionalDouble against = against(peer, step);
                    if (against.isPresent() && against.getAsDouble() > 1) {
                        losses.add(new Loss(peer.info(), step, against.getAsDouble()));
                    }
                }
            }
        }
        return losses;
    }

    /** {@return how many rates and round trips of peers were compared} */
    long compared() {
        return peers().stream()
                .flatMap(peer -> plan.steps().stream().map(step -> against(peer, step)))
                .filter(OptionalDouble::isPresent)
                .count();
    }

    /** One object for each system and size, for JSON and CSV. What was not measured is null. */
    List<Map<String, Object>> objects() {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (int size : plan.sizes()) {
            for (PeerResult result : results) {
                objects.add(object(result, size));
            }
        }
        return objects;
    }

    private Map<String, Object> object(PeerResult result, int size) {
        PeerInfo info = result.info();
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("name", info.name());
        o.put("version", info.version());
        o.put("crosses", info.crosses());
        o.put("onThisMachine", result.onThisMachine());
        o.put("sizeBytes", size);
        for (int threads : plan.threads()) {
            Map<String, Object> rate = new LinkedHashMap<>();
            result.rate(size, threads).ifPresent(span -> span.putInto(rate, "messagesPerSecond"));
            rate.put("againstDxnet", boxed(rateAgainst(result, size, threads)));
            rate.put("messagesPerCpuSecond", boxed(result.perCpuSecond(size, threads)));
            o.put("threads" + threads, rate);
        }
        o.put("rttMicros", result.rtt(size).map(Rtt::toMap).orElse(null));
        o.put("rttAgainstDxnet", boxed(rttAgainst(result, size)));
        o.put("connectionsPerSecond", boxed(result.connectionsPerSecond()));
        o.put("verified", plan.verify());
        o.put("lost", result.faults().lost());
        o.put("duplicated", result.faults().duplicated());
        o.put("reordered", plan.verify() ? result.faults().reordered() : null);
        o.put("corrupted", plan.verify() ? result.faults().corrupted() : null);
        o.put("skipped", result.skipped());
        o.put("failed", result.failures().isEmpty() ? null : String.join("; ", result.failures()));
        o.put("seconds", plan.seconds());
        o.put("machine", HostInfo.machine());
        o.put("java", HostInfo.java());
        o.put("commandLine", commandLine);
        return o;
    }

    private static Double boxed(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
