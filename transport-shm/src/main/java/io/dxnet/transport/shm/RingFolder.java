package io.dxnet.transport.shm;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
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
 * file system. A file is there only while a handshake lasts; afterwards it has no name, and the
 * kernel frees it with the last process that maps it. What a process leaves that is killed in the
 * middle of a handshake is removed by the next node that starts: the file's name has the process.
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
    private final String process; // the beginning of the names of this process' files
    private final SecureRandom random = new SecureRandom();

    private RingFolder(Path parent, Path folder, String process) {
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
                    parent, folder, namespace() + "-" + ProcessHandle.current().pid());
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
        String visible = process.substring(0, process.indexOf('-') + 1);
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (RingOffer.isName(name) && name.startsWith(visible)) {
                long pid = Long.parseLong(name.substring(visible.length(), name.lastIndexOf('-')));
                if (ProcessHandle.of(pid).isEmpty()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    Path path() {
        return folder;
    }

    /** Returns where a file lies. */
    Path path(RingOffer offer) {
        return folder.resolve(offer.name());
    }

    /** Returns an offer with a new name. */
    RingOffer offer(int capacity) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return new RingOffer(capacity, process + "-" + HexFormat.of().formatHex(bytes));
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
        try {
            Files.deleteIfExists(path(offer));
        } catch (IOException e) {
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
        Path path = path(offer);
        PosixFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "its shared memory is not in " + folder + " of the listening node: transport=shm is for nodes on"
                            + " one host, of one user, whose containers, if any, share " + parent
                            + " (shm.directory); for others there is transport=nio",
                    e);
        }
        if (!attributes.isRegularFile() || attributes.size() != RingLayout.bytes(offer.capacity())) {
            throw new IOException("its shared memory is not of the size that its hello names");
        }
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        if (!isRing(file, offer)) {
            Channels.closeQuietly(file);
            throw new IOException("its shared memory has another layout: use the same version on all nodes");
        }
        return new RingFile(file, offer.capacity());
    }

    /** Read as a file: a mapping could fault. */
    private static boolean isRing(FileChannel file, RingOffer offer) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder());
        return file.read(head, 0) == head.capacity()
                && head.getLong(0) == RingLayout.MAGIC
                && head.getLong(Long.BYTES) == offer.capacity();
    }
}
