package io.dxnet.transport.ib.memory;

import static io.dxnet.transport.ib.memory.MemoryPair.ALL;
import static io.dxnet.transport.ib.memory.MemoryPair.NONE;
import static io.dxnet.transport.ib.memory.MemoryPair.OWNER;
import static io.dxnet.transport.ib.memory.TestOperation.compareAndSwap;
import static io.dxnet.transport.ib.memory.TestOperation.fetchAdd;
import static io.dxnet.transport.ib.memory.TestOperation.notification;
import static io.dxnet.transport.ib.memory.TestOperation.read;
import static io.dxnet.transport.ib.memory.TestOperation.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one-sided access does, and what the device refuses. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class VerbsMemoryTest {
    private static final int CANARY = 64;

    private final Arena arena = Arena.ofShared();
    private MemoryPair pair;

    @BeforeEach
    void open() throws Exception {
        pair = new MemoryPair();
    }

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    private MemorySegment random(long bytes, long seed) {
        MemorySegment segment = arena.allocate(bytes, 8);
        MemoryPair.fill(segment, seed);
        return segment;
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                1,
                7,
                8,
                63,
                64,
                65,
                1023,
                4095,
                4096,
                4097,
                65_535,
                65_537,
                1 << 20,
                (1 << 20) + 3,
                5_000_001,
                16 << 20
            })
    void shouldReadAndWriteEverySizeAndNothingAround(int size) throws Exception {
        MemorySegment memory = random(size + 2L * CANARY, 1);
        ExposedMemory exposed = pair.owner.expose(memory, NONE);
        try (MemoryAccess access = pair.access(exposed, ALL)) {
            byte[] model = bytes(memory);
            for (int kind = 0; kind < 3; kind++) {
                byte[] source = new byte[size];
                new Random(size + kind).nextBytes(source);
                MemorySegment local = local(kind, size);
                local.copyFrom(MemorySegment.ofArray(source));
                TestOperation write = write(CANARY, local);
                access.post(write);
                write.get();
                System.arraycopy(source, 0, model, CANARY, size);
                assertThat(bytes(memory)).isEqualTo(model);

                MemorySegment around = arena.allocate(size + 2L * CANARY).fill((byte) 0x5A);
                MemorySegment target = kind == 0 ? around.asSlice(CANARY, size) : local(kind, size);
                target.fill((byte) 0);
                TestOperation read = read(CANARY, target);
                access.post(read);
                read.get();
                assertThat(bytes(target)).isEqualTo(source);
                assertThat(bytes(around.asSlice(0, CANARY))).containsOnly(0x5A);
                assertThat(bytes(around.asSlice(size + CANARY))).containsOnly(0x5A);
                assertThat(write.completions() + read.completions()).isEqualTo(2);
            }
        }
    }

    /** Native, of the heap, and a slice at an odd address. */
    private MemorySegment local(int kind, int size) {
        return switch (kind) {
            case 0 -> arena.allocate(size);
            case 1 -> MemorySegment.ofArray(new byte[size + 5]).asSlice(5, size);
            default -> arena.allocate(size + 3L).asSlice(3, size);
        };
    }

    /** The copying thread may not use such memory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000})
    void shouldReadIntoMemoryOfOneThread(int size) throws Exception {
        MemorySegment memory = random(size, 2);
        try (MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL)) {
            for (int i = 0; i < 3; i++) {
                try (Arena confined = Arena.ofConfined()) {
                    MemorySegment target = confined.allocate(size);
                    TestOperation read = read(0, target);
                    access.post(read);
                    read.get();
                    assertThat(bytes(target)).isEqualTo(bytes(memory));
                    TestOperation write = write(0, target.fill((byte) i));
                    access.post(write);
                    write.get();
                    assertThat(bytes(memory)).containsOnly(i);
                }
            }
        }
    }

    @Test
    void shouldDoNothingForNoBytes() throws Exception {
        try (MemoryAccess access = pair.access(pair.owner.expose(random(64, 1), NONE), ALL)) {
            TestOperation read = read(64, MemorySegment.ofArray(new byte[0]));
            access.post(read);
            assertThat(read.get()).isZero();
        }
    }

    @Test
    void shouldReturnWhatAtomicsFound() throws Exception {
        MemorySegment memory = arena.allocate(64, 8);
        long first = 0x0123_4567_89AB_CDEFL;
        memory.set(ValueLayout.JAVA_LONG, 16, first);
        try (MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL)) {
            TestOperation add = fetchAdd(16, 5);
            TestOperation miss = compareAndSwap(16, first, 1);
            TestOperation hit = compareAndSwap(16, first + 5, -1);
            access.post(add, miss, hit);
            assertThat(add.get()).isEqualTo(first);
            assertThat(miss.get()).isEqualTo(first + 5);
            assertThat(hit.get()).isEqualTo(first + 5);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(-1);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isZero();
            assertThat(memory.get(ValueLayout.JAVA_LONG, 24)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Right.class)
    void shouldLetTheDeviceRefuseWhatTheNodeHasNoRightFor(Right missing) throws Exception {
        MemorySegment memory = random(4096, 3);
        ExposedMemory exposed = pair.owner.expose(memory, NONE);
        MemoryAccess untouched = pair.access(exposed, ALL);
        byte[] before = bytes(memory);
        try (MemoryAccess access = pair.access(exposed, EnumSet.complementOf(EnumSet.of(missing)))) {
            TestOperation refused = switch (missing) {
                case READ -> read(0, arena.allocate(64));
                case WRITE -> write(0, arena.allocate(64));
                case ATOMIC -> fetchAdd(0, 1);
            };
            TestOperation behind = missing == Right.READ ? write(8, arena.allocate(8)) : read(0, arena.allocate(8));
            access.post(refused, behind);
            assertThat(refused.cause()).isEqualTo(Cause.REFUSED);
            assertThat(refused.outcome()).isEqualTo(Outcome.NOT_DONE);
            assertThat(refused.detail()).contains("node 0");
            assertThat(behind.outcome()).isEqualTo(Outcome.NOT_DONE);
            TestOperation later = read(0, arena.allocate(8));
            access.post(later);
            assertThat(later.outcome()).isEqualTo(Outcome.NOT_DONE);
            assertThat(later.cause()).isEqualTo(Cause.REFUSED);
        }
        assertThat(bytes(memory)).isEqualTo(before);
        TestOperation other = fetchAdd(0, 0);
        untouched.post(other);
        assertThat(other.isDone()).as("the other access").isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {4090, 4096, 1 << 20, -8})
    void shouldLetTheDeviceRefuseWhatIsOutOfBounds(long offset) throws Exception {
        MemorySegment around = random(3 * 4096, 4);
        MemorySegment memory = around.asSlice(4096, 4096);
        byte[] before = bytes(around);
        ExposedMemory exposed = pair.owner.expose(memory, NONE);
        for (int i = 0; i < 2; i++) {
            try (MemoryAccess access = pair.access(exposed, ALL)) {
                MemorySegment local = arena.allocate(16).fill((byte) 1);
                TestOperation refused = i == 0 ? write(offset, local) : read(offset, local);
                access.post(refused);
                assertThat(refused.cause()).isEqualTo(Cause.REFUSED);
                assertThat(bytes(local)).containsOnly(1);
            }
        }
        assertThat(bytes(around)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 14, 15, 16, 17, 31, 32, 39})
    void shouldReportEachOperationOfAChainThatIsRefusedAmidIt(int refused) throws Exception {
        int count = 40;
        MemorySegment memory = arena.allocate(count * 8L, 8);
        try (MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL)) {
            TestOperation[] chain = new TestOperation[count];
            for (int i = 0; i < count; i++) {
                long offset = i == refused ? 1 << 20 : i * 8L;
                MemorySegment one = arena.allocate(8).fill((byte) 1);
                chain[i] = i % 3 == 0 ? write(offset, one) : i % 3 == 1 ? fetchAdd(offset, 1) : read(offset, one);
            }
            access.post(chain);
            assertThat(chain[refused].cause()).isEqualTo(Cause.REFUSED);
            for (int i = 0; i < count; i++) {
                assertThat(chain[i].outcome()).as("operation %d", i).isEqualTo(i < refused ? null : Outcome.NOT_DONE);
                assertThat(chain[i].completions()).as("operation %d", i).isEqualTo(1);
                assertThat(memory.getAtIndex(ValueLayout.JAVA_LONG, i) != 0)
                        .as("operation %d", i)
                        .isEqualTo(i < refused && i % 3 != 2);
            }
        }
    }

    @Test
    void shouldRefuseTheKeyOfAnotherSegment() throws Exception {
        ExposedMemory one = pair.owner.expose(random(4096, 5), NONE);
        MemorySegment secret = random(4096, 6);
        ExposedMemory two = pair.owner.expose(secret, NONE);
        MemoryAccess access = pair.other.prepare(OWNER);
        AccessReply right = AccessReply.decode(
                one.grant(MemoryPair.OTHER, ALL, access.request()).reply());
        MemoryAccess unused = pair.other.prepare(OWNER);
        AccessReply foreign = AccessReply.decode(
                two.grant(MemoryPair.OTHER, ALL, unused.request()).reply());
        access.open(new AccessReply(right.pair(), foreign.base(), foreign.length(), foreign.key()).encode());
        MemorySegment local = arena.allocate(64);
        TestOperation read = read(0, local);
        access.post(read);
        assertThat(read.cause()).isEqualTo(Cause.REFUSED);
        assertThat(bytes(local)).containsOnly(0);
    }

    private record Notified(int from, long offset, long length, int value) {}

    @Test
    void shouldNotifyInOrderAfterTheBytesAreThere() throws Exception {
        MemorySegment memory = arena.allocate(8192, 8);
        BlockingQueue<Notified> notified = new LinkedBlockingQueue<>();
        List<Integer> seen = new ArrayList<>(); // by the listener's thread, before it puts
        ExposedMemory exposed = pair.owner.expose(memory, (from, offset, length, value) -> {
            seen.add(memory.get(ValueLayout.JAVA_INT, offset));
            notified.add(new Notified(from, offset, length, value));
        });
        int count = 1000;
        try (MemoryAccess access = pair.access(exposed, ALL)) {
            for (int i = 0; i < count; i++) {
                MemorySegment local = arena.allocate(8);
                local.set(ValueLayout.JAVA_INT, 0, i + 1);
                int offset = i % 1024 * 8;
                access.post(write(offset, local), notification(offset, 8, -i, TestOperation.LONG_MS));
            }
            for (int i = 0; i < count; i++) {
                assertThat(notified.poll(60, TimeUnit.SECONDS))
                        .isEqualTo(new Notified(MemoryPair.OTHER, i % 1024 * 8L, 8, -i));
                assertThat(seen.get(i)).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void shouldEndTheAccessOfANodeThatNotifiesWithoutTheRight() throws Exception {
        BlockingQueue<Integer> notified = new LinkedBlockingQueue<>();
        ExposedMemory exposed = pair.owner.expose(random(64, 1), (from, offset, length, value) -> notified.add(value));
        try (MemoryAccess reader = pair.access(exposed, EnumSet.of(Right.READ));
                MemoryAccess liar = pair.access(exposed, ALL)) {
            reader.post(notification(0, 8, 1, 100));
            liar.post(notification(60, 8, 2, 100));
            MemoryAccess writer = pair.access(exposed, ALL);
            writer.post(notification(0, 8, 3, TestOperation.LONG_MS));
            assertThat(notified.poll(60, TimeUnit.SECONDS)).isEqualTo(3);
            assertThat(notified).isEmpty();
        }
    }

    /** The owner's thread stands still, and with it its receives. */
    @Test
    void shouldFailWhatFindsNoRoomUntilItsDeadline() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ExposedMemory exposed = pair.owner.expose(random(64, 1), (from, offset, length, value) -> {
            try {
                go.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (MemoryAccess access = pair.access(exposed, ALL)) {
            List<TestOperation> posted = new ArrayList<>();
            // Of receives, 64 and what the thread had polled, 1 to 16; then 128 of the queue.
            for (int i = 0; i < 64 + 16 + 128 + 8; i++) {
                TestOperation each = notification(0, 8, i, i < 190 ? TestOperation.LONG_MS : 50);
                access.post(each);
                posted.add(each);
            }
            TestOperation last = posted.getLast();
            assertThat(last.cause()).isEqualTo(Cause.TIMEOUT);
            assertThat(last.outcome()).isEqualTo(Outcome.NOT_DONE);
            TestOperation first = read(0, arena.allocate(8), 50);
            TestOperation second = read(0, arena.allocate(8));
            access.post(first, second);
            assertThat(first.outcome()).isEqualTo(Outcome.NOT_DONE);
            assertThat(second.outcome()).as("behind one that failed").isEqualTo(Outcome.NOT_DONE);
            go.countDown();
            for (int i = 0; i < 190; i++) {
                posted.get(i).get();
            }
            TestOperation after = read(0, arena.allocate(8));
            access.post(after);
            after.get();
            assertThat(posted).allMatch(each -> each.completions() == 1);
        } finally {
            go.countDown();
        }
    }

    /** Copied ones are abandoned, one on registered memory ends the access first. */
    @Test
    void shouldFailWhatIsNotCompleteAtItsDeadline() throws Exception {
        MemorySegment memory = random(1 << 20, 1);
        ExposedMemory exposed = pair.owner.expose(memory, NONE);
        MemoryAccess access = pair.other.prepare(OWNER);
        ExposedMemory.Grant grant = exposed.grant(MemoryPair.OTHER, ALL, access.request());
        access.open(grant.reply());
        grant.close();
        TestOperation small = read(0, arena.allocate(64), 50);
        access.post(small);
        assertThat(small.cause()).isEqualTo(Cause.TIMEOUT);
        assertThat(small.outcome()).isEqualTo(Outcome.UNKNOWN);
        TestOperation large = read(0, arena.allocate(1 << 20), 50);
        TestOperation beside = read(0, arena.allocate(64));
        access.post(large, beside);
        assertThat(large.cause()).isEqualTo(Cause.TIMEOUT);
        assertThat(large.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(beside.cause()).isEqualTo(Cause.LOST);
        TestOperation after = read(0, arena.allocate(8));
        access.post(after);
        assertThat(after.outcome()).isEqualTo(Outcome.NOT_DONE);
        access.close();
        assertThat(small.completions() + large.completions() + beside.completions())
                .isEqualTo(3);
    }

    @Test
    void shouldNotPostWhatIsLateAlready() throws Exception {
        MemorySegment memory = random(64, 1);
        byte[] before = bytes(memory);
        try (MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL)) {
            TestOperation late = write(0, arena.allocate(8), -1);
            TestOperation behind = write(8, arena.allocate(8));
            access.post(late, behind);
            assertThat(late.outcome()).isEqualTo(Outcome.NOT_DONE);
            assertThat(behind.outcome()).isEqualTo(Outcome.NOT_DONE);
            assertThat(bytes(memory)).isEqualTo(before);
        }
    }

    @Test
    void shouldCarryOutABatchInOrder() throws Exception {
        MemorySegment memory = arena.allocate(1 << 20, 8);
        try (MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL)) {
            for (int round = 0; round < 50; round++) {
                MemorySegment value = arena.allocate(8, 8);
                value.set(ValueLayout.JAVA_LONG, 0, 1000 + round);
                MemorySegment large = random(200_000, round);
                MemorySegment back = arena.allocate(200_000);
                MemorySegment small = MemorySegment.ofArray(new byte[8]);
                TestOperation add = fetchAdd(0, 7).fenced();
                TestOperation check = compareAndSwap(0, 1007 + round, round).fenced();
                access.post(
                        write(0, value),
                        add,
                        write(8, large),
                        check,
                        read(8, back).fenced(),
                        read(0, small));
                TestOperation end = read(0, arena.allocate(8));
                access.post(end);
                end.get();
                assertThat(add.get()).isEqualTo(1000 + round);
                assertThat(check.get()).isEqualTo(1007 + round);
                assertThat(bytes(back)).isEqualTo(bytes(large));
                assertThat(small.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(round);
            }
        }
    }

    /** More than the queue holds, from a callback too, where no other thread could make room. */
    @Test
    void shouldPostMoreThanTheQueueHolds() throws Exception {
        MemorySegment memory = arena.allocate(8, 8);
        try (MemoryAccess access = pair.access(pair.owner.expose(memory, NONE), ALL)) {
            TestOperation[] batch = new TestOperation[1000];
            for (int i = 0; i < batch.length; i++) {
                batch[i] = fetchAdd(0, 1);
            }
            access.post(batch);
            for (int i = 0; i < batch.length; i++) {
                assertThat(batch[i].get()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldRefuseMalformedBytes() throws Exception {
        ExposedMemory exposed = pair.owner.expose(random(64, 1), NONE);
        assertThatThrownBy(() -> exposed.grant(1, ALL, new byte[7])).isInstanceOf(DXNetException.class);
        MemoryAccess access = pair.other.prepare(OWNER);
        assertThatThrownBy(() -> access.open(new byte[AccessReply.BYTES])).isInstanceOf(DXNetException.class);
        access.close();
        TestOperation late = read(0, arena.allocate(8));
        access.post(late);
        assertThat(late.cause()).isEqualTo(Cause.CLOSED);
    }
}
