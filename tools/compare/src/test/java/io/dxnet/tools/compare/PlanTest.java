package io.dxnet.tools.compare;

import static io.dxnet.tools.compare.Measured.peer;
import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerInfo.Role;
import io.dxnet.tools.compare.peers.Peers;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    private final Peer floor = peer("floor", Role.FLOOR);
    private final Peer dxnet = peer("dxnet", Role.DXNET);
    private final Peer one = peer("one", Role.PEER);
    private final Peer two = peer("two", Role.PEER);

    @Test
    void shouldMeasureTheReferencesBeforeAndAfterThePeers() {
        assertThat(Measured.plan(floor, dxnet, one, two).turns()).containsExactly(floor, dxnet, one, two, floor, dxnet);
        assertThat(Measured.plan(floor, dxnet).turns()).containsExactly(floor, dxnet);
        Peer other = peer("dxnet over something else", Role.DXNET);
        assertThat(Measured.plan(floor, dxnet, other).turns()).containsExactly(floor, dxnet, other, floor, dxnet);
    }

    @Test
    void shouldMeasureEachNumberOfThreadsAndTheRoundTripOfEachSize() {
        assertThat(Measured.plan(one).steps())
                .containsExactly(
                        new Plan.Step(64, 1),
                        new Plan.Step(64, 4),
                        new Plan.Step(64, 0),
                        new Plan.Step(1024, 1),
                        new Plan.Step(1024, 4),
                        new Plan.Step(1024, 0));
    }

    @Test
    void shouldKeepTheTimesThatTheHelpPromises() {
        Plan whole = new Plan(
                Peers.all(), List.of(16, 64, 256, 1024, 4096), List.of(1, 4), 0.9, false, Plan.Subject.MESSAGES);
        assertThat(whole.turns().size() * whole.turnSeconds()).isBetween(430.0, 510.0);
        Plan quick = new Plan(Peers.all(), List.of(64, 1024), List.of(1, 4), 0.45, false, Plan.Subject.MESSAGES);
        assertThat(quick.turns().size() * quick.turnSeconds()).isLessThan(165);
    }

    /** Else what changes on the machine meanwhile is in the ratios of those peers. */
    @Test
    void shouldMeasureEachDxnetThatPeersAreDividedByFirstAndLast() {
        Peer plain = peer("dxnet", Role.DXNET);
        Peer tls = peer("dxnet tls", Role.DXNET, "TLS");
        Peer unused = peer("dxnet shm", Role.DXNET, "shm");
        Peer other = peer("other", Role.PEER);
        Peer otherTls = peer("other tls", Role.PEER, "TLS");
        List<Peer> peers = List.of(plain, tls, unused, other, otherTls);
        Plan security = new Plan(peers, List.of(64), List.of(1), 1, false, Plan.Subject.SECURITY);
        assertThat(security.turns()).containsExactly(plain, tls, unused, other, otherTls, plain, tls);
        Plan messages = new Plan(peers, List.of(64), List.of(1), 1, false, Plan.Subject.MESSAGES);
        assertThat(messages.turns()).containsExactly(plain, tls, unused, other, otherTls, plain);
    }
}
