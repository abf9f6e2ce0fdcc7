package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.CpuUse;
import io.dxnet.tools.compare.harness.Faults;
import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerRun;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.Workload;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Results without measuring. */
final class Measured {
    private Measured() {}

    /** A peer that is only described. */
    record Described(PeerInfo info) implements Peer {
        @Override
        public PeerServer serve(Workload workload, Inbox inbox) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PeerClient connect(Workload workload, String address) {
            throw new UnsupportedOperationException();
        }
    }

    static Peer peer(String name, PeerInfo.Role role) {
        return peer(name, role, "TCP");
    }

    static Peer peer(String name, PeerInfo.Role role, String crosses) {
        return new Described(new PeerInfo(
                role, name, "Peer " + name, "1.0", crosses, true, "as it comes", "its manual", "this", "that"));
    }

    static PeerRun.OneWay rate(double... perSecond) {
        return rate(CpuUse.NONE, perSecond);
    }

    static PeerRun.OneWay rate(CpuUse cpu, double... perSecond) {
        return new PeerRun.OneWay(Arrays.stream(perSecond).boxed().toList(), cpu, Faults.NONE);
    }

    /** Round trips of one time. */
    static PeerRun.RoundTrips trips(double micros) {
        Histogram times = new Histogram(60_000_000_000L, 3);
        times.recordValueWithCount((long) (micros * 1e3), 100);
        return new PeerRun.RoundTrips(times, Faults.NONE);
    }

    static PeerResult result(Peer peer, Plan plan, PeerRun.OneWay rate, PeerRun.RoundTrips trips) {
        PeerResult result = new PeerResult(peer.info());
        for (Plan.Step step : plan.steps()) {
            if (step.roundTrips()) {
                result.add(step, trips);
            } else {
                result.add(step, rate);
            }
        }
        return result;
    }

    static Plan plan(Peer... peers) {
        return new Plan(List.of(peers), List.of(64, 1024), List.of(1, 4), 1, false, Plan.Subject.MESSAGES);
    }
}
