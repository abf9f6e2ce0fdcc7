package io.dxnet.transport.shm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of this host, so that another one can find out whether it still runs. A process id
 * alone may be used again; the time of a start is in ticks since the host's boot, which no step of
 * the clock changes ({@code man proc_pid_stat}).
 *
 * @param namespace of process ids: a number, the same for all that see the same ids
 * @param pid its id there
 * @param startTicks when it began
 */
record ProcessIdentity(String namespace, long pid, long startTicks) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,20})-(\\d{1,10})-(\\d{1,18})");

    /** Fields of the file behind the name, which is in parentheses: state is the first. */
    private static final int STATE = 0;

    private static final int START = 19;

    private static final Path PROC = Path.of("/proc");

    /**
     * That of a process of this namespace.
     *
     * @throws NoSuchFileException when there is none, or it has ended and only its parent keeps its
     *     id
     * @throws IOException when that cannot be found out, for instance for want of descriptors
     */
    static ProcessIdentity of(String namespace, long pid) throws IOException {
        return of(PROC, namespace, pid);
    }

    private static ProcessIdentity of(Path proc, String namespace, long pid) throws IOException {
        Path file = proc.resolve(pid + "/stat");
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
        if (fields[STATE].equals("Z") || fields[STATE].equals("X")) {
            throw new NoSuchFileException(file.toString(), null, "the process has ended");
        }
        return new ProcessIdentity(namespace, pid, Long.parseLong(fields[START]));
    }

    /** {@return whether any process of this id runs; true where that cannot be found out} */
    static boolean isAlive(long pid) {
        try {
            of("", pid);
            return true;
        } catch (IOException e) {
            return !hasEnded(PROC, pid, e);
        }
    }

    /** It may end between the opening of the file and the read. */
    private static boolean hasEnded(Path proc, long pid, IOException e) {
        return e instanceof NoSuchFileException || Files.notExists(proc.resolve("" + pid));
    }

    /** {@return the bytes for another node, ASCII} */
    byte[] encode() {
        return (namespace + "-" + pid + "-" + startTicks).getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return the identity that another node has sent; null: it is none} */
    static ProcessIdentity decode(byte[] bytes) {
        Matcher matcher = TEXT.matcher(new String(bytes, StandardCharsets.US_ASCII));
        return matcher.matches()
                ? new ProcessIdentity(
                        matcher.group(1), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)))
                : null;
    }

    /**
     * {@return whether it runs, seen from a process of its namespace; true where that cannot be
     * found out: a process that is stopped may still be amid a copy}
     */
    boolean isAlive() {
        return isAlive(PROC);
    }

    /** As {@link #isAlive()}, with the file system of processes. */
    boolean isAlive(Path proc) {
        try {
            return equals(of(proc, namespace, pid));
        } catch (IOException e) {
            return !hasEnded(proc, pid, e);
        }
    }
}
