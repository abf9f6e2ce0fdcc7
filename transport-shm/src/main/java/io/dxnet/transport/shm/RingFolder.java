package io.dxnet.transport.shm;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder in which nodes of one user on one host meet: {@code dxnet-UID} in the shared-memory
 * file system. A ring's file is there only while a handshake lasts; afterwards it has no name, and
 * the kernel frees it with the last process that maps it. A file of memory of a region is there
 * until that memory is freed. What a process leaves that is killed is removed by the next node that
 * starts and sees its process ids: the file's name has the process.
 *
 * <p>Folder and files are the user's alone (0700, 0600); a folder that is not is refused. Any
 * thread.
 */
final class RingFolder {
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<StandardOpenOption> CREATE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final int ZEROS = 64 << 10;
    private static final int RANDOM_BYTES = 16;

    private final Path folder;
    private final Path parent;
    private final ProcessIdentity process;
    private final SecureRandom random = new SecureRandom();

    private RingFolder(Path parent, Path folder, ProcessIdentity process) {
        this.parent = parent;
        this.folder = folder;
        this.process = process;
    }

    /**
     * Opens the folder, made where it is not there, and removes the files of processes that are
     * gone.
     *
     * @param parent the file system of shared memory
     * @return the folder
     * @throws ConfigurationException when it can't be used, with the reason
     */
    static RingFolder open(Path parent) {
        try {
            Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Path folder = parent.resolve("dxnet-" + uid);
            try {
                Files.createDirectory(folder, FOLDER_MODE);
            } catch (FileAlreadyExistsException e) {
                // of another node, now or before
            }
            PosixFileAttributes attributes =
                    Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isDirectory()
                    || !attributes.permissions().equals(FOLDER_MODE.value())
                    || !uid.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
                throw new ConfigurationException("transport=shm: " + folder
                        + " is not a folder of this user alone (0700): remove it, or set shm.directory");
            }
            RingFolder result = new RingFolder(
                    parent,
                    folder,
                    ProcessIdentity.of(namespace(), ProcessHandle.current().pid()));
            result.removeStale();
            return result;
        } catch (IOException e) {
            throw new ConfigurationException(
                    "transport=shm can't use " + parent + ": " + describe(e) + "; shm.directory sets another folder",
                    e);
        }
    }

    private static String describe(IOException e) {
        return e instanceof NoSuchFileException ? "it does not exist" : Channels.describe(e);
    }

    /** The namespace of process ids: a number, the same for all that see the same ids. */
    private static String namespace() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
    }

    /** Only files of processes whose ids this process can see: others may be alive. */
    private void removeStale() throws IOException {
        String visible = process.namespace() + "-";
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (RingOffer.isName(name) && name.startsWith(visible)) {
                if (!ProcessIdentity.isAlive(pid(name))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** The process in the name of a file. */
    private static long pid(String name) {
        return Long.parseLong(name.substring(name.indexOf('-') + 1, name.lastIndexOf('-')));
    }

    Path path() {
        return folder;
    }

    /** {@return this process, as others see it} */
    ProcessIdentity process() {
        return process;
    }

    /** Returns where a file lies. */
    Path path(RingOffer offer) {
        return folder.resolve(offer.name());
    }

    /** Returns an offer with a new name. */
    RingOffer offer(int capacity) {
        return new RingOffer(capacity, newName());
    }

    private String newName() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return process.namespace() + "-" + process.pid() + "-" + HexFormat.of().formatHex(bytes);
    }

    /**
     * Makes the file of an offer, with all its memory: none of it can be missing later.
     *
     * @param offer from {@link #offer}
     * @return the ring's memory; the caller removes the name with {@link #remove}
     * @throws IOException when the file system has no room, or the like
     */
    RingFile create(RingOffer offer) throws IOException {
        FileChannel file = FileChannel.open(path(offer), CREATE, FILE_MODE);
        boolean done = false;
        try {
            fill(file, RingLayout.bytes(offer.capacity()));
            RingFile result = new RingFile(file, offer.capacity());
            result.memory().set(ValueLayout.JAVA_LONG, RingLayout.MAGIC_OFFSET, RingLayout.MAGIC);
            result.memory().set(ValueLayout.JAVA_LONG, RingLayout.CAPACITY_OFFSET, offer.capacity());
            done = true;
            return result;
        } finally {
            if (!done) {
                Channels.closeQuietly(file);
                remove(offer);
            }
        }
    }

    /** Memory that a sparse file lacks is an error of the process; here, it is one of a write. */
    private static void fill(FileChannel file, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
        for (long left = bytes; left > 0; ) {
            left -= file.write(zeros.clear().limit((int) Math.min(left, ZEROS)));
        }
    }

    /** Removes the name; the memory stays for those that have mapped it. */
    void remove(RingOffer offer) {
        remove(path(offer));
    }

    /** The same for the file at a path. */
    static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException | OutOfMemoryError e) {
            // the next start removes it
        }
    }

    /**
     * Maps the file that another node offers.
     *
     * @param offer of the other node
     * @return its memory
     * @throws IOException when it is not here, or not what it should be
     */
    RingFile map(RingOffer offer) throws IOException {
        return new RingFile(
                open(path(offer), RingLayout.bytes(offer.capacity()), RingLayout.MAGIC, offer.capacity()),
                offer.capacity());
    }

    /** Opens a file of another process, which has this size and begins with these two words. */
    private FileChannel open(Path path, long bytes, long magic, long size) throws IOException {
        PosixFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "its shared memory is not in " + folder + " of this node: transport=shm is for nodes on"
                            + " one host, of one user, whose containers, if any, share " + parent
                            + " (shm.directory); for others there is transport=nio",
                    e);
        }
        if (!attributes.isRegularFile() || attributes.size() != bytes) {
            throw new IOException("its shared memory is not of the size that it names");
        }
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        if (!begins(file, magic, size)) {
            Channels.closeQuietly(file);
            throw new IOException("its shared memory has another layout: use the same version on all nodes");
        }
        return file;
    }

    /** Read as a file: a mapping could fault. */
    private static boolean begins(FileChannel file, long magic, long size) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder());
        return file.read(head, 0) == head.capacity() && head.getLong(0) == magic && head.getLong(Long.BYTES) == size;
    }

    // ---------------------------------------------------------------- memory of regions

    /**
     * Makes pages with so much memory, all of which is there. Their name is removed after the arena
     * has freed them, or at the end of the process.
     *
     * @param arena of the mapping
     * @return their memory
     * @throws IOException when the file system has no room, or the like
     */
    MemorySegment createPages(Arena arena, long bytes) throws IOException {
        String name = newName();
        Path path = folder.resolve(name);
        boolean done = false;
        try (FileChannel file = FileChannel.open(path, CREATE, FILE_MODE)) {
            long all = PageLayout.MEMORY_OFFSET + bytes;
            long usable = Files.getFileStore(folder).getUsableSpace();
            if (bytes > usable - PageLayout.MEMORY_OFFSET) {
                throw new IOException("it has room for " + usable + " bytes");
            }
            fill(file, all);
            MemorySegment head = file.map(FileChannel.MapMode.READ_WRITE, 0, PageLayout.MEMORY_OFFSET, Arena.ofAuto());
            head.set(ValueLayout.JAVA_LONG, PageLayout.MAGIC_OFFSET, PageLayout.MAGIC);
            head.set(ValueLayout.JAVA_LONG, PageLayout.BYTES_OFFSET, bytes);
            MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, PageLayout.MEMORY_OFFSET, bytes, arena);
            new SharedPages(name, () -> remove(path), head, memory);
            done = true;
            return memory;
        } finally {
            if (!done) {
                remove(path);
            }
        }
    }

    /**
     * Maps the pages that another process grants.
     *
     * @param grant of the other process
     * @throws IOException when they are not here, or not what they should be
     */
    MappedPages mapPages(PageGrant grant) throws IOException {
        long bytes = grant.fileBytes() - PageLayout.MEMORY_OFFSET;
        Arena arena = Arena.ofShared();
        boolean done = false;
        try (FileChannel file = open(folder.resolve(grant.name()), grant.fileBytes(), PageLayout.MAGIC, bytes)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, grant.fileBytes(), arena);
            MappedPages pages = new MappedPages(
                    arena,
                    mapped,
                    grant,
                    new ProcessIdentity(process.namespace(), pid(grant.name()), grant.startTicks()));
            done = true;
            return pages;
        } finally {
            if (!done) {
                arena.close();
            }
        }
    }
}
