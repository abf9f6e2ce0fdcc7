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

/** Reads files with secrets, which no user but their owner may reach. Any thread. */
final class PrivateFile {
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

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
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(path);
        } catch (UnsupportedOperationException e) {
            throw new IOException("its file system has no permissions that keep others out: use an environment"
                    + " variable (keyVariable), or a keySource of the builder");
        }
        if (!OWNER.containsAll(permissions)) {
            throw new IOException("its permissions are " + PosixFilePermissions.toString(permissions)
                    + ", and no other user may read or write it: chmod 600");
        }
    }

    /** Describes an error: what is wrong with the file, without its content. */
    static String words(IOException e) {
        return e instanceof NoSuchFileException
                ? "there is no such file"
                : e instanceof AccessDeniedException ? "it can't be read" : String.valueOf(e.getMessage());
    }
}
