package io.dxnet.transport.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Reads files with secrets, which no user but their owner may reach; checks files that no other
 * user may change. The owner has to be the user of this process, or root. Any thread.
 */
final class PrivateFile {
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final Set<PosixFilePermission> WRITE_BY_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** The attribute with the number of a file's owner; Linux, macOS. */
    private static final String OWNER_NUMBER = "unix:uid";
    /** On Linux, its owner is the user of this process. */
    private static final Path PROCESS = Path.of("/proc/self");

    private static final int ROOT = 0;

    /**
     * Reads the content.
     *
     * @param <T> what it contains
     */
    interface Parser<T> {
        /** Reads the first bytes of an array, which is overwritten afterwards. */
        T parse(byte[] bytes, int length) throws IOException;
    }

    private PrivateFile() {}

    static <T> T read(Path path, int bytesMax, Parser<T> parser) throws IOException {
        check(path);
        byte[] bytes = new byte[bytesMax + 1];
        try (InputStream in = Files.newInputStream(path)) {
            int length = in.readNBytes(bytes, 0, bytes.length);
            if (length > bytesMax) {
                throw new IOException("it has more than " + bytesMax + " bytes");
            }
            return parser.parse(bytes, length);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Checks that no other user may read or write it. */
    static void check(Path path) throws IOException {
        Set<PosixFilePermission> permissions = permissions(path);
        if (!OWNER.containsAll(permissions)) {
            throw new IOException("its permissions are " + PosixFilePermissions.toString(permissions)
                    + ", and no other user may read or write it: chmod 600");
        }
        checkOwner(path);
    }

    /** Checks that no other user may write it; others may read it. */
    static void checkUnchangeable(Path path) throws IOException {
        Set<PosixFilePermission> permissions = permissions(path);
        if (permissions.stream().anyMatch(WRITE_BY_OTHERS::contains)) {
            throw new IOException("its permissions are " + PosixFilePermissions.toString(permissions)
                    + ", and no other user may write it: chmod go-w");
        }
        checkOwner(path);
    }

    private static Set<PosixFilePermission> permissions(Path path) throws IOException {
        try {
            return Files.getPosixFilePermissions(path);
        } catch (UnsupportedOperationException e) {
            throw new IOException("its file system has no permissions that keep others out: use an environment"
                    + " variable (keyVariable), or a keySource of the builder");
        }
    }

    private static void checkOwner(Path path) throws IOException {
        checkOwner(user(path), ownUser());
    }

    /** Checks users by their numbers: an owner can change the file, and its permissions. */
    static void checkOwner(int owner, int self) throws IOException {
        if (owner != self && owner != ROOT) {
            throw new IOException("its owner is user " + owner + ", and this process has user " + self
                    + ": the owner has to be that user, or root (chown)");
        }
    }

    private static int user(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, OWNER_NUMBER);
    }

    private static int ownUser() throws IOException {
        if (Files.exists(PROCESS)) {
            return user(PROCESS);
        }
        Path file = Files.createTempFile("dxnet-user", ""); // belongs to the user of this process
        try {
            return user(file);
        } finally {
            Files.delete(file);
        }
    }

    /** Describes an error: what is wrong with the file, without its content. */
    static String words(IOException e) {
        return e instanceof NoSuchFileException
                ? "there is no such file"
                : e instanceof AccessDeniedException ? "it can't be read" : String.valueOf(e.getMessage());
    }
}
