package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.MemoryWindow;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpOptions;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.Resource;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything at once. The time is {@code -Ddxnet.verbs.stressSeconds}. */
class StressTest {
    private static final int SECONDS = Integer.getInteger("dxnet.verbs.stressSeconds", 10);
    private static final int THREADS = 4;

    @Test
    @Timeout(3600)
    @DisplayName("29: two threads post to a queue pair each, one polls both: order kept, no error")
    void shouldKeepOrderWithTwoSenders() throws InterruptedException {
        try (Rig rig = Rig.open()) {
            CompletionQueue sendQueue = rig.queue(512);
            Rig remote = rig.remote();
            CompletionQueue receiveQueue = remote.queue(512);
            SharedReceiveQueue shared = remote.domain.createSharedReceiveQueue(256, 1);
            MemoryRegion memory = rig.memory(64);
            MemoryRegion target = remote.memory(1 << 16);
            QpOptions sending =
                    QueuePair.options(QpType.RC, sendQueue, rig.queue(16)).send(64, 1);
            QpOptions receiving =
                    QueuePair.options(QpType.RC, remote.queue(16), receiveQueue).shared(shared);
            QueuePair[] senders = {rig.pair(sending), rig.pair(sending)};
            QueuePair[] receivers = {remote.pair(receiving), remote.pair(receiving)};
            for (int i = 0; i < 2; i++) {
                rig.connectRemote(senders[i], receivers[i], Rig.patient());
            }
            ReceiveChain refill = new ReceiveChain(1, 1);
            for (int i = 0; i < 128; i++) {
                shared.post(refill.clear().receive(i).sge(target, 64L * i, 64));
            }
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            AtomicLong[] sent = {new AtomicLong(), new AtomicLong()};
            AtomicLong[] completed = {new AtomicLong(), new AtomicLong()};
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int index = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        SendChain chain = new SendChain(1, 1);
                        while (System.nanoTime() < end) {
                            long number = sent[index].get();
                            if (number - completed[index].get() < 32) {
                                chain.clear()
                                        .sendImmediate(index, (int) number)
                                        .sge(memory, 0, 64)
                                        .signaled();
                                assertThat(senders[index].postSend(chain)).isEqualTo(1);
                                sent[index].incrementAndGet();
                            } else {
                                // The poller may need this thread's processor.
                                Thread.yield();
                            }
                        }
                    } catch (Throwable e) {
                        wrong.compareAndSet(null, e);
                    }
                }));
            }
            WorkCompletion batch = new WorkCompletion(32);
            int[] next = new int[2];
            long patience = end + TimeUnit.MILLISECONDS.toNanos(Rig.patienceMs());
            while (wrong.get() == null && System.nanoTime() < patience) {
                int count = sendQueue.poll(batch);
                boolean idle = count == 0;
                for (int i = 0; i < count; i++) {
                    assertThat(batch.at(i).isSuccess()).describedAs("%s", batch).isTrue();
                    completed[(int) batch.id()].incrementAndGet();
                }
                count = receiveQueue.poll(batch);
                if (idle && count == 0) {
                    Thread.yield();
                }
                for (int i = 0; i < count; i++) {
                    batch.at(i);
                    assertThat(batch.isSuccess()).describedAs("%s", batch).isTrue();
                    int index = batch.qpNumber() == receivers[0].number() ? 0 : 1;
                    assertThat(batch.immediate()).isEqualTo(next[index]++);
                    shared.post(refill.clear().receive(batch.id()).sge(target, 64 * batch.id(), 64));
                }
                if (threads.stream().noneMatch(Thread::isAlive)
                        && next[0] == sent[0].get()
                        && next[1] == sent[1].get()
                        && completed[0].get() + completed[1].get() == next[0] + next[1]) {
                    break;
                }
            }
            assertThat(wrong.get()).isNull();
            assertThat(next[0]).isEqualTo((int) sent[0].get()).isPositive();
            assertThat(next[1]).isEqualTo((int) sent[1].get()).isPositive();
            System.out.printf("two senders on %s: %d s, %d and %d messages%n", Rig.DEVICE, SECONDS, next[0], next[1]);
        }
    }

    /** What the threads share: objects that any of them may close at any time. */
    private static final class Shared {
        final Rig rig = Rig.open();
        final CompletionQueue queue = rig.queue(1024);
        final SharedReceiveQueue receives = rig.domain.createSharedReceiveQueue(256, 1);
        final QpOptions options =
                QueuePair.options(QpType.RC, queue, queue).shared(receives).send(64, 2);
        final QueuePair one = rig.pair(options);
        final QueuePair other = rig.pair(options);
        final MemoryRegion region = rig.memory(1 << 16);
        final boolean hasWindows = rig.context.attributes().windows().hasType2();

        Shared() {
            rig.connect(one, other);
        }
    }

    @Test
    @Timeout(3600)
    @DisplayName("stress: threads open, register, connect, post, cut and close at random; the JVM lives")
    void shouldSurviveRandomUse() throws InterruptedException {
        Rig.device();
        AtomicReference<Shared> current = new AtomicReference<>(new Shared());
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        AtomicLong steps = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            threads.add(Thread.ofPlatform().start(() -> {
                Mover mover = new Mover(random, current);
                while (System.nanoTime() < end && wrong.get() == null) {
                    try {
                        mover.step();
                        steps.incrementAndGet();
                    } catch (IllegalStateException | VerbsException expected) {
                        // Closed or in error by another thread, or
                        // out of room: the contract allows it.
                        refused.incrementAndGet();
                    } catch (Throwable e) {
                        wrong.compareAndSet(null, e);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        current.get().rig.close();
        if (wrong.get() != null) {
            throw new AssertionError("a thread failed", wrong.get());
        }
        assertThat(steps.get()).isPositive();
        System.out.printf(
                "stress on %s: %d s, %d threads, %d steps, %d of them refused%n",
                Rig.DEVICE, SECONDS, THREADS, steps.get() + refused.get(), refused.get());
    }

    private static final class Mover {
        private final Random random;
        private final AtomicReference<Shared> current;
        private final WorkCompletion batch = new WorkCompletion(16);
        private final SendChain sends = new SendChain(8, 2, 64);
        private final ReceiveChain receives = new ReceiveChain(8, 1);

        Mover(Random random, AtomicReference<Shared> current) {
            this.random = random;
            this.current = current;
        }

        void step() {
            Shared shared = current.get();
            int dice = random.nextInt(1000);
            if (dice < 400) {
                shared.queue.poll(batch);
            } else if (dice < 600) {
                receives.clear();
                for (int i = 0; i < 8; i++) {
                    receives.receive(i).sge(shared.region, 256L * i, 256);
                }
                shared.receives.post(receives);
            } else if (dice < 900) {
                send(shared, dice % 2 == 0 ? shared.one : shared.other);
            } else if (dice < 930) {
                bind(shared);
            } else if (dice < 960) {
                try (MemoryRegion extra = shared.rig.memory(4096)) {
                    shared.one.postSend(sends.clear().send(1).sge(extra, 0, 64).signaled());
                }
            } else if (dice < 975) {
                try (QueuePair extra = shared.rig.pair(shared.options)) {
                    extra.query();
                }
            } else if (dice < 985) {
                shared.one.modify(QpAttributes.to(QpState.ERR));
            } else if (dice < 992) {
                Resource[] victims = {shared.one, shared.queue, shared.receives, shared.region, shared.rig.domain};
                victims[random.nextInt(victims.length)].close();
            } else {
                Shared fresh = new Shared();
                current.getAndSet(fresh).rig.close();
            }
        }

        /** Closes the window bound or not, and in time for its region or too late. */
        private void bind(Shared shared) {
            if (shared.hasWindows) {
                MemoryWindow window = shared.rig.domain.allocateMemoryWindow();
                try (MemoryRegion part = shared.rig.domain.allocate(4096, Access.LOCAL_WRITE, Access.MW_BIND)) {
                    sends.clear().bind(1, window, part, 64, 512, Access.REMOTE_READ, Access.REMOTE_WRITE);
                    if (random.nextBoolean()) {
                        sends.invalidate(2, window.nextRemoteKey()).signaled();
                    }
                    shared.one.postSend(sends);
                    if (random.nextBoolean()) {
                        window.close();
                    }
                }
            }
        }

        private void send(Shared shared, QueuePair pair) {
            sends.clear();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                switch (random.nextInt(4)) {
                    case 0 -> sends.send(i).sge(shared.region, 0, 128).sge(shared.region, 512, 64);
                    case 1 ->
                        sends.write(i, shared.region.address() + 8192, shared.region.remoteKey())
                                .sge(shared.region, 0, 512);
                    case 2 ->
                        sends.read(i, shared.region.address(), shared.region.remoteKey())
                                .sge(shared.region, 16384, 512);
                    default -> sends.sendImmediate(i, i);
                }
                if (random.nextBoolean()) {
                    sends.signaled();
                }
            }
            pair.postSend(sends);
        }
    }
}
