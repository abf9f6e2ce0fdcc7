package io.dxnet.tools.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Checks files and folders of options before the work whose input or results they are. */
public final class OptionFiles {
    private OptionFiles() {}

    /**
     * Refuses a file that cannot be read.
     *
     * @param option its name
     * @param file null where the option was not given
     * @throws IllegalArgumentException naming option, file and reason
     */
    public static void requireReadable(String option, Path file) {
        if (file == null) {
            return;
        }
        if (!Files.exists(file)) {
            throw refused(option, file, "there is no such file");
        }
        if (Files.isDirectory(file)) {
            throw refused(option, file, "is a folder");
        }
        if (!Files.isReadable(file)) {
            throw refused(option, file, "permission denied");
        }
    }

    /**
     * Refuses a file that cannot be written; what is in it stays, and
     * none is left where there was none.
     *
     * @param option its name
     * @param file null where the option was not given
     * @throws IllegalArgumentException naming option, file and reason
     */
    public static void requireWritable(String option, Path file) {
        if (file == null) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw refused(option, file, "is a folder");
        }
        boolean there = Files.exists(file);
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            if (!there) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw refused(option, file, reason(e));
        }
    }

    /**
     * Makes a folder, or refuses it where no file can be made in it.
     *
     * @param option its name
     * @param folder null where the option was not given
     * @throws IllegalArgumentException naming option, folder and reason
     */
    public static void requireWritableFolder(String option, Path folder) {
        if (folder == null) {
            return;
        }
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".dxnet-", ""));
        } catch (IOException e) {
            throw refused(option, folder, reason(e));
        }
    }

    private static IllegalArgumentException refused(String option, Path file, String reason) {
        return new IllegalArgumentException(option + " " + file + ": " + reason);
    }

    /** The file and the reason. */
    static String describe(FileSystemException e) {
        return e.getFile() + ": " + reason(e);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "is not a folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
