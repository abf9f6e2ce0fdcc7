package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.Faults;
import io.dxnet.transport.memory.MemoryOperation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Accesses beyond the end of a file that was mapped: often, so that all compilers' code runs. */
@Timeout(60)
class FaultsTest {
    private static final int BYTES = 4096;
    private static final int ACCESSES = 100_000;

    @TempDir
    private Path folder;

    private static final class Operation extends MemoryOperation {
        private int done;
        private int unknown;

        Operation(Kind kind, MemorySegment local) {
            super(kind, 0, local, Long.BYTES, 1, 0, false, Long.MAX_VALUE);
        }

        @Override
        public void done(long previous) {
            done++;
        }

        @Override
        public void failed(Outcome outcome, Cause cause, String detail) {
            assertThat(outcome).isEqualTo(Outcome.UNKNOWN);
            assertThat(cause).isEqualTo(Cause.LOST);
            unknown++;
        }
    }

    private static void cut(Path path, long bytes) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.truncate(bytes);
        }
    }

    private RingFile ring(RingFolder rings, long bytes) throws IOException {
        RingOffer offer = rings.offer(BYTES);
        RingFile file = rings.create(offer);
        cut(rings.path(offer), bytes);
        rings.remove(offer);
        return file;
    }

    @Test
    void shouldThrowBeforeTheHandlersEnd() throws IOException {
        try (Arena arena = Arena.ofConfined();
                RingFile cut = ring(RingFolder.open(folder), 0)) {
            MemorySegment whole = arena.allocate(cut.memory().byteSize());
            int thrown = 0;
            for (int i = 0; i < ACCESSES; i++) {
                MemorySegment memory = i % 4 == 0 ? cut.memory() : whole;
                try {
                    memory.set(ValueLayout.JAVA_LONG, 0, i);
                    Faults.raise();
                } catch (InternalError e) {
                    thrown++;
                }
            }
            assertThat(thrown).isEqualTo(ACCESSES / 4);
        }
    }

    /** An interrupt closes a channel that is asked: the fault could not be explained any more. */
    @Test
    void shouldFindTheCutOnAThreadThatIsInterrupted() throws IOException {
        try (RingFile cut = ring(RingFolder.open(folder), 0)) {
            for (int i = 0; i < 2; i++) {
                Thread.currentThread().interrupt();
                assertThat(cut.isCutOff()).isTrue();
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    /** The words are there, the bytes are not: nothing of them is used. */
    @Test
    void shouldReadNoBytesThatAreNotThere() throws IOException {
        try (Arena arena = Arena.ofConfined();
                RingFile cut = ring(RingFolder.open(folder), RingLayout.RING_OFFSET)) {
            MemorySegment target = arena.allocate(BYTES);
            cut.memory().set(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET, BYTES);
            RingReader reader = new RingReader(cut.memory(), BYTES);
            int thrown = 0;
            for (int i = 0; i < ACCESSES / 4; i++) {
                try {
                    reader.read(target, 1 + i % BYTES);
                } catch (InternalError e) {
                    thrown++;
                }
            }
            assertThat(thrown).isEqualTo(ACCESSES / 4);
            assertThat(reader.available()).isEqualTo(BYTES);
        }
    }

    /** None is reported done that was not, and no error arrives where the application continues. */
    @Test
    void shouldFailEachOperationOnMemoryThatIsCutOff() throws Exception {
        RingFolder pages = RingFolder.open(folder);
        try (Arena arena = Arena.ofShared()) {
            ShmMemory memory = new ShmMemory(pages);
            MemorySegment segment = memory.allocate(arena, BYTES);
            try (ExposedMemory exposed = memory.expose(segment, (from, offset, length, value) -> {})) {
                ShmAccess access = new ShmAccess(pages, pages.process(), 1, closed -> {});
                byte[] reply = exposed.grant(1, Set.of(Right.READ, Right.WRITE, Right.ATOMIC), access.request())
                        .reply();
                access.open(reply);
                Path file = pages.path().resolve(PageGrant.decode(reply).name());
                Operation[] operations = Stream.of(
                                MemoryOperation.Kind.READ,
                                MemoryOperation.Kind.WRITE,
                                MemoryOperation.Kind.FETCH_ADD,
                                MemoryOperation.Kind.COMPARE_AND_SWAP)
                        .map(kind -> new Operation(kind, arena.allocate(Long.BYTES)))
                        .toArray(Operation[]::new);
                int each = ACCESSES / operations.length;
                post(access, operations, each);
                assertThat(operations).allMatch(operation -> operation.done == each);
                cut(file, PageLayout.MEMORY_OFFSET); // the gate stays
                post(access, operations, each);
                assertThat(operations).allMatch(operation -> operation.done == each && operation.unknown == each);
                cut(file, 0);
                post(access, operations, each);
                assertThat(operations).allMatch(operation -> operation.done == each && operation.unknown == 2 * each);
                access.close();
                assertThatThrownBy(() -> exposed.grant(2, Set.of(Right.READ), access.request()))
                        .isInstanceOf(DXNetException.class)
                        .hasMessageContaining("shorter");
            }
            memory.close();
        }
    }

    private static void post(ShmAccess access, Operation[] operations, int times) {
        for (int i = 0; i < times; i++) {
            access.post(operations[i % operations.length]);
            access.post(operations[(i + 1) % operations.length]);
            access.post(operations[(i + 2) % operations.length]);
            access.post(operations[(i + 3) % operations.length]);
        }
    }
}
