package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Allocation;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A queue pair is destroyed when all that it received is polled, not earlier. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PurgeTest {
    private static final int CAPACITY = 100;

    private long nowNs = System.nanoTime();
    private final List<IbConnection> destroyed = new ArrayList<>();
    private final EndingConnections endings = new EndingConnections(null, null, CAPACITY, destroyed::add, () -> nowNs);
    private final IbConnection connection = connection();

    private static IbConnection connection() {
        return IbNodes.unconnected();
    }

    @Test
    void shouldWaitForAnEmptyPollThatBeganAfterIt() {
        endings.cycleBegins();
        endings.addStopped(connection);
        assertThat(endings.isAnyAdded()).isTrue();
        assertThat(endings.proceed(true)).as("that poll was under way").isZero();
        endings.cycleBegins();
        assertThat(endings.isAnyAdded()).isFalse();
        assertThat(endings.proceed(false)).isZero();
        assertThat(endings.isAnyWaiting()).isTrue();
        endings.cycleBegins();
        assertThat(destroyed).isEmpty();
        assertThat(endings.proceed(true)).isEqualTo(1);
        assertThat(destroyed).containsExactly(connection);
        assertThat(endings.proceed(true)).isZero();
        assertThat(endings.isAnyWaiting()).isFalse();
    }

    @Test
    void shouldWaitForAsManyCompletionsAsTheQueueHolds() {
        endings.cycleBegins();
        endings.polled(5);
        endings.addStopped(connection);
        endings.polled(CAPACITY);
        assertThat(endings.proceed(false)).isZero();
        IbConnection younger = connection();
        for (int polled = 0; polled < CAPACITY; polled += 10) {
            endings.cycleBegins();
            assertThat(endings.proceed(false)).as("%d polled", polled).isZero();
            endings.polled(10);
            if (polled == 0) {
                endings.addStopped(younger);
            }
        }
        assertThat(endings.proceed(false)).isEqualTo(1);
        assertThat(destroyed).as("the younger one has seen less").containsExactly(connection);
    }

    @Test
    void shouldNotWaitForEver() {
        endings.addStopped(connection);
        for (int i = 0; i <= 100_000; i++) { // a thread that does not park has as many within milliseconds
            endings.cycleBegins();
            assertThat(endings.proceed(false)).isZero();
        }
        nowNs += EndingConnections.STOPPED_MAX_NS + 1;
        endings.cycleBegins();
        assertThat(endings.proceed(false)).isEqualTo(1);
        assertThat(destroyed).containsExactly(connection);
    }

    @Test
    void shouldNotCountAPauseOfTheProcess() {
        endings.addStopped(connection);
        endings.cycleBegins();
        nowNs += 10 * EndingConnections.STOPPED_MAX_NS;
        for (int i = 0; i < EndingConnections.STOPPED_CYCLES; i++) {
            assertThat(endings.proceed(false)).isZero();
            endings.cycleBegins();
        }
        assertThat(endings.proceed(false)).isEqualTo(1);
    }

    /** Else a full heap, on which connections do fail, would hide their loss for ever. */
    @Test
    void shouldAllocateNothingForAFailure() {
        List<IbConnection> failed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            failed.add(connection());
        }
        endings.addFailed(failed.get(0)); // its classes are loaded
        Allocation allocation = Allocation.ofThisThread();
        for (int i = 1; i < 20; i++) {
            endings.addFailed(failed.get(i));
        }
        assertThat(allocation.bytes()).as("less than an object for each").isLessThan(19 * 16);
        assertThat(endings.isAnyAdded()).isTrue();
        endings.cycleBegins();
        assertThat(endings.isAnyAdded()).isFalse();
        assertThat(endings.isAnyWaiting()).isTrue();
    }

    @Test
    void shouldReturnAllWhenTheAgentHasEnded() {
        endings.addStopped(connection);
        endings.cycleBegins();
        IbConnection later = connection();
        endings.addStopped(later);
        assertThat(endings.stopped()).containsExactly(connection, later);
    }

    /**
     * Between the poll of a cycle, which finds nothing, and the cycle's end, a message
     * arrives and its connection ends: its completion is in the completion queue, and
     * the queue pair must outlive that.
     */
    @Test
    void shouldNotDestroyAQueuePairWhoseLastMessageIsNotPolled() throws Exception {
        IbNodes.assumeSoftware();
        List<String> addresses = Ports.addresses(3);
        try (FakeEngine node = FakeEngine.started(0, addresses);
                FakeEngine sender = FakeEngine.started(1, addresses);
                FakeEngine other = FakeEngine.started(2, addresses)) {
            sender.connect(node);
            other.connect(node);
            IbConnection ending = node.state(1);
            FakeEngine.FakeConnection toNode = sender.connection(0);
            FakeEngine.FakeConnection fromSender = node.connection(1);
            node.onLost = lost -> {
                toNode.write(100);
                assertThat(sender.transport.sendNow(toNode)).isTrue();
                node.transport.sides.finish(ending);
            };
            node.state(2).fail("the test wants it");
            while (node.lost.isEmpty()) {
                node.cycle();
            }
            node.awaitControlChannels();
            assertThat(ending.queuePairNumber())
                    .as("no poll has begun since its end")
                    .isPositive();
            Cluster.await("its end", () -> {
                node.cycle();
                return fromSender.released;
            });
            assertThat(ending.queuePairNumber()).isEqualTo(-1);
            assertThat(node.errors).isEmpty();
        }
    }
}
