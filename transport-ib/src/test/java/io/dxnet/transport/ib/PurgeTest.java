package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A queue pair is destroyed when all that it received is polled, not earlier. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PurgeTest {
    private static final int CAPACITY = 100;

    private final PurgeQueue queue = new PurgeQueue(CAPACITY);
    private final IbConnection connection = connection();

    private static IbConnection connection() {
        return IbNodes.unconnected();
    }

    @Test
    void shouldWaitForAnEmptyPollThatBeganAfterIt() {
        queue.cycleBegins();
        queue.add(connection);
        assertThat(queue.poll(true)).as("that poll was under way").isNull();
        assertThat(queue.isEmpty()).isFalse();
        queue.cycleBegins();
        assertThat(queue.poll(false)).isNull();
        queue.cycleBegins();
        assertThat(queue.poll(true)).isSameAs(connection);
        assertThat(queue.poll(true)).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldWaitForAsManyCompletionsAsTheQueueHolds() {
        queue.cycleBegins();
        queue.polled(5);
        queue.add(connection);
        queue.polled(CAPACITY);
        assertThat(queue.poll(false)).isNull();
        IbConnection younger = connection();
        for (int polled = 0; polled < CAPACITY; polled += 10) {
            queue.cycleBegins();
            assertThat(queue.poll(false)).as("%d polled", polled).isNull();
            queue.polled(10);
            queue.add(younger);
        }
        assertThat(queue.poll(false)).isSameAs(connection);
        assertThat(queue.poll(false)).as("the younger one has seen less").isNull();
    }

    @Test
    void shouldNotWaitForEver() {
        queue.add(connection);
        for (int i = 0; i <= PurgeQueue.CYCLES_MAX; i++) {
            queue.cycleBegins();
            assertThat(queue.poll(false)).isNull();
        }
        queue.cycleBegins();
        assertThat(queue.poll(false)).isSameAs(connection);
    }

    @Test
    void shouldYieldAllWhenTheAgentHasEnded() {
        queue.add(connection);
        queue.cycleBegins();
        queue.add(connection());
        assertThat(queue.pollAny()).isSameAs(connection);
        assertThat(queue.pollAny()).isNotNull();
        assertThat(queue.pollAny()).isNull();
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
            node.awaitJobs();
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
