package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dxnet.ibverbs.AsyncEvent;
import io.dxnet.ibverbs.AsyncEventType;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WorkCompletion;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completion events and asynchronous events. */
@Timeout(240)
class EventTest {
    private Rig rig;
    private Rig remote;
    private CompletionChannel channel;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private SharedReceiveQueue shared;
    private MemoryRegion memory;
    private MemoryRegion target;
    private QueuePair one;
    private QueuePair other;

    @BeforeEach
    void open() {
        rig = Rig.open();
        remote = rig.remote();
        channel = remote.context.createCompletionChannel();
        sendQueue = rig.queue(256);
        receiveQueue = remote.context.createCompletionQueue(
                CompletionQueue.options(256).channel(channel));
        shared = remote.domain.createSharedReceiveQueue(128, 1);
        memory = rig.memory(1 << 16);
        target = remote.memory(1 << 16);
        one = rig.pair(sendQueue, rig.queue(64));
        other = remote.pair(
                QueuePair.options(QpType.RC, remote.queue(16), receiveQueue).shared(shared));
        rig.connectRemote(one, other);
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private void receives(int count) {
        ReceiveChain chain = new ReceiveChain(count, 1);
        for (int i = 0; i < count; i++) {
            chain.receive(i).sge(target, 64L * i, 64);
        }
        assertThat(shared.post(chain)).isEqualTo(count);
    }

    private void send() {
        one.postSend(new SendChain(1, 1).send(1).sge(memory, 0, 64).signaled());
        rig.awaitSuccess(sendQueue);
    }

    @Test
    @DisplayName("31: an armed queue announces a completion once; without arming it does not")
    void shouldAnnounceOnce() {
        receives(8);
        send();
        assertThat(channel.await(0)).isNull();
        rig.awaitSuccess(receiveQueue);
        receiveQueue.requestNotification(false);
        send();
        assertThat(channel.await(Rig.patienceMs())).isSameAs(receiveQueue);
        send();
        assertThat(channel.await(0)).isNull();
        rig.await(receiveQueue, 2);
    }

    @Test
    @DisplayName("31: arming while a completion waits does not hang, because the queue is polled once more")
    void shouldNotHangWhenArmedLate() {
        receives(2);
        send();
        receiveQueue.requestNotification(false);
        rig.awaitSuccess(receiveQueue);
        send();
        assertThat(channel.await(Rig.patienceMs())).isSameAs(receiveQueue);
        rig.awaitSuccess(receiveQueue);
    }

    @Test
    @DisplayName("31: arm, poll, sleep loses no wake-up in many round trips")
    void shouldLoseNoWakeUp() throws InterruptedException {
        int rounds = Integer.getInteger("dxnet.verbs.pingpongs", Rig.isRxe() || Rig.isOnWire() ? 2_000 : 100_000);
        CompletionChannel ownChannel = rig.context.createCompletionChannel();
        CompletionQueue ownReceive =
                rig.context.createCompletionQueue(CompletionQueue.options(256).channel(ownChannel));
        CompletionQueue otherSend = remote.queue(256);
        QueuePair left = rig.pair(QueuePair.options(QpType.RC, sendQueue, ownReceive));
        QueuePair right = remote.pair(QueuePair.options(QpType.RC, otherSend, receiveQueue));
        rig.connectRemote(left, right, Rig.patient());
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        Thread echo = Thread.ofPlatform().start(() -> {
            try {
                pingPong(right, otherSend, receiveQueue, channel, rounds, false);
            } catch (Throwable e) {
                wrong.set(e);
            }
        });
        pingPong(left, sendQueue, ownReceive, ownChannel, rounds, true);
        echo.join(Rig.patienceMs());
        assertThat(echo.isAlive()).isFalse();
        assertThat(wrong.get()).isNull();
    }

    private void pingPong(
            QueuePair pair,
            CompletionQueue send,
            CompletionQueue receive,
            CompletionChannel events,
            int rounds,
            boolean first) {
        WorkCompletion batch = new WorkCompletion(4);
        ReceiveChain receives = new ReceiveChain(1, 1).receive(0).sge(first ? memory : target, 4096, 8);
        SendChain sends = new SendChain(1, 1);
        pair.postReceive(receives);
        for (int i = 0; i < rounds; i++) {
            if (first || i > 0) {
                ping(pair, send, sends, batch, i);
            }
            int seen = awaitByEvent(receive, events, batch);
            assertThat(seen).isEqualTo(first ? i + 1 : i);
            pair.postReceive(receives);
        }
        if (!first) {
            ping(pair, send, sends, batch, rounds);
        }
    }

    private void ping(QueuePair pair, CompletionQueue send, SendChain sends, WorkCompletion batch, int number) {
        sends.clear().sendImmediate(number, number).signaled();
        assertThat(pair.postSend(sends)).isEqualTo(1);
        long deadline = Rig.deadline();
        while (send.poll(batch) == 0) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        assertThat(batch.at(0).isSuccess()).describedAs("%s", batch).isTrue();
    }

    private static int awaitByEvent(CompletionQueue queue, CompletionChannel events, WorkCompletion batch) {
        while (true) {
            if (queue.poll(batch) > 0) {
                return batch.at(0).immediate();
            }
            queue.requestNotification(false);
            if (queue.poll(batch) > 0) {
                return batch.at(0).immediate();
            }
            assertThat(events.await(Rig.patienceMs())).isSameAs(queue);
        }
    }

    @Test
    @DisplayName("31: arming, waiting for an event and reading it allocate nothing")
    void shouldAllocateNothingForAnEvent() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int warmUp = 300; // a method handle is tailored to its callers once, after 127 calls
        int rounds = 100;
        long allocated = 0;
        for (int i = 0; i < warmUp + rounds; i++) {
            receives(1);
            long before = threads.getCurrentThreadAllocatedBytes();
            receiveQueue.requestNotification(false);
            long between = threads.getCurrentThreadAllocatedBytes();
            send();
            long after = threads.getCurrentThreadAllocatedBytes();
            CompletionQueue announced = channel.await(Rig.patienceMs());
            long end = threads.getCurrentThreadAllocatedBytes();
            assertThat(announced).isSameAs(receiveQueue);
            rig.awaitSuccess(receiveQueue);
            if (i >= warmUp) {
                allocated += between - before + end - after;
            }
        }
        // A call site that links anew may cost some kilobytes; one
        // small object for each event is more than that.
        assertThat(allocated).as("bytes for %d events", rounds).isLessThan(16L * rounds);
    }

    @Test
    @DisplayName("32: a queue closes while its event waits unread")
    void shouldCloseWithUnreadEvent() {
        receives(1);
        receiveQueue.requestNotification(false);
        send();
        receiveQueue.close();
        assertThat(channel.await(0)).isNull();
    }

    @Test
    @DisplayName("33: waking and closing end a wait")
    void shouldEndWait() throws InterruptedException {
        for (boolean byClosing : new boolean[] {false, true}) {
            CompletionChannel waited = rig.context.createCompletionChannel();
            CountDownLatch started = new CountDownLatch(1);
            AtomicReference<Object> result = new AtomicReference<>("nothing");
            Thread waiter = Thread.ofPlatform().start(() -> {
                started.countDown();
                try {
                    result.set(Optional.ofNullable(waited.await(-1)));
                } catch (IllegalStateException e) {
                    result.set(Optional.empty());
                }
            });
            started.await();
            if (byClosing) {
                waited.close();
            } else {
                waited.wakeUp();
            }
            waiter.join(Rig.patienceMs());
            assertThat(waiter.isAlive()).isFalse();
            assertThat(result.get()).isEqualTo(Optional.empty());
        }
    }

    @Test
    @DisplayName("33: closing the device ends a wait for asynchronous events")
    void shouldEndAsyncWait() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        Thread waiter = Thread.ofPlatform().start(() -> {
            started.countDown();
            try {
                while (true) {
                    rig.context.asyncEvents().await(-1);
                }
            } catch (IllegalStateException expected) {
                // Closed.
            } catch (Throwable e) {
                wrong.set(e);
            }
        });
        started.await();
        rig.close();
        waiter.join(Rig.patienceMs());
        assertThat(waiter.isAlive()).isFalse();
        assertThat(wrong.get()).isNull();
    }

    @Test
    @DisplayName("35: the shared receive queue's limit raises one event each time it is armed")
    void shouldReportLimit() {
        for (int round = 0; round < 2; round++) {
            // Ten receives; at the fifth message fewer than six are left.
            receives(10);
            shared.armLimit(6);
            assertThat(shared.attributes().limit()).isEqualTo(6);
            for (int i = 0; i < 5; i++) {
                send();
            }
            assertThat(awaitEvent(AsyncEventType.SRQ_LIMIT_REACHED).resource()).isSameAs(shared);
            assertThat(shared.attributes().limit()).isZero();
            for (int i = 0; i < 5; i++) {
                send();
            }
            rig.await(receiveQueue, 10);
            assertThat(remote.context.asyncEvents().poll().filter(e -> e.type() == AsyncEventType.SRQ_LIMIT_REACHED))
                    .isEmpty();
        }
    }

    private AsyncEvent awaitEvent(AsyncEventType type) {
        long deadline = Rig.deadline();
        while (true) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Optional<AsyncEvent> event = remote.context.asyncEvents().await(1000);
            if (event.isPresent() && event.get().type() == type) {
                return event.get();
            }
        }
    }

    @Test
    @DisplayName("45: waiting for solicited completions only, a plain send is silent and a solicited one announces")
    void shouldAnnounceSolicited() {
        receives(4);
        receiveQueue.requestNotification(true);
        send();
        assertThat(channel.await(50)).isNull();
        one.postSend(new SendChain(1, 1).send(1).sge(memory, 0, 64).solicited().signaled());
        assertThat(channel.await(Rig.patienceMs())).isSameAs(receiveQueue);
        rig.await(receiveQueue, 2);
    }
}
