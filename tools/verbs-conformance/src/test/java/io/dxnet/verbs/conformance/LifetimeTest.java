package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.AddressHandle;
import io.dxnet.ibverbs.AddressVector;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.Resource;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WorkCompletion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing: in any order, twice, while others use it. */
@Timeout(240)
class LifetimeTest {
    private static List<Resource> all(Rig rig) {
        List<Resource> all = new ArrayList<>();
        CompletionChannel channel = rig.context.createCompletionChannel();
        CompletionQueue queue =
                rig.context.createCompletionQueue(CompletionQueue.options(16).channel(channel));
        SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(16, 1);
        QueuePair pair = rig.pair(QueuePair.options(QpType.RC, queue, queue).shared(shared));
        MemoryRegion region = rig.memory(4096);
        AddressHandle handle = rig.domain.createAddressHandle(AddressVector.of(rig.gid, rig.gid.gid()));
        Collections.addAll(all, pair, shared, queue, channel, region, handle, rig.domain, rig.context);
        return all;
    }

    @Test
    @DisplayName("27: closing children before parents works, each once and again")
    void shouldCloseInOrder() {
        Rig rig = Rig.open();
        for (Resource resource : all(rig)) {
            resource.close();
            assertThat(resource.isClosed()).isTrue();
            resource.close();
        }
    }

    @Test
    @DisplayName("27: closing a parent first closes its children first")
    void shouldCloseParentsFirst() {
        Rig rig = Rig.open();
        List<Resource> all = all(rig);
        Collections.reverse(all);
        for (Resource resource : all) {
            resource.close();
        }
        assertThat(all).allMatch(Resource::isClosed);
    }

    @Test
    @DisplayName("27: any order of closing works")
    void shouldCloseInAnyOrder() {
        Random random = new Random(27);
        for (int round = 0; round < 10; round++) {
            Rig rig = Rig.open();
            List<Resource> all = all(rig);
            Collections.shuffle(all, random);
            for (Resource resource : all) {
                resource.close();
            }
            assertThat(all).allMatch(Resource::isClosed);
        }
    }

    @Test
    @DisplayName("27: a completion queue closes what uses it")
    void shouldCloseQueuePairsOfQueue() {
        try (Rig rig = Rig.open()) {
            CompletionQueue queue = rig.queue(16);
            QueuePair pair = rig.pair(queue, queue);
            queue.close();
            assertThat(pair.isClosed()).isTrue();
        }
    }

    @Test
    @DisplayName("26: every use after closing throws, none crashes")
    void shouldRefuseUseAfterClose() {
        Rig rig = Rig.open();
        CompletionChannel channel = rig.context.createCompletionChannel();
        CompletionQueue queue =
                rig.context.createCompletionQueue(CompletionQueue.options(16).channel(channel));
        SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(16, 1);
        QueuePair pair = rig.pair(QueuePair.options(QpType.RC, queue, queue).shared(shared));
        QueuePair own = rig.pair(queue, queue);
        MemoryRegion region = rig.memory(4096);
        SendChain send = new SendChain(1, 1).send(1).sge(region, 0, 8);
        ReceiveChain receive = new ReceiveChain(1, 1).receive(1).sge(region, 0, 8);
        rig.close();
        WorkCompletion completion = new WorkCompletion(1);
        assertClosed(() -> queue.poll(completion));
        assertClosed(() -> queue.requestNotification(false));
        assertClosed(() -> queue.resize(32));
        assertClosed(queue::capacity);
        assertClosed(() -> channel.await(0));
        assertClosed(() -> shared.post(receive));
        assertClosed(() -> shared.armLimit(1));
        assertClosed(shared::attributes);
        assertClosed(() -> pair.postSend(send));
        assertClosed(() -> own.postReceive(receive));
        assertClosed(pair::query);
        assertClosed(() -> send.clear().send(1).sge(region, 0, 8));
        assertClosed(() -> rig.domain.allocate(64));
        assertClosed(() -> rig.domain.createSharedReceiveQueue(1, 1));
        assertClosed(() -> rig.pair(queue, queue));
        assertClosed(rig.context::attributes);
        assertClosed(() -> rig.context.port(1));
        assertClosed(() -> rig.context.gid(1, 0));
        assertClosed(rig.context::allocateProtectionDomain);
        assertClosed(rig.context::createCompletionChannel);
        assertClosed(() -> rig.queue(16));
        assertClosed(() -> rig.context.asyncEvents().await(0));
        rig.context.asyncEvents().wakeUp();
        channel.wakeUp();
    }

    private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    @Test
    @DisplayName("26: queues closed while other threads poll and post throw exceptions in those threads")
    void shouldCloseUnderUse() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            try (Rig rig = Rig.open()) {
                CompletionQueue queue = rig.queue(512);
                SharedReceiveQueue shared = rig.domain.createSharedReceiveQueue(256, 1);
                QueuePair one =
                        rig.pair(QueuePair.options(QpType.RC, queue, queue).shared(shared));
                QueuePair other =
                        rig.pair(QueuePair.options(QpType.RC, queue, queue).shared(shared));
                rig.connect(one, other);
                MemoryRegion region = rig.memory(4096);
                AtomicReference<Throwable> wrong = new AtomicReference<>();
                List<Thread> threads = new ArrayList<>();
                threads.add(looping(wrong, () -> {
                    WorkCompletion batch = new WorkCompletion(16);
                    return () -> queue.poll(batch);
                }));
                threads.add(looping(wrong, () -> {
                    SendChain chain =
                            new SendChain(1, 1).send(1).sge(region, 0, 64).signaled();
                    return () -> one.postSend(chain);
                }));
                threads.add(looping(wrong, () -> {
                    ReceiveChain chain = new ReceiveChain(1, 1).receive(1).sge(region, 64, 64);
                    return () -> shared.post(chain);
                }));
                threads.forEach(Thread::start);
                while (queue.poll(new WorkCompletion(1)) == 0
                        && threads.getFirst().isAlive()) {
                    Thread.onSpinWait();
                }
                Resource victim = switch (round % 4) {
                    case 0 -> one;
                    case 1 -> queue;
                    case 2 -> shared;
                    default -> rig.context;
                };
                victim.close();
                rig.context.close();
                for (Thread thread : threads) {
                    thread.join(Rig.patienceMs());
                    assertThat(thread.isAlive()).isFalse();
                }
                assertThat(wrong.get()).isNull();
            }
        }
    }

    private interface Step {
        void run();
    }

    private interface Setup {
        Step make();
    }

    /** Repeats until the closing shows as the exception it should be. */
    private static Thread looping(AtomicReference<Throwable> wrong, Setup setup) {
        return Thread.ofPlatform().unstarted(() -> {
            try {
                Step step = setup.make();
                while (true) {
                    step.run();
                }
            } catch (IllegalStateException expected) {
                // The object was closed.
            } catch (Throwable e) {
                wrong.set(e);
            }
        });
    }

    @Test
    @DisplayName("28: making and closing everything many times leaves no descriptor behind")
    void shouldNotLeak() throws IOException {
        int rounds = Integer.getInteger("dxnet.verbs.rounds", Rig.isRxe() || Rig.isOnWire() ? 100 : 1000);
        allOnce();
        long before = descriptors();
        for (int i = 0; i < rounds; i++) {
            allOnce();
        }
        // A tool that attaches to this JVM meanwhile opens a
        // few; a leak would be one for each round.
        assertThat(descriptors()).isLessThan(before + rounds / 2);
    }

    private static void allOnce() {
        try (Rig rig = Rig.open()) {
            all(rig);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    @Test
    @DisplayName("49: a polling thread that dies loses no completion: the next one gets them")
    void shouldHandOverPolling() throws InterruptedException {
        try (Rig rig = Rig.open()) {
            CompletionQueue sendQueue = rig.queue(256);
            CompletionQueue receiveQueue = rig.queue(256);
            QueuePair one = rig.pair(sendQueue, receiveQueue);
            QueuePair other = rig.pair(sendQueue, receiveQueue);
            rig.connect(one, other);
            MemoryRegion memory = rig.memory(4096);
            ReceiveChain receives = new ReceiveChain(40, 1);
            SendChain sends = new SendChain(40, 1);
            for (int i = 0; i < 40; i++) {
                receives.receive(i).sge(memory, 2048, 8);
                sends.sendImmediate(i, i).sge(memory, 0, 8).signaled();
            }
            other.postReceive(receives);
            one.postSend(sends);
            List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
            Thread dying = Thread.ofPlatform().unstarted(() -> {
                WorkCompletion batch = new WorkCompletion(4);
                while (true) {
                    if (receiveQueue.poll(batch) > 0) {
                        for (int i = 0; i < batch.count(); i++) {
                            seen.add(batch.at(i).immediate());
                        }
                        throw new IllegalStateException("dies here");
                    }
                }
            });
            dying.setUncaughtExceptionHandler((thread, e) -> assertThat(e).hasMessage("dies here"));
            dying.start();
            dying.join(Rig.patienceMs());
            assertThat(dying.isAlive()).isFalse();
            rig.await(receiveQueue, 40 - seen.size()).forEach(done -> seen.add(done.immediate()));
            for (int i = 0; i < 40; i++) {
                assertThat(seen.get(i)).isEqualTo(i);
            }
        }
    }

    @Test
    @DisplayName("48: starting child processes while data streams disturbs nothing")
    void shouldStreamWhileForking() throws IOException, InterruptedException {
        try (Rig rig = Rig.open()) {
            CompletionQueue queue = rig.queue(256);
            QueuePair one = rig.pair(queue, queue);
            QueuePair other = rig.pair(queue, queue);
            rig.connect(one, other);
            MemoryRegion memory = rig.memory(1 << 16);
            for (int round = 0; round < 5; round++) {
                Rig.fill(memory.memory(), 0, 4096, round);
                Process child = new ProcessBuilder("true").start();
                for (int i = 0; i < 8; i++) {
                    other.postReceive(new ReceiveChain(1, 1).receive(i).sge(memory, 8192 + 4096L * i, 4096));
                    one.postSend(
                            new SendChain(1, 1).send(i).sge(memory, 0, 4096).signaled());
                }
                assertThat(rig.await(queue, 16)).allMatch(Rig.Done::ok);
                for (int i = 0; i < 8; i++) {
                    Rig.check(memory.memory(), 8192 + 4096L * i, 4096, round);
                }
                assertThat(child.waitFor()).isZero();
            }
        }
    }
}
