package io.dxnet.transport.ib.memory;

import static io.dxnet.transport.ib.memory.TestOperation.fetchAdd;
import static io.dxnet.transport.ib.memory.TestOperation.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.MemoryAccess;
import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of operations while the thread that processes completions is in a callback. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BusyPollerTest {
    private static final IdleStrategy NEVER_PARKS =
            IdleStrategy.afterWork(DXNetConfig.builder().idleYieldUs(60_000_000).build());

    /** Longer than a test waits: a deadline must not end the wait. */
    private static final long MS = TimeUnit.MINUTES.toMillis(10);

    @Test
    void shouldCompleteWhatAnotherThreadWaitsFor() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch polls = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leaves = new CountDownLatch(1);
        AtomicReference<Thread> reporting = new AtomicReference<>();
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(MemoryPair.ACK_TIMEOUT, NEVER_PARKS)) {
            MemoryAccess access =
                    pair.access(pair.owner.expose(arena.allocate(64, 8), MemoryPair.NONE), MemoryPair.ALL);
            TestOperation first = fetchAdd(0, 1).then(polls::countDown);
            Thread poller = Thread.ofPlatform().start(() -> access.postAndPoll(over::get, first));
            try {
                polls.await();
                TestOperation blocking = fetchAdd(0, 1).then(() -> {
                    reporting.set(Thread.currentThread());
                    entered.countDown();
                    await(leaves);
                });
                access.post(blocking);
                entered.await();
                assertThat(reporting).hasValue(poller);
                for (int i = 0; i < 3; i++) {
                    TestOperation awaited = read(0, arena.allocate(8, 8), MS);
                    access.postAndPoll(awaited::hasEnded, awaited);
                    assertThat(awaited.isDone()).isTrue();
                }
                assertThat(leaves.getCount()).isEqualTo(1);
            } finally {
                over.set(true);
                leaves.countDown();
                poller.join();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
