package io.dxnet.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.handshake.PairingDecision.Stage;
import org.junit.jupiter.api.Test;

/** What a listener decides about a hello, with connections that are only names here. */
class PairingDecisionTest {
    private static final int LISTENER = 2;
    private static final int OPENER = 1;
    private static final long RUN = 77;
    private static final DXNetConfig CONFIG = DXNetConfig.builder().build();

    private static Hello hello(int from, long run, long connectionId, long listenerConnectionId) {
        return Hello.of(CONFIG, "nio", from, LISTENER, run, connectionId, listenerConnectionId, new byte[0]);
    }

    private static PairingDecision<String> decision(long connectionId, long listenerConnectionId) {
        return new PairingDecision<>(hello(OPENER, RUN, connectionId, listenerConnectionId), LISTENER);
    }

    /** This node's connection, and the other node's that it leads to. */
    private static Pairing pairing(long id, long run, long theirs) {
        Pairing pairing = new Pairing(id);
        assertThat(pairing.attachOutgoing(new PeerIdentity(run, theirs))).isTrue();
        return pairing;
    }

    private static Pairing attempting(long id) {
        Pairing pairing = new Pairing(id);
        pairing.beginAttempt();
        return pairing;
    }

    @Test
    void shouldOpenANewConnectionWhereThereIsNone() throws RefusedException {
        PairingDecision<String> decision = decision(5, 0);
        assertThat(decision.mustWait()).isFalse();
        assertThat(decision.expected()).isNull();
    }

    @Test
    void shouldRefuseTheOtherDirectionOfAConnectionThatIsGone() throws RefusedException {
        PairingDecision<String> decision = decision(5, 3);
        assertThat(decision.mustWait()).isFalse();
        assertThatThrownBy(decision::expected)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.isStale()).isTrue());
    }

    @Test
    void shouldOpenTheOtherDirectionAlsoInTheMiddleOfAnEnd() throws RefusedException {
        for (Stage stage : new Stage[] {Stage.OPEN, Stage.ENDING}) {
            PairingDecision<String> decision = decision(5, 3);
            assertThat(decision.consider("mine", pairing(3, RUN, 5), stage)).isEqualTo(Pairing.Claim.MINE);
            assertThat(decision.mustWait()).isFalse();
            assertThat(decision.expected()).isEqualTo("mine");
        }
    }

    @Test
    void shouldRefuseTheOtherDirectionOfAClosedConnection() throws RefusedException {
        PairingDecision<String> decision = decision(5, 3);
        decision.consider("mine", pairing(3, RUN, 5), Stage.CLOSED);
        assertThat(decision.mustWait()).isFalse();
        assertThatThrownBy(decision::expected)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.isStale()).isTrue());
    }

    @Test
    void shouldLetOnlyTheNodeWithTheHigherIdGoFirst() throws RefusedException {
        PairingDecision<String> higher = decision(5, 0);
        assertThat(higher.consider("own", attempting(3), Stage.OPEN)).isEqualTo(Pairing.Claim.LATER);
        assertThat(higher.mustWait()).isTrue();

        PairingDecision<String> lower = new PairingDecision<>(hello(LISTENER + 1, RUN, 5, 0), LISTENER);
        assertThat(lower.consider("own", attempting(3), Stage.OPEN)).isEqualTo(Pairing.Claim.NONE);
        assertThat(lower.mustWait()).isFalse();
        assertThat(lower.expected()).isNull();
    }

    @Test
    void shouldWaitForTheEndOfAnOpenPredecessorOnly() throws RefusedException {
        PairingDecision<String> open = decision(5, 0);
        assertThat(open.consider("before", pairing(3, RUN, 4), Stage.OPEN)).isEqualTo(Pairing.Claim.SUPERSEDED);
        assertThat(open.mustWait()).isTrue();

        PairingDecision<String> ending = decision(5, 0);
        assertThat(ending.consider("before", pairing(3, RUN, 4), Stage.ENDING)).isEqualTo(Pairing.Claim.NONE);
        assertThat(ending.mustWait()).isFalse();
        assertThat(ending.expected()).isNull();
    }

    @Test
    void shouldNotWaitForAnotherConnectionThanTheExpectedOne() throws RefusedException {
        for (boolean expectedFirst : new boolean[] {true, false}) {
            PairingDecision<String> decision = decision(5, 3);
            if (expectedFirst) {
                decision.consider("mine", pairing(3, RUN, 5), Stage.ENDING);
            }
            decision.consider("other", pairing(4, RUN, 4), Stage.OPEN);
            if (!expectedFirst) {
                decision.consider("mine", pairing(3, RUN, 5), Stage.ENDING);
            }
            assertThat(decision.mustWait()).isFalse();
            assertThat(decision.expected()).isEqualTo("mine");
        }
    }

    @Test
    void shouldNumberTheAttemptsThatOpenBothDirections() {
        Pairing pairing = new Pairing(3);
        pairing.beginAttempt(8);
        assertThat(pairing.id()).isEqualTo(8);
        assertThat(pairing.isAttempting()).isTrue();
        assertThat(pairing.judge(hello(OPENER, RUN, 5, 0), true, true)).isEqualTo(Pairing.Claim.LATER);
        assertThat(pairing.judge(hello(OPENER, RUN, 5, 0), true, false)).isEqualTo(Pairing.Claim.NONE);

        pairing.attachBoth(new PeerIdentity(RUN, 5));
        assertThat(pairing.isAttempting()).isFalse();
        assertThat(pairing.peer()).isEqualTo(new PeerIdentity(RUN, 5));
        assertThat(pairing.judge(hello(OPENER, RUN, 5, 0), true, true)).isEqualTo(Pairing.Claim.MINE);
        assertThat(pairing.judge(hello(OPENER, RUN, 6, 0), true, true)).isEqualTo(Pairing.Claim.SUPERSEDED);
        assertThat(pairing.attachIncoming(new PeerIdentity(RUN, 5))).isFalse();

        pairing.attachBoth(PeerIdentity.NONE); // it failed after all
        assertThat(pairing.peer().isKnown()).isFalse();
        assertThat(pairing.judge(hello(OPENER, RUN, 6, 0), true, true)).isEqualTo(Pairing.Claim.NONE);
        assertThat(pairing.attachIncoming(new PeerIdentity(RUN, 6))).isTrue();
    }

    @Test
    void shouldRefuseForNowWhereAnotherRunIsConnected() {
        PairingDecision<String> decision = decision(5, 3);
        decision.consider("mine", pairing(3, RUN, 5), Stage.ENDING);
        assertThat(decision.consider("other run", pairing(4, RUN + 1, 5), Stage.OPEN))
                .isEqualTo(Pairing.Claim.OTHER_RUN);
        assertThatThrownBy(decision::mustWait)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.isTemporary()).isTrue());
    }
}
