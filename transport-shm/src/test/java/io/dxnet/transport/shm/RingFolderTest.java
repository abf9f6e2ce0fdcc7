package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are the user's alone, and that do not stay. */
class RingFolderTest {
    private static final int CAPACITY = 8192;

    @TempDir
    private Path parent;

    private RingFolder folder;

    @BeforeEach
    void open() {
        folder = RingFolder.open(parent);
    }

    @Test
    void shouldMakeFolderAndFilesForTheUserAlone() throws IOException {
        RingOffer offer = folder.offer(CAPACITY);
        try (RingFile _ = folder.create(offer)) {
            assertThat(mode(folder.path())).isEqualTo("rwx------");
            assertThat(mode(folder.path(offer))).isEqualTo("rw-------");
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldShareMemoryWhenTheNameIsGone() throws IOException {
        RingOffer offer = folder.offer(CAPACITY);
        try (RingFile ours = folder.create(offer);
                RingFile theirs = RingFolder.open(parent).map(RingOffer.decode(offer.encode()))) {
            folder.remove(offer);
            assertThat(folder.path()).isEmptyDirectory();
            ours.memory().set(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET, 42);
            assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET))
                    .isEqualTo(42);
            assertThat(theirs.capacity()).isEqualTo(CAPACITY);
        }
    }

    @Test
    void shouldRemoveFilesOfPagesAtTheEndOfTheProcess() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = folder.createPages(arena, CAPACITY);
            assertThat(folder.path()).isNotEmptyDirectory();
            SharedPages.removeAll();
            assertThat(folder.path()).isEmptyDirectory();
            memory.fill((byte) 1);
        }
    }

    @Test
    void shouldRefuseAFolderThatOthersCanRead() throws IOException {
        Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxr-x---"));
        assertThatThrownBy(() -> RingFolder.open(parent))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(folder.path().toString(), "not a folder of this user alone");
    }

    @Test
    void shouldRefuseALinkInPlaceOfTheFolder(@TempDir Path elsewhere) throws IOException {
        Path link = Files.createSymbolicLink(elsewhere.resolve(folder.path().getFileName()), folder.path());
        assertThatThrownBy(() -> RingFolder.open(elsewhere)).isInstanceOf(ConfigurationException.class);
        Files.delete(link);
    }

    @Test
    void shouldNameTheFolderWhenItIsMissing() {
        assertThatThrownBy(() -> RingFolder.open(parent.resolve("none")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(parent.resolve("none") + ": it does not exist", "shm.directory");
    }

    @Test
    void shouldRemoveFilesOfProcessesThatAreGoneAlone() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        RingOffer own = folder.offer(CAPACITY);
        String namespace = own.name().substring(0, own.name().indexOf('-'));
        String random = own.name().substring(own.name().lastIndexOf('-'));
        Path stale = Files.createFile(folder.path().resolve(namespace + "-" + gone.pid() + random));
        Path elsewhere = Files.createFile(folder.path().resolve("1" + namespace + "-" + gone.pid() + random));
        Path foreign = Files.createFile(folder.path().resolve("notes"));
        folder.create(own).close();
        RingFolder.open(parent);
        assertThat(stale).doesNotExist();
        assertThat(elsewhere).as("its process can't be seen from here").exists();
        assertThat(foreign).exists();
        assertThat(folder.path(own)).exists();
    }

    @Test
    void shouldExplainWhatIsMissingWhenTheFileIsNotHere() {
        assertThatThrownBy(() -> folder.map(folder.offer(CAPACITY)))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("one host", "containers", parent.toString(), "transport=nio");
    }

    @Test
    void shouldRefuseAFileOfAnotherSize() throws IOException {
        RingOffer offer = folder.offer(CAPACITY);
        folder.create(offer).close();
        assertThatThrownBy(() -> folder.map(new RingOffer(2 * CAPACITY, offer.name())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("size");
    }

    @Test
    void shouldRefuseAFileOfAnotherLayout() throws IOException {
        RingOffer offer = folder.offer(CAPACITY);
        try (RingFile file = folder.create(offer)) {
            file.memory().set(ValueLayout.JAVA_LONG, RingLayout.MAGIC_OFFSET, RingLayout.MAGIC + 1);
        }
        assertThatThrownBy(() -> folder.map(offer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another layout");
    }

    @Test
    void shouldRefuseALinkInPlaceOfAFile() throws IOException {
        RingOffer offer = folder.offer(CAPACITY);
        RingOffer link = folder.offer(CAPACITY);
        folder.create(offer).close();
        Files.createSymbolicLink(folder.path(link), folder.path(offer));
        assertThatThrownBy(() -> folder.map(link)).isInstanceOf(IOException.class);
    }
}
