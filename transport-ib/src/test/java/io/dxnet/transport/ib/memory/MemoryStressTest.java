package io.dxnet.transport.ib.memory;

import static io.dxnet.transport.ib.memory.MemoryPair.ALL;
import static io.dxnet.transport.ib.memory.MemoryPair.NONE;
import static io.dxnet.transport.ib.memory.MemoryPair.OTHER;
import static io.dxnet.transport.ib.memory.MemoryPair.OWNER;
import static io.dxnet.transport.ib.memory.TestOperation.compareAndSwap;
import static io.dxnet.transport.ib.memory.TestOperation.fetchAdd;
import static io.dxnet.transport.ib.memory.TestOperation.read;
import static io.dxnet.transport.ib.memory.TestOperation.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.Cluster;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.softhca.SoftHca;
import io.dxnet.transport.ib.MemoryDevices;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads, ends under way, random operations beside a model. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MemoryStressTest {
    /** A request without answer fails after half a second. */
    private static final int SHORT_TIMEOUT = 14;

    private static final byte WRITTEN = 1;
    private static final byte CANARY = 2;

    private final Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();

    private interface Body {
        void run() throws Exception;
    }

    @AfterEach
    void clearFaults() {
        MemoryDevices.clearFaults();
    }

    private Thread start(Body body) {
        return Thread.ofPlatform().start(() -> {
            try {
                body.run();
            } catch (Exception | AssertionError e) {
                wrong.add(e);
            }
        });
    }

    private void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldAddUpWhatManyThreadsAdd() throws Exception {
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair()) {
            MemorySegment memory = arena.allocate(64, 8);
            ExposedMemory exposed = pair.owner.expose(memory, NONE);
            List<Thread> threads = new ArrayList<>();
            MemoryAccess shared = pair.access(exposed, ALL);
            for (int t = 0; t < 8; t++) {
                MemoryAccess access = t % 2 == 0 ? shared : pair.access(exposed, ALL);
                threads.add(start(() -> {
                    for (int i = 0; i < 300; i++) {
                        TestOperation add = fetchAdd(8, 3);
                        access.post(add);
                        add.get();
                        long seen = 0;
                        TestOperation swap;
                        do {
                            swap = compareAndSwap(16, seen, seen + 1);
                            access.post(swap);
                            boolean isSwapped = swap.get() == seen;
                            seen = swap.get();
                            if (isSwapped) {
                                break;
                            }
                        } while (true);
                    }
                }));
            }
            join(threads);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(8 * 300 * 3);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(8 * 300);
        }
    }

    private static IdleStrategy strategy(boolean parksAtOnce) {
        return parksAtOnce
                ? IdleStrategy.PARK_AT_ONCE
                : IdleStrategy.afterWork(DXNetConfig.builder().build());
    }

    /**
     * Threads that process completions for their own operations, beside others that post only: a
     * hand-over that is lost would hold an operation up for a second.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCompleteAllWhileThreadsPollForThemselves(boolean parksAtOnce) throws Exception {
        int rounds = 2000;
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(MemoryPair.ACK_TIMEOUT, strategy(parksAtOnce))) {
            MemoryDevices.delayHalf();
            MemorySegment memory = arena.allocate(64, 8);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                boolean polls = t < 2;
                MemorySegment local = arena.allocate(8, 8);
                threads.add(start(() -> {
                    for (int i = 0; i < rounds; i++) {
                        TestOperation read = read(0, local);
                        TestOperation add = fetchAdd(8, 1);
                        if (polls) {
                            access.postAndPoll(add::hasEnded, read, add);
                        } else {
                            access.post(read, add);
                        }
                        assertThat(read.isDone()).isTrue();
                        add.get();
                    }
                }));
            }
            join(threads);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(4 * rounds);
        }
    }

    /**
     * Threads with several operations under way, which process completions until the oldest is
     * complete, and once in a while no more: alone, or beside others that post only. A hand-over
     * that is lost would hold an operation up for a second.
     */
    @ParameterizedTest
    @CsvSource({"true, 1, 0", "false, 1, 0", "true, 2, 2", "false, 2, 2"})
    void shouldCompleteWhatIsInFlightBetweenTwoWaits(boolean parksAtOnce, int polling, int others) throws Exception {
        int rounds = 4000;
        int window = 4;
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(MemoryPair.ACK_TIMEOUT, strategy(parksAtOnce))) {
            MemoryDevices.delayHalf();
            MemorySegment memory = arena.allocate(64, 8);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < polling; t++) {
                threads.add(start(() -> {
                    ArrayDeque<TestOperation> underWay = new ArrayDeque<>();
                    for (int i = 0; i < rounds; i++) {
                        TestOperation add = fetchAdd(8, 1).notAwaited();
                        access.post(add);
                        underWay.add(add);
                        if (underWay.size() == window) {
                            TestOperation oldest = underWay.remove();
                            access.poll(oldest::hasEnded);
                            oldest.get();
                        }
                        while (i % 20 == 0 && !underWay.isEmpty()) {
                            underWay.remove().get(); // without processing
                        }
                    }
                    underWay.forEach(TestOperation::get);
                }));
            }
            for (int t = 0; t < others; t++) {
                threads.add(start(() -> {
                    for (int i = 0; i < rounds; i++) {
                        TestOperation add = fetchAdd(8, 1);
                        access.post(add);
                        add.get();
                    }
                }));
            }
            join(threads);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo((long) (polling + others) * rounds);
        }
    }

    /**
     * A thread does not come back for what it left in flight: the memory thread, which parks for
     * up to a second, processes it in each round, or the test lasts too long.
     */
    @Test
    void shouldCompleteWhatAThreadDoesNotComeBackFor() throws Exception {
        int rounds = 3000;
        DXNetConfig spins = DXNetConfig.builder().idleSpinUs(5000).build();
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(MemoryPair.ACK_TIMEOUT, IdleStrategy.afterWork(spins))) {
            MemoryDevices.delay(1, Duration.ofNanos(PollingDuty.ABSENCE_NS / 2));
            MemorySegment memory = arena.allocate(64, 8);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            for (int i = 0; i < rounds; i++) {
                TestOperation left = fetchAdd(8, 1).notAwaited();
                access.post(left);
                AtomicInteger polls = new AtomicInteger();
                access.poll(() -> polls.incrementAndGet() > 3);
                left.get();
            }
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(rounds);
        }
    }

    /**
     * A thread leaves completions to the memory thread, which is parked without a timeout of less
     * than a second: a signal that is lost in each round makes the test last too long.
     */
    @Test
    void shouldWakeTheMemoryThreadForWhatNoThreadPollsFor() throws Exception {
        int rounds = 3000;
        int batches = 200;
        int batch = 200; // more than the queue holds
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(MemoryPair.ACK_TIMEOUT, IdleStrategy.PARK_AT_ONCE)) {
            MemoryDevices.delayHalf();
            MemorySegment memory = arena.allocate(64, 8);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            for (int i = 0; i < rounds; i++) {
                TestOperation left = fetchAdd(8, 1);
                boolean isDone = i % 2 == 0; // else it has to park
                access.postAndPoll(() -> isDone, left);
                left.get();
                TestOperation posted = fetchAdd(8, 1);
                access.post(posted);
                posted.get();
            }
            for (int i = 0; i < batches; i++) {
                TestOperation[] more = new TestOperation[batch];
                Arrays.setAll(more, each -> fetchAdd(8, 1));
                access.post(more);
                more[batch - 1].get();
            }
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(2L * rounds + batches * batch);
        }
    }

    /** Of all grants, or of those of one node while another's writes continue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLetNothingLandAfterARevocation(boolean ofAll) throws Exception {
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(SHORT_TIMEOUT)) {
            MemorySegment memory = arena.allocate(1 << 20);
            ExposedMemory exposed = pair.owner.expose(memory, NONE);
            List<ExposedMemory.Grant> grants = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            CountDownLatch written = new CountDownLatch(40);
            for (int t = 0; t < 4; t++) {
                MemoryAccess access = pair.other.prepare(OWNER);
                ExposedMemory.Grant grant = exposed.grant(OTHER, ALL, access.request());
                grants.add(grant);
                access.open(grant.reply());
                MemorySegment source = arena.allocate(1 << 20).fill(WRITTEN);
                int bytes = t % 2 == 0 ? 1 << 20 : 1000;
                threads.add(start(() -> {
                    TestOperation write;
                    do {
                        write = write(0, source.asSlice(0, bytes));
                        access.post(write, write(1 << 19, source.asSlice(0, 64)));
                        written.countDown();
                    } while (write.isDone());
                    assertThat(write.cause()).isIn(Cause.LOST, Cause.REFUSED);
                    access.close();
                }));
            }
            MemorySegment other = arena.allocate(4096, 8);
            MemoryAccess unaffected = pair.access(pair.owner.expose(other, NONE), ALL);
            assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
            if (ofAll) {
                exposed.close();
            } else {
                grants.forEach(ExposedMemory.Grant::close);
            }
            memory.fill(CANARY);
            join(threads);
            assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(CANARY);
            TestOperation add = fetchAdd(0, 1);
            unaffected.post(add);
            add.get();
            exposed.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCompleteAllOnceWhenItIsClosedUnderWay(boolean closesAll) throws Exception {
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair()) {
            MemorySegment memory = arena.allocate(1 << 20, 8);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            Queue<TestOperation> posted = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            CountDownLatch running = new CountDownLatch(200);
            AtomicBoolean ended = new AtomicBoolean();
            for (int t = 0; t < 4; t++) {
                Random random = new Random(t);
                MemorySegment local = arena.allocate(1 << 20);
                threads.add(start(() -> {
                    while (!ended.get()) {
                        int bytes = 1 + random.nextInt(random.nextBoolean() ? 1 << 20 : 4096);
                        TestOperation[] batch = {
                            read(0, local.asSlice(0, bytes)), fetchAdd(0, 1), write(8, local.asSlice(0, 100))
                        };
                        posted.addAll(List.of(batch));
                        access.post(batch);
                        running.countDown();
                    }
                }));
            }
            assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
            if (closesAll) {
                pair.other.close();
            } else {
                access.close();
            }
            ended.set(true);
            join(threads);
            for (TestOperation each : posted) {
                assertThat(each.completions()).isEqualTo(1);
                if (!each.isDone()) {
                    assertThat(each.cause()).isEqualTo(Cause.CLOSED);
                }
            }
            assertThat(posted).anyMatch(TestOperation::isDone);
        }
    }

    /** The thread that completes operations posts more of them than the queue holds, and closes. */
    @Test
    void shouldLetACallbackPostAndClose() throws Exception {
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair()) {
            MemorySegment memory = arena.allocate(64, 8);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            TestOperation[] batch = new TestOperation[500];
            for (int i = 0; i < batch.length; i++) {
                batch[i] = fetchAdd(0, 1);
            }
            AtomicInteger left = new AtomicInteger(batch.length);
            CountDownLatch closed = new CountDownLatch(1);
            for (TestOperation each : batch) {
                each.then(() -> {
                    if (left.decrementAndGet() == 0) {
                        access.close();
                        closed.countDown();
                    }
                });
            }
            access.post(fetchAdd(8, 1).then(() -> access.post(batch)));
            assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(batch.length);
        }
    }

    /** What an operation returns, and all of the memory, is compared with a model at each step. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldDoWhatAModelDoes(long seed) throws Exception {
        Random random = new Random(seed);
        int size = 400_000;
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair()) {
            MemorySegment memory = arena.allocate(size, 8);
            MemorySegment model = MemorySegment.ofArray(new long[size / 8]);
            MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL);
            for (int step = 0; step < 400; step++) {
                int bytes = 1 + random.nextInt(random.nextInt(4) == 0 ? 100_000 : 5000);
                int offset = random.nextInt(size - bytes + 1);
                long number = random.nextInt(size / 8) * 8L;
                byte[] content = new byte[bytes];
                random.nextBytes(content);
                MemorySegment local = random.nextBoolean()
                        ? MemorySegment.ofArray(content)
                        : arena.allocate(bytes).copyFrom(MemorySegment.ofArray(content));
                switch (random.nextInt(4)) {
                    case 0 -> {
                        TestOperation read = read(offset, local);
                        access.post(read);
                        read.get();
                        assertThat(local.mismatch(model.asSlice(offset, bytes))).isEqualTo(-1);
                    }
                    case 1 -> {
                        TestOperation write = write(offset, local);
                        access.post(write);
                        write.get();
                        model.asSlice(offset, bytes).copyFrom(local);
                    }
                    case 2 -> {
                        TestOperation add = fetchAdd(number, step);
                        access.post(add);
                        long was = model.get(ValueLayout.JAVA_LONG, number);
                        assertThat(add.get()).isEqualTo(was);
                        model.set(ValueLayout.JAVA_LONG, number, was + step);
                    }
                    default -> {
                        long was = model.get(ValueLayout.JAVA_LONG, number);
                        boolean hits = random.nextBoolean();
                        TestOperation swap = compareAndSwap(number, hits ? was : was + 1, step);
                        access.post(swap);
                        assertThat(swap.get()).isEqualTo(was);
                        model.set(ValueLayout.JAVA_LONG, number, hits ? step : was);
                    }
                }
                assertThat(memory.mismatch(model)).as("step %s", step).isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldFreeWhatItMade() throws Exception {
        Assumptions.assumeTrue(System.getProperty("dxnet.ib.hosts") == null
                && System.getProperty("dxnet.ib.device", "soft0").startsWith("soft"));
        SoftHca.Census before = SoftHca.census();
        int threads = memoryThreads();
        try (Arena arena = Arena.ofShared();
                MemoryPair pair = new MemoryPair(SHORT_TIMEOUT)) {
            SoftHca.Census opened = SoftHca.census();
            assertThat(opened.protectionDomains() - before.protectionDomains())
                    .as("made at the first use, but for the two of messages")
                    .isEqualTo(2);
            MemorySegment memory = arena.allocate(1 << 20, 8);
            MemorySegment local = arena.allocate(1 << 20, 8);
            SoftHca.Census used = null;
            for (int i = 0; i < 20; i++) {
                ExposedMemory exposed = pair.owner.expose(memory, NONE);
                MemoryAccess access = pair.access(exposed, ALL);
                TestOperation read = read(0, local);
                TestOperation bad = read(1 << 20, local.asSlice(0, 8));
                access.post(read, fetchAdd(0, 1), write(0, MemorySegment.ofArray(new byte[100_000])));
                read.get();
                if (i % 2 == 0) {
                    access.post(bad);
                    assertThat(bad.outcome()).isEqualTo(Outcome.NOT_DONE);
                }
                access.close();
                exposed.close();
                SoftHca.Census now = SoftHca.census();
                used = used == null ? now : used;
                assertThat(now).as("round %s", i).isEqualTo(used);
            }
            assertThat(used.queuePairs()).isEqualTo(opened.queuePairs());
            assertThat(used.completionQueues()).isEqualTo(opened.completionQueues());
        }
        assertThat(SoftHca.census()).isEqualTo(before);
        Cluster.await("the threads end", () -> memoryThreads() == threads);
    }

    private static int memoryThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-memory"))
                .count();
    }
}
