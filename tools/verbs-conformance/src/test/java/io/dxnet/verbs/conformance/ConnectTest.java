package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.AddressVector;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.Mtu;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpStatus;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The states of a queue pair. */
@Timeout(120)
class ConnectTest {
    private static final int EINVAL = 22;

    @Test
    @DisplayName("6: two queue pairs with a shared receive queue and shared completion queues connect")
    void shouldConnect() {
        try (Rig rig = Rig.open()) {
            QueuePair one = sharing(rig);
            QueuePair other = sharing(rig.remote());
            rig.connectRemote(one, other);
            assertThat(one.state()).isEqualTo(QpState.RTS);
            QpStatus status = other.query();
            assertThat(status.state()).isEqualTo(QpState.RTS);
            assertThat(status.destinationQpNumber()).isEqualTo(one.number());
        }
    }

    private static QueuePair sharing(Rig rig) {
        CompletionQueue queue = rig.queue(64);
        SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(64, 1);
        return rig.pair(QueuePair.options(QpType.RC, queue, queue).shared(shared));
    }

    @Test
    @DisplayName("6: a transition that is none, or lacks an attribute, is refused and named")
    void shouldRefuseWrongTransitions() {
        try (Rig rig = Rig.open()) {
            CompletionQueue queue = rig.queue(16);
            QueuePair pair = rig.pair(queue, queue);
            refused(pair, QpAttributes.to(QpState.RTR), "from RESET to RTR");
            refused(pair, QpAttributes.to(QpState.INIT).port(1).pkeyIndex(0), "missing [access]");
            refused(
                    pair,
                    QpAttributes.to(QpState.INIT).port(1).pkeyIndex(0).access().timeout(1),
                    "not allowed [timeout]");
            assertThat(pair.state()).isEqualTo(QpState.RESET);
            pair.modify(QpAttributes.to(QpState.INIT).port(1).pkeyIndex(0).access());
            pair.modify(QpAttributes.to(QpState.ERR));
            refused(pair, QpAttributes.to(QpState.RTS), "from ERR to RTS");
        }
    }

    private static void refused(QueuePair pair, QpAttributes attributes, String why) {
        assertThatThrownBy(() -> pair.modify(attributes))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(EINVAL))
                .hasMessageContaining(why);
    }

    @Test
    @DisplayName("6: what the device itself refuses surfaces with its error number: a port that is not there")
    void shouldSurfaceTheDevicesRefusal() {
        try (Rig rig = Rig.open()) {
            CompletionQueue queue = rig.queue(16);
            QueuePair pair = rig.pair(queue, queue);
            assertThatThrownBy(() -> pair.modify(
                            QpAttributes.to(QpState.INIT).port(77).pkeyIndex(0).access()))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(EINVAL));
            assertThat(pair.state()).isEqualTo(QpState.RESET);
        }
    }

    @Test
    @DisplayName("6: an empty source GID is refused on the way to RTR")
    void shouldRefuseEmptySourceGid() {
        try (Rig rig = Rig.open()) {
            int empty = rig.context.gids(Rig.PORT).stream()
                            .mapToInt(e -> e.index())
                            .max()
                            .orElse(0)
                    + 1;
            Rig.only(empty < Math.min(255, rig.context.port(Rig.PORT).gidTableLength()), "no empty GID entry");
            CompletionQueue queue = rig.queue(16);
            QueuePair pair = rig.pair(queue, queue);
            pair.modify(QpAttributes.to(QpState.INIT).port(1).pkeyIndex(0).access());
            AddressVector path = new AddressVector(1, 0, rig.gid.gid(), empty, 64, 0, 0);
            assertThatThrownBy(() -> pair.modify(QpAttributes.to(QpState.RTR)
                            .path(path)
                            .mtu(Mtu.MTU_1024)
                            .destination(1)
                            .receivePsn(0)
                            .maxReadAtomicAsTarget(1)
                            .minRnrTimer(12)))
                    .isInstanceOf(VerbsException.class);
            assertThat(pair.state()).isEqualTo(QpState.INIT);
        }
    }

    @Test
    @DisplayName("6: sizes beyond the limits are refused")
    void shouldRefuseSizesBeyondLimits() {
        try (Rig rig = Rig.open()) {
            CompletionQueue queue = rig.queue(16);
            int maxSge = rig.context.attributes().maxSge();
            assertThatThrownBy(() ->
                            rig.pair(QueuePair.options(QpType.RC, queue, queue).send(16, maxSge + 1)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ibv_create_qp");
            int maxCompletions = rig.context.attributes().maxCompletions();
            assertThatThrownBy(() -> rig.queue(maxCompletions + 1))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ibv_create_cq");
            assertThatThrownBy(() -> rig.domain.createSharedReceiveQueue(
                            16, rig.context.attributes().maxSharedReceiveSge() + 1))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ibv_create_srq");
        }
    }

    @Test
    @DisplayName("23: a connection's retry count is at most 6, and in force at the device")
    void shouldBoundTheRetryCount() {
        assertThatThrownBy(() -> new ConnectOptions().retryCount(7)).isInstanceOf(IllegalArgumentException.class);
        try (Rig rig = Rig.open()) {
            CompletionQueue queue = rig.queue(16);
            QueuePair one = rig.pair(queue, queue);
            QueuePair other = rig.pair(queue, queue);
            rig.connect(one, other, new ConnectOptions());
            assertThat(one.query().retryCount()).isEqualTo(6);
            assertThat(one.query().timeout()).isEqualTo(14);
            assertThat(one.query().rnrRetry()).isEqualTo(7);
        }
    }

    @Test
    @DisplayName("43: a send in a state that forbids it is refused before the device sees it, and never arrives")
    void shouldRefuseSendsTooEarly() {
        try (Rig rig = Rig.open()) {
            CompletionQueue send = rig.queue(64);
            CompletionQueue receive = rig.queue(64);
            MemoryRegion memory = rig.memory(4096);
            QueuePair one = rig.pair(send, receive);
            QueuePair other = rig.pair(send, receive);
            SendChain early = new SendChain(1, 1);
            early.send(1).sge(memory, 0, 8).signaled();
            assertThatThrownBy(() -> one.postSend(early)).isInstanceOf(IllegalStateException.class);
            ReceiveChain receives = new ReceiveChain(1, 1);
            receives.receive(5).sge(memory, 64, 64);
            assertThatThrownBy(() -> one.postReceive(receives)).isInstanceOf(IllegalStateException.class);
            rig.connect(one, other);
            assertThat(other.postReceive(receives)).isEqualTo(1);
            SendChain late = new SendChain(1, 1);
            late.send(2).sge(memory, 8, 8).signaled();
            assertThat(one.postSend(late)).isEqualTo(1);
            assertThat(rig.awaitSuccess(send).id()).isEqualTo(2);
            assertThat(rig.awaitSuccess(receive).id()).isEqualTo(5);
        }
    }

    @Test
    @DisplayName("38: a queue pair moves from ERR over RESET to RTS again and carries data")
    void shouldRunAgainAfterReset() {
        try (Rig rig = Rig.open()) {
            CompletionQueue send = rig.queue(64);
            Rig remote = rig.remote();
            CompletionQueue receive = remote.queue(64);
            MemoryRegion memory = rig.memory(4096);
            MemoryRegion target = remote.memory(4096);
            QueuePair one = rig.pair(send, send);
            QueuePair other = remote.pair(receive, receive);
            for (int round = 0; round < 3; round++) {
                rig.connectRemote(one, other);
                Rig.fill(memory.memory(), 0, 100, round);
                ReceiveChain receives = new ReceiveChain(1, 1);
                receives.receive(round).sge(target, 1024, 100);
                other.postReceive(receives);
                SendChain sends = new SendChain(1, 1);
                sends.send(round).sge(memory, 0, 100).signaled();
                one.postSend(sends);
                rig.awaitSuccess(send);
                assertThat(rig.awaitSuccess(receive).bytes()).isEqualTo(100);
                Rig.check(target.memory(), 1024, 100, round);
                for (QueuePair pair : new QueuePair[] {one, other}) {
                    pair.modify(QpAttributes.to(QpState.ERR));
                    pair.modify(QpAttributes.to(QpState.RESET));
                }
            }
        }
    }
}
