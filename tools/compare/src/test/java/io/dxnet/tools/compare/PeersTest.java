package io.dxnet.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dxnet.tools.compare.harness.Faults;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerRun;
import io.dxnet.tools.compare.harness.Workload;
import io.dxnet.tools.compare.peers.Peers;
import io.dxnet.tools.compare.peers.SecurityKeys;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each peer that this machine has what for, in two processes, every payload verified. */
class PeersTest {
    private static final double SECONDS = 0.1;

    static Stream<String> names() {
        return Peers.all().stream().map(peer -> peer.info().name());
    }

    @Test
    @Timeout(180)
    void shouldCarryEveryMessageAndConnectAnewInEachModeOfSecurity() throws Exception {
        Workload trips = new Workload(Workload.Mode.ROUND_TRIP, 100, 1, true);
        try (SecurityKeys keys = SecurityKeys.make()) {
            for (Peer peer : Peers.secured(keys)) {
                String name = peer.info().name();
                try (PeerRun run = new PeerRun(peer, JavaCommand.of(peer))) {
                    assertThat(run.oneWay(new Workload(Workload.Mode.ONE_WAY, 100, 3, true), SECONDS, SECONDS)
                                    .faults())
                            .as(name)
                            .isEqualTo(Faults.NONE);
                    assertThat(run.roundTrips(trips, SECONDS, SECONDS).faults())
                            .as(name)
                            .isEqualTo(Faults.NONE);
                    assertThat(run.connections(trips, SECONDS, SECONDS).isPresent())
                            .as(name)
                            .isEqualTo(peer.info().role() != PeerInfo.Role.FLOOR);
                }
            }
        }
    }

    private static void assumeAvailable(PeerRun run, String name) throws Exception {
        Optional<String> cause = run.unavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> name + " can't run here: " + cause.orElseThrow());
    }

    static Stream<String> memoryNames() {
        return Peers.memory().stream().map(peer -> peer.info().name());
    }

    @ParameterizedTest
    @MethodSource("memoryNames")
    @Timeout(180)
    void shouldReadBackWhatItWrites(String name) throws Exception {
        Peer peer = Peers.named(name);
        try (PeerRun run = new PeerRun(peer, JavaCommand.of(peer))) {
            assumeAvailable(run, name);
            for (boolean verify : new boolean[] {true, false}) {
                PeerRun.RoundTrips trips =
                        run.roundTrips(new Workload(Workload.Mode.ROUND_TRIP, 4096, 1, verify), SECONDS, SECONDS);
                assertThat(trips.faults()).isEqualTo(Faults.NONE);
                assertThat(trips.times().getTotalCount()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    @Timeout(180)
    void shouldCarryEveryMessageUnharmed(String name) throws Exception {
        Peer peer = Peers.named(name);
        try (PeerRun run = new PeerRun(peer, JavaCommand.of(peer))) {
            assumeAvailable(run, name);
            for (int size : new int[] {100, 4096}) {
                PeerRun.OneWay oneWay =
                        run.oneWay(new Workload(Workload.Mode.ONE_WAY, size, 3, true), SECONDS, SECONDS);
                assertThat(oneWay.faults()).isEqualTo(Faults.NONE);
                assertThat(oneWay.perSecond()).hasSize(3);
            }
            PeerRun.RoundTrips trips =
                    run.roundTrips(new Workload(Workload.Mode.ROUND_TRIP, 100, 1, true), SECONDS, SECONDS);
            assertThat(trips.faults()).isEqualTo(Faults.NONE);
        }
    }
}
