package io.dxnet.transport.ib.memory;

import static io.dxnet.transport.ib.memory.MemoryPair.ALL;
import static io.dxnet.transport.ib.memory.MemoryPair.NONE;
import static io.dxnet.transport.ib.memory.TestOperation.compareAndSwap;
import static io.dxnet.transport.ib.memory.TestOperation.fetchAdd;
import static io.dxnet.transport.ib.memory.TestOperation.read;
import static io.dxnet.transport.ib.memory.TestOperation.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.ib.MemoryDevices;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An operation whose local memory is closed fails alone: what is before it is carried out once, and
 * the access continues.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ClosedMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int HALF = 3 * MIB;
    private static final int SIZE = 2 * HALF;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(SIZE, 8);
    private MemoryPair pair;
    private MemoryAccess access;

    @BeforeEach
    void open() throws Exception {
        pair = new MemoryPair();
        access = pair.access(pair.owner.expose(memory, NONE), ALL);
    }

    @AfterEach
    void close() {
        MemoryDevices.clearFaults();
        pair.close();
        arena.close();
    }

    private static TestOperation move(Kind kind, long offset, MemorySegment local) {
        return kind == Kind.WRITE ? write(offset, local) : read(offset, local);
    }

    /** A segment of an arena that is closed, and that an operation has used before or not. */
    private MemorySegment closed(Kind kind, int bytes, boolean isUsed) {
        try (Arena closing = Arena.ofShared()) {
            MemorySegment segment = closing.allocate(bytes).fill((byte) 1);
            if (isUsed) {
                TestOperation first = move(kind, 16, segment);
                access.post(first);
                first.get();
            }
            return segment;
        }
    }

    static Stream<Arguments> sizes() {
        List<Arguments> all = new ArrayList<>();
        for (int bytes : new int[] {8, 64, 65, 4096, 4097, 64 << 10, 2 * MIB}) {
            for (boolean isUsed : new boolean[] {false, true}) {
                all.add(Arguments.of(Kind.WRITE, bytes, isUsed));
                all.add(Arguments.of(Kind.READ, bytes, isUsed));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldFailWhatHasClosedMemoryAlone(Kind kind, int bytes, boolean isUsed) {
        boolean isPosted = kind == Kind.READ && bytes <= BounceSlots.SMALL_BYTES; // copied when it is back
        int rounds = bytes > MIB ? 20 : 200; // more than there are slots
        for (int i = 0; i < rounds; i++) {
            checkBatch(i, move(kind, HALF, closed(kind, bytes, isUsed)), isPosted);
        }
        assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(4 * rounds);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(isPosted ? rounds : 0);
        MemorySegment untouched = memory.asSlice(HALF);
        assertThat(untouched.mismatch(arena.allocate(HALF))).isEqualTo(-1);
        checkMixed(bytes);
    }

    /** The thread that copies may not use it: it is registered, whatever its size. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4096, 64 << 10})
    void shouldFailAReadIntoClosedMemoryOfOneThreadAlone(int bytes) {
        MemorySegment segment;
        try (Arena closing = Arena.ofConfined()) {
            segment = closing.allocate(bytes);
        }
        for (int i = 0; i < 200; i++) {
            checkBatch(i, read(HALF, segment), false);
        }
        checkMixed(bytes);
    }

    /** The next ones are posted while what is before the failed one may be in flight. */
    private void checkBatch(int round, TestOperation failed, boolean isPosted) {
        TestOperation add = fetchAdd(0, 1);
        TestOperation behind = fetchAdd(8, 1);
        TestOperation[] next = {fetchAdd(0, 1), fetchAdd(0, 1), fetchAdd(0, 1)};
        MemoryDevices.delayHalf();
        access.post(add, failed, behind);
        access.post(next);
        assertThat(add.get()).isEqualTo(4 * round);
        for (int i = 0; i < next.length; i++) {
            assertThat(next[i].get()).isEqualTo(4 * round + 1 + i);
        }
        assertThat(failed.cause()).isEqualTo(Cause.LOCAL);
        assertThat(failed.outcome()).isEqualTo(isPosted ? Outcome.UNKNOWN : Outcome.NOT_DONE);
        assertThat(behind.outcome()).isEqualTo(isPosted ? null : Outcome.NOT_DONE);
        assertThat(List.of(add, failed, behind)).allMatch(each -> each.completions() == 1);
        assertThat(next).allMatch(each -> each.completions() == 1);
        MemoryDevices.clearFaults();
    }

    /** What later operations return, and the memory, is compared with a model. */
    private void checkMixed(long seed) {
        Random random = new Random(seed);
        MemorySegment model = arena.allocate(SIZE, 8).copyFrom(memory);
        for (int step = 0; step < 200; step++) {
            int bytes = 1 + random.nextInt(random.nextBoolean() ? 100_000 : 5000);
            int offset = random.nextInt(SIZE - bytes + 1);
            long number = random.nextInt(SIZE / 8) * 8L;
            long was = model.get(ValueLayout.JAVA_LONG, number);
            MemorySegment local = arena.allocate(bytes);
            MemoryPair.fill(local, step);
            TestOperation add = fetchAdd(number, step);
            TestOperation swap = compareAndSwap(number, was + step, was - step);
            TestOperation write = write(offset, local);
            TestOperation read = read(offset, arena.allocate(bytes)).fenced();
            access.post(add, swap, write, read);
            read.get();
            assertThat(add.get()).as("step %s", step).isEqualTo(was);
            assertThat(swap.get()).as("step %s", step).isEqualTo(was + step);
            assertThat(read.local().mismatch(local)).as("step %s", step).isEqualTo(-1);
            assertThat(List.of(add, swap, write, read)).allMatch(each -> each.completions() == 1);
            model.set(ValueLayout.JAVA_LONG, number, was - step);
            model.asSlice(offset, bytes).copyFrom(local);
        }
        assertThat(memory.mismatch(model)).isEqualTo(-1);
    }
}
