package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetException;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gates of shared pages, grants, and files. */
@Timeout(60)
class ShmExposedTest {
    private static final Set<Right> ALL = Set.of(Right.READ, Right.WRITE, Right.ATOMIC);
    private static final int BYTES = 4096;

    @TempDir
    private Path parent;

    private final Arena arena = Arena.ofShared();
    private RingFolder folder;
    private ShmMemory memory;
    private MemorySegment segment;
    private ExposedMemory exposed;

    @BeforeEach
    void share() throws DXNetException {
        folder = RingFolder.open(parent);
        memory = new ShmMemory(folder);
        segment = memory.allocate(arena, BYTES);
        exposed = memory.expose(segment.asSlice(64, BYTES - 64), (from, offset, length, value) -> {});
    }

    @AfterEach
    void close() {
        exposed.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
        memory.close();
        assertThat(folder.path()).isEmptyDirectory();
    }

    private byte[] self() {
        return folder.process().encode();
    }

    private MappedPages attach(byte[] process) throws Exception {
        return folder.mapPages(PageGrant.decode(exposed.grant(1, ALL, process).reply()));
    }

    @Test
    void shouldMapTheRegionAlone() throws Exception {
        try (MappedPages pages = attach(self())) {
            assertThat(pages.region().byteSize()).isEqualTo(BYTES - 64);
            pages.region().set(ValueLayout.JAVA_LONG, 0, 7);
            assertThat(segment.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(7);
            assertThat(pages.isOwnerAlive()).isTrue();
        }
    }

    @Test
    void shouldNeverPassAGateAgainThatServesAnotherNode() throws Exception {
        ExposedMemory.Grant first = exposed.grant(1, ALL, self());
        try (MappedPages before = folder.mapPages(PageGrant.decode(first.reply()))) {
            assertThat(before.gate().enter()).isTrue();
            before.gate().exit();
            first.close();
            assertThat(before.gate().enter()).isFalse();
            try (MappedPages next = attach(self())) {
                assertThat(next.gate().enter()).isTrue();
                assertThat(before.gate().enter()).isFalse();
                before.gate().close();
                assertThat(next.gate().enter()).isTrue();
                next.gate().exit();
                next.gate().exit();
            }
        }
    }

    /** The owner has counted its process as ended; it has not. */
    @Test
    void shouldLeaveTheNextAttachmentsGateAloneWhenAThreadExitsLate() {
        MemorySegment word = arena.allocate(Long.BYTES, Long.BYTES);
        SharedGate before = SharedGate.open(word, 0);
        assertThat(before.enter()).isTrue();
        before.close();
        SharedGate next = SharedGate.open(word, 0);
        assertThat(next.enter()).isTrue();
        before.exit();
        next.close();
        assertThat(next.awaitEmpty(0)).isFalse();
        next.exit();
        assertThat(next.awaitEmpty(0)).isTrue();
    }

    @Test
    void shouldCountAProcessAsEndedOnlyOnEvidence(@TempDir Path proc) throws IOException {
        ProcessIdentity process = folder.process();
        assertThat(process.isAlive()).isTrue();
        assertThat(process.isAlive(proc)).as("there is no such process").isFalse();
        Path stat = proc.resolve(process.pid() + "/stat");
        Files.createDirectories(stat);
        assertThat(process.isAlive(proc)).as("its file can't be read").isTrue();
        Files.delete(stat);
        Files.writeString(stat, process.pid() + " (java) Z 1");
        assertThat(process.isAlive(proc)).as("it has ended").isFalse();
    }

    @Test
    void shouldNotWaitForAProcessThatWasKilledAmidACopy() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        byte[] identity =
                ProcessIdentity.of(folder.process().namespace(), process.pid()).encode();
        try (MappedPages pages = attach(identity)) {
            assertThat(pages.gate().enter()).isTrue();
            process.destroyForcibly().waitFor();
            exposed.close(); // would throw after 10 s
            assertThat(pages.gate().enter()).isFalse();
        }
    }

    /** Peers that are stopped amid a copy, as this thread's: the limit of 10 s is one for all. */
    @Test
    void shouldCloseAllGatesWhenSomeNodesStayInside() throws Exception {
        int stuckNodes = 8; // a limit for each would be more than the test's
        List<MappedPages> stuck = new ArrayList<>();
        for (int i = 0; i < stuckNodes; i++) {
            stuck.add(attach(self()));
            assertThat(stuck.get(i).gate().enter()).isTrue();
        }
        int others = PageLayout.GATES - stuckNodes;
        try (MappedPages other = attach(self())) {
            for (int i = 1; i < others; i++) {
                exposed.grant(2, ALL, self());
            }
            assertThatThrownBy(exposed::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("node 1");
            assertThat(other.gate().enter()).isFalse();
        }
        ExposedMemory again = memory.expose(segment.asSlice(64, 8), (from, offset, length, value) -> {});
        for (int i = 0; i < others; i++) {
            again.grant(2, ALL, self());
        }
        assertThatThrownBy(() -> again.grant(2, ALL, self())).isInstanceOf(DXNetException.class);
        again.close();
        for (MappedPages each : stuck) {
            each.gate().exit();
            each.close();
        }
        exposed.close();
    }

    @Test
    void shouldTellAProcessFromALaterOneOfItsId() {
        ProcessIdentity self = folder.process();
        assertThat(ProcessIdentity.decode(self.encode())).isEqualTo(self);
        assertThat(self.isAlive()).isTrue();
        assertThat(new ProcessIdentity(self.namespace(), self.pid(), self.startTicks() - 1).isAlive())
                .isFalse();
    }

    @Test
    void shouldGrantOnlyWhatCanBeChecked() {
        assertThatThrownBy(() -> exposed.grant(1, ALL, "1-1-1".getBytes())).isInstanceOf(DXNetException.class);
        assertThatThrownBy(() -> exposed.grant(1, ALL, new byte[] {1, 2, 3})).isInstanceOf(DXNetException.class);
        assertThat(memory.expose(arena.allocate(8), (from, offset, length, value) -> {}))
                .isNull();
    }

    @Test
    void shouldRefuseWhenAllGatesAreInUse() throws Exception {
        ExposedMemory.Grant first = exposed.grant(1, ALL, self());
        for (int i = 1; i < PageLayout.GATES; i++) {
            exposed.grant(1, ALL, self());
        }
        assertThatThrownBy(() -> exposed.grant(1, ALL, self()))
                .isInstanceOf(DXNetException.class)
                .hasMessageContaining("1023");
        first.close();
        exposed.grant(1, ALL, self());
    }

    @Test
    void shouldRefuseMalformedGrants() throws Exception {
        PageGrant good = PageGrant.decode(exposed.grant(1, ALL, self()).reply());
        byte[] encoded = good.encode();
        for (int i = 0; i < encoded.length; i++) {
            int length = i;
            assertThatThrownBy(() -> folder.mapPages(PageGrant.decode(Arrays.copyOf(encoded, length))))
                    .isInstanceOf(IOException.class);
        }
        for (PageGrant bad : new PageGrant[] {
            with(good, good.fileBytes() + 1, good.offset(), good.length(), 0, good.name()),
            with(good, good.fileBytes(), 0, good.length(), 0, good.name()),
            with(good, good.fileBytes(), good.offset(), good.length() + 1, 0, good.name()),
            with(good, good.fileBytes(), good.offset(), Long.MAX_VALUE, 0, good.name()),
            with(good, good.fileBytes(), good.offset(), -1, 0, good.name()),
            with(good, good.fileBytes(), good.offset(), good.length(), PageLayout.GATES, good.name()),
            with(good, good.fileBytes(), good.offset(), good.length(), -1, good.name()),
            with(good, good.fileBytes(), good.offset(), good.length(), 0, "../" + good.name()),
            with(good, good.fileBytes(), good.offset(), good.length(), 0, "")
        }) {
            assertThatThrownBy(() -> folder.mapPages(PageGrant.decode(bad.encode())))
                    .isInstanceOf(IOException.class);
        }
    }

    private static PageGrant with(PageGrant other, long fileBytes, long offset, long length, int gate, String name) {
        return new PageGrant(fileBytes, offset, length, other.startTicks(), gate, other.generation(), name);
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.list(folder.path())) {
            return all.count();
        }
    }

    @Test
    void shouldRemoveTheFileAfterItsMemoryIsFreed() throws Exception {
        try (Arena shorter = Arena.ofShared()) {
            memory.allocate(shorter, BYTES);
            assertThat(files()).isEqualTo(2);
        }
        SharedPages.removeFreed();
        assertThat(files()).isEqualTo(1);
    }

    @Test
    void shouldRemoveTheFileAfterTheCollectorHasFreedItsMemory() throws Exception {
        memory.allocate(Arena.ofAuto(), BYTES);
        long deadlineNs = System.nanoTime() + 30_000_000_000L;
        while (files() > 1) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            System.gc();
            SharedPages.removeFreed();
        }
    }

    @Test
    void shouldReportThatThereIsNoRoom() {
        assertThatThrownBy(() -> memory.allocate(arena, Long.MAX_VALUE / 2))
                .isInstanceOf(DXNetException.class)
                .hasMessageContaining("shm.directory");
    }
}
