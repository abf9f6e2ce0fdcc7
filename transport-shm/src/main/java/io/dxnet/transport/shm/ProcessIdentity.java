package io.dxnet.transport.shm;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of this host, so that another one can find out whether it still runs. A process id
 * alone may be used again.
 *
 * @param namespace of process ids: a number, the same for all that see the same ids
 * @param pid its id there
 * @param startMs when it began, milliseconds since 1970; 0: not known
 */
record ProcessIdentity(String namespace, long pid, long startMs) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,20})-(\\d{1,10})-(\\d{1,15})");

    /** Of one process: the kernel corrects the time of its boot, which both are computed from. */
    private static final long START_MS_APART = 10_000;

    /** {@return that of a process of this namespace} */
    static ProcessIdentity of(String namespace, ProcessHandle process) {
        return new ProcessIdentity(namespace, process.pid(), startMs(process));
    }

    private static long startMs(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** {@return the bytes for another node, ASCII} */
    byte[] encode() {
        return (namespace + "-" + pid + "-" + startMs).getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return the identity that another node has sent; null: it is none} */
    static ProcessIdentity decode(byte[] bytes) {
        Matcher matcher = TEXT.matcher(new String(bytes, StandardCharsets.US_ASCII));
        return matcher.matches()
                ? new ProcessIdentity(
                        matcher.group(1), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)))
                : null;
    }

    /** {@return whether it runs, seen from a process of its namespace} */
    boolean isAlive() {
        return ProcessHandle.of(pid)
                .filter(process -> Math.abs(startMs(process) - startMs) < START_MS_APART)
                .isPresent();
    }
}
