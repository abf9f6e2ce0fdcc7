package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpOptions;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.ThreadDomain;
import io.dxnet.ibverbs.VerbsException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What saves locks where one thread does the work: single-threaded completion
 * queues, thread and parent domains.
 */
@Timeout(120)
class DomainTest {
    private static final int EOPNOTSUPP = 95;

    /** One message over queue pairs of {@code domain}, which complete in {@code queue}. */
    private static void traffic(Rig rig, ProtectionDomain domain, CompletionQueue queue) {
        QpOptions options = QueuePair.options(QpType.RC, queue, queue);
        QueuePair one = domain.createQueuePair(options);
        QueuePair other = domain.createQueuePair(options);
        rig.connect(one, other);
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE);
        for (int round = 0; round < 20; round++) {
            Rig.fill(memory.memory(), 0, 4000, round);
            assertThat(other.postReceive(new ReceiveChain(1, 1).receive(1).sge(memory, 4096, 4096)))
                    .isEqualTo(1);
            assertThat(one.postSend(
                            new SendChain(1, 1).send(2).sge(memory, 0, 4000).signaled()))
                    .isEqualTo(1);
            assertThat(rig.await(queue, 2)).allMatch(Rig.Done::ok);
            Rig.check(memory.memory(), 4096, 4000, round);
        }
    }

    @Test
    @DisplayName("single-threaded completion queues, where offered and where not, carry completions and events")
    void shouldPollSingleThreaded() {
        try (Rig rig = Rig.open()) {
            CompletionChannel channel = rig.context.createCompletionChannel();
            CompletionQueue queue = rig.context.createCompletionQueue(
                    CompletionQueue.options(256).singleThreaded().channel(channel));
            queue.requestNotification(false);
            traffic(rig, rig.domain, queue);
            assertThat(channel.await(Rig.patienceMs())).isSameAs(queue);
        }
    }

    @Test
    @DisplayName("queue pairs of a parent domain carry data, and close before the thread domain")
    void shouldUseParentDomain() {
        try (Rig rig = Rig.open()) {
            ThreadDomain thread;
            try {
                thread = rig.context.allocateThreadDomain();
            } catch (VerbsException e) {
                assertThat(e.errno()).isEqualTo(EOPNOTSUPP);
                Rig.only(false, "no thread domains: " + e.getMessage());
                return;
            }
            ProtectionDomain parent = rig.domain.createParentDomain(thread);
            traffic(rig, parent, rig.queue(256));
            thread.close();
            assertThat(parent.isClosed()).isTrue();
        }
    }
}
