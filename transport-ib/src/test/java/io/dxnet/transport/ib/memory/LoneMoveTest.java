package io.dxnet.transport.ib.memory;

import static io.dxnet.transport.ib.memory.MemoryPair.ALL;
import static io.dxnet.transport.ib.memory.MemoryPair.NONE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.Right;
import io.dxnet.transport.ib.MemoryDevices;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and writes that are posted before there is an operation for them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LoneMoveTest {
    private static final int SIZE = 1 << 18;
    private static final int STEPS = 3_000;
    private static final Duration LATE = Duration.ofNanos(50_000);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(SIZE, 8);
    private final AtomicInteger begun = new AtomicInteger();
    private MemoryPair pair;
    private ExposedMemory exposed;
    private MemoryAccess access;

    @BeforeEach
    void open() throws Exception {
        pair = new MemoryPair();
        exposed = pair.owner.expose(memory, NONE);
        access = pair.access(exposed, ALL);
    }

    @AfterEach
    void close() {
        MemoryDevices.clearFaults();
        pair.close();
        arena.close();
    }

    /** An operation is made when it begins, and counted. */
    private class Awaited implements MemoryAccess.Awaited {
        private TestOperation operation;

        @Override
        public MemoryOperation[] begin(Kind kind, long offset, MemorySegment local, long length) {
            begun.incrementAndGet();
            operation = kind == Kind.WRITE ? TestOperation.write(offset, local) : TestOperation.read(offset, local);
            return new MemoryOperation[] {operation};
        }

        @Override
        public MemoryAccess.Pending pending() {
            return operation::hasEnded;
        }
    }

    /** {@return the operation that was made; null: none was} */
    private TestOperation move(Kind kind, long offset, MemorySegment local) {
        Awaited awaited = (Awaited) access.move(kind, offset, local, local.byteSize(), Awaited::new);
        return awaited == null ? null : awaited.operation;
    }

    private void carryOut(Kind kind, long offset, MemorySegment local) {
        TestOperation operation = move(kind, offset, local);
        if (operation != null) {
            operation.get();
            assertThat(operation.completions()).isEqualTo(1);
        }
    }

    private MemorySegment random(long bytes, long seed) {
        MemorySegment segment = arena.allocate(bytes, 8);
        MemoryPair.fill(segment, seed);
        return segment;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 63, 64, 65, 256, 257, 4096, 4097, 65_536})
    void shouldMoveEachByteAndNoOther(int bytes) {
        begun.set(0);
        MemorySegment source = random(bytes, 1);
        MemorySegment target = arena.allocate(bytes, 8);
        carryOut(Kind.WRITE, 8, source);
        carryOut(Kind.READ, 8, target);
        assertThat(target.mismatch(source)).isEqualTo(-1);
        assertThat(memory.asSlice(8, bytes).mismatch(source)).isEqualTo(-1);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 7)).isZero();
        assertThat(memory.asSlice(8L + bytes).mismatch(arena.allocate(SIZE - 8L - bytes)))
                .isEqualTo(-1);
        if (MemoryDevices.isImmediate()) {
            assertThat(begun).hasValue(bytes > 0 && bytes <= BounceSlots.SMALL_BYTES ? 0 : 2);
        }
    }

    /** Each step reads or writes in a thread's own part, and compares what it reads with a copy. */
    private Void moveAtRandom(int thread, int threads) {
        Random random = new Random(thread);
        int part = SIZE / threads;
        MemorySegment copy = arena.allocate(part, 8);
        MemorySegment local = arena.allocate(5_000, 8);
        for (int step = 0; step < STEPS; step++) {
            int bytes = 1 + random.nextInt(step % 2 == 0 ? 100 : 5_000);
            int at = random.nextInt(part - bytes);
            MemorySegment used = local.asSlice(0, bytes);
            if (random.nextBoolean()) {
                used.fill((byte) random.nextInt());
                copy.asSlice(at, bytes).copyFrom(used);
                carryOut(Kind.WRITE, (long) thread * part + at, used);
            } else {
                carryOut(Kind.READ, (long) thread * part + at, used);
                assertThat(used.mismatch(copy.asSlice(at, bytes)))
                        .as("step %s of thread %s", step, thread)
                        .isEqualTo(-1);
            }
        }
        return null;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldMoveWhatIsLate(int threads) throws Exception {
        MemoryDevices.delayHalf();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                all.add(() -> moveAtRandom(thread, threads));
            }
            for (Future<Void> each : executor.invokeAll(all)) {
                each.get();
            }
        }
        assertThat(begun).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    void shouldReportARefusal(Kind kind) throws Exception {
        access = pair.access(exposed, EnumSet.of(kind == Kind.READ ? Right.WRITE : Right.READ));
        TestOperation refused = move(kind, 0, random(8, 1));
        assertThat(refused.cause()).isEqualTo(Cause.REFUSED);
        assertThat(refused.outcome()).isEqualTo(Outcome.NOT_DONE);
        assertThat(move(kind, 0, random(8, 1)).outcome()).isEqualTo(Outcome.NOT_DONE);
        assertThat(memory.mismatch(arena.allocate(SIZE))).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    void shouldReportClosedLocalMemory(Kind kind) {
        MemorySegment closed;
        try (Arena closing = Arena.ofShared()) {
            closed = closing.allocate(256, 8);
        }
        assertThat(move(kind, 0, closed).cause()).isEqualTo(Cause.LOCAL);
        shouldMoveEachByteAndNoOther(64);
    }

    /** What was read is copied after it was posted. */
    @Test
    void shouldReportLocalMemoryThatCannotBeWritten() {
        TestOperation read = move(Kind.READ, 0, random(64, 1).asReadOnly());
        assertThat(read.cause()).isEqualTo(Cause.LOCAL);
        assertThat(read.completions()).isEqualTo(1);
        shouldMoveEachByteAndNoOther(64);
    }

    @ParameterizedTest
    @CsvSource({"READ, 64", "READ, 4096", "WRITE, 64", "WRITE, 256", "WRITE, 4096"})
    void shouldReportAMappedFileThatIsShorter(Kind kind, int bytes, @TempDir Path folder) throws IOException {
        MemorySegment cut;
        try (FileChannel file = FileChannel.open(folder.resolve("cut"), CREATE, READ, WRITE)) {
            cut = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            file.truncate(0);
        }
        for (int i = 0; i < 100; i++) {
            TestOperation lone = move(kind, 0, cut);
            assertThat(lone.cause()).isEqualTo(Cause.LOCAL);
            assertThat(lone.completions()).isEqualTo(1);
            TestOperation posted = kind == Kind.WRITE ? TestOperation.write(0, cut) : TestOperation.read(0, cut);
            access.post(posted);
            assertThat(posted.cause()).isEqualTo(Cause.LOCAL);
        }
        shouldMoveEachByteAndNoOther(bytes);
    }

    @Test
    void shouldFailWhereTheAccessIsClosed() {
        access.close();
        TestOperation write = move(Kind.WRITE, 0, random(8, 1));
        assertThat(write.cause()).isEqualTo(Cause.CLOSED);
        assertThat(write.outcome()).isEqualTo(Outcome.NOT_DONE);
    }

    @Test
    void shouldPostNothingWithoutMemoryForAnOperation() {
        MemorySegment source = random(8, 1);
        assertThatThrownBy(() -> access.move(Kind.WRITE, 0, source, 8, () -> {
                    throw new OutOfMemoryError("of the test");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(memory.mismatch(arena.allocate(SIZE))).isEqualTo(-1);
        shouldMoveEachByteAndNoOther(64);
    }

    /** The request in flight must not be mistaken for a later one. */
    @Test
    void shouldEndTheAccessWhereAnErrorFollowsThePost() {
        MemoryDevices.delay(1, LATE);
        MemorySegment source = random(8, 1);
        assertThatThrownBy(() -> access.move(Kind.WRITE, 0, source, 8, () -> new Awaited() {
                    @Override
                    public MemoryOperation[] begin(Kind kind, long offset, MemorySegment local, long length) {
                        throw new StackOverflowError("of the test");
                    }
                }))
                .isInstanceOf(StackOverflowError.class);
        MemoryDevices.clearFaults();
        MemorySegment target = arena.allocate(8, 8);
        TestOperation read = move(Kind.READ, 64, target);
        assertThat(read.cause()).isEqualTo(Cause.LOST);
        assertThat(read.outcome()).isEqualTo(Outcome.NOT_DONE);
        assertThat(read.detail()).contains("an error interrupted");
    }
}
