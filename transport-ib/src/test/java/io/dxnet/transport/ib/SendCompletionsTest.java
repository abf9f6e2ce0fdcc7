package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dxnet.contract.Ports;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.SendChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An error while one completion is processed, most likely for want of memory. The queue pair is in
 * the error state: what is posted completes at once, and fails its connection.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SendCompletionsTest {
    private final Context context = Device.named(IbNodes.DEVICE).open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(4096);
    private final ConnectionSlots slots = new ConnectionSlots(2);
    private final SendCompletions completions =
            new SendCompletions(context, context.createCompletionChannel(), 64, slots, null);
    private final List<IbConnection> failed = new ArrayList<>();
    private final IbConnection first = connection(1);
    private final IbConnection second = connection(2);
    private QueuePair pair;
    private int errors; // that failing a connection still throws
    private Runnable whileProcessing = () -> {};

    private IbConnection connection(int nodeId) {
        IbConnection.Receiver receiver = new IbConnection.Receiver() {
            @Override
            public void endLater(IbConnection connection) {
                if (errors > 0) {
                    errors--;
                    throw new OutOfMemoryError("the test wants it");
                }
                failed.add(connection);
                whileProcessing.run();
            }

            @Override
            public void purge(IbConnection connection) {}
        };
        return new IbConnection(null, new FakeEngine.FakeConnection(nodeId, null), 1, null, null, receiver);
    }

    @BeforeEach
    void reserve() {
        pair = domain.createQueuePair(
                QueuePair.options(QpType.RC, completions.queue(), context.createCompletionQueue(4))
                        .send(16, 1));
        pair.modify(QpAttributes.to(QpState.ERR));
        completions.reserve(first);
        completions.reserve(second);
    }

    @AfterEach
    void close() {
        context.close();
    }

    /** Posts a request, whose completion is in the queue before the call returns. */
    private void complete(IbConnection connection) {
        complete(pair, memory, connection);
        completions.outstanding().incrementAndGet();
    }

    private static void complete(QueuePair pair, MemoryRegion memory, IbConnection connection) {
        SendChain chain = new SendChain(1, 1).clear();
        chain.send(connection.requestId()).sge(memory, 0, 1).signaled();
        assertThat(pair.postSend(chain)).isEqualTo(1);
    }

    private void pollFails() {
        errors = 1;
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> completions.poll(null));
        assertThat(failed).isEmpty();
    }

    @Test
    void shouldProcessTheRestOfABatchInTheNextPoll() {
        complete(first);
        complete(second);
        pollFails();
        assertThat(completions.poll(null)).isEqualTo(1);
        assertThat(failed).containsExactly(second);
        assertThat(completions.poll(null)).isZero();
    }

    /** The agent armed the queue after the completion, so that nothing ends its sleep. */
    @Test
    void shouldPollAgainForAnAgentThatWillSleep() {
        complete(first);
        whileProcessing = () -> {
            whileProcessing = () -> {};
            complete(second);
            assertThat(completions.pollBeforeSleep()).as("another thread polls").isZero();
        };
        assertThat(completions.poll(null)).isEqualTo(2);
        assertThat(failed).containsExactly(first, second);
    }

    @Test
    void shouldPollForAnAgentUntilABatchIsNotFull() {
        int more = 40;
        QueuePair wide = domain.createQueuePair(
                QueuePair.options(QpType.RC, completions.queue(), context.createCompletionQueue(4))
                        .send(more, 1));
        wide.modify(QpAttributes.to(QpState.ERR));
        complete(first);
        whileProcessing = () -> {
            whileProcessing = () -> {};
            for (int i = 0; i < more; i++) {
                complete(wide, memory, second);
            }
            completions.outstanding().addAndGet(more);
            assertThat(completions.pollBeforeSleep()).as("another thread polls").isZero();
        };
        assertThat(completions.poll(null)).isEqualTo(1 + more);
    }

    @Test
    void shouldPollForAnAgentThatWillSleepAfterASlotIsFreed() {
        complete(second);
        whileProcessing = () -> {
            whileProcessing = () -> {};
            complete(second);
            assertThat(completions.pollBeforeSleep())
                    .as("another thread drains")
                    .isZero();
        };
        completions.forget(first, (int) first.requestId());
        assertThat(completions.poll(null)).as("what is left").isZero();
    }

    @Test
    void shouldProcessTheRestOfABatchBeforeASlotIsFreed() {
        complete(first);
        complete(second);
        pollFails();
        IbConnection third = connection(3);
        completions.forget(first, (int) first.requestId());
        assertThat(failed).containsExactly(second);
        assertThat(completions.reserve(third)).isEqualTo((int) first.requestId());
    }

    @Test
    void shouldFreeASlotWhereTheDrainFails() {
        complete(second);
        errors = 1;
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> completions.forget(first, (int) first.requestId()));
        assertThat(slots.used()).isEqualTo(1);
        assertThat(completions.reserve(connection(3))).isEqualTo((int) first.requestId());
        completions.forget(second, (int) second.requestId()); // the polling thread's duty was released
    }

    /** A connection that has sent ends; the completion before its own one throws. */
    @Test
    void shouldFreeAQueuePairOnceWhereTheDrainFails() throws Exception {
        List<String> addresses = Ports.addresses(2);
        try (FakeEngine node = FakeEngine.started(0, addresses);
                FakeEngine peer = FakeEngine.started(1, addresses)) {
            node.connect(peer);
            IbConnection ending = node.state(1);
            SendSide side = ending.endpoint();
            assertThat(node.transport.slots.take(first)).isPositive();
            QueuePair failing = side.domain()
                    .createQueuePair(QueuePair.options(QpType.RC, side.completionQueue(), side.completionQueue())
                            .send(4, 1));
            failing.modify(QpAttributes.to(QpState.ERR));
            complete(failing, side.domain().allocate(4096), first);
            node.connection(1).write(10);
            assertThat(side.send(ending)).isTrue();
            assertThat(side.outstanding()).hasValue(1);

            ending.seal();
            errors = 1;
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(ending::finish);
            assertThat(side.outstanding()).as("nothing of it counts any more").hasValue(0);
            assertThat(node.transport.slots.used()).isEqualTo(1);
            ending.finish();
            assertThat(node.transport.slots.used()).as("freed once").isEqualTo(1);
            assertThat(node.connection(1).released).isTrue();
            failing.close();
        }
    }
}
