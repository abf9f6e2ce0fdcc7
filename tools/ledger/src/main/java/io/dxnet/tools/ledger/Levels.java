package io.dxnet.tools.ledger;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What this process holds.
 *
 * @param descriptors the number of each kind: sockets, pipes, event and poll
 *     descriptors; files are not counted
 * @param threads names of the platform threads that are not the JVM's own
 * @param nativeKiB native memory of buffers and FFM arenas (NMT's category Other); -1
 *     where the JVM does not track it
 * @param heapKiB live objects
 */
record Levels(Map<String, Integer> descriptors, List<String> threads, long nativeKiB, long heapKiB) {
    private static final int COLLECTIONS = 3;

    /** Buffers that the JDK keeps for threads. */
    private static final long NATIVE_SLACK_KIB = 1024;

    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB\\)");

    /** Threads that the JVM, the JDK and the software device start when they need them. */
    private static final Pattern OF_JDK = Pattern.compile(
            "soft-hca-.*|ForkJoinPool.*|VirtualThread.*|.*-[Pp]oller.*|process reaper.*|Reference Handler|Finalizer|Signal Dispatcher"
                    + "|Common-Cleaner|Cleaner.*|Notification Thread|Attach Listener|Service Thread|Monitor.*|C[12] .*");

    /** Measures; collects garbage first. */
    static Levels now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return new Levels(
                openDescriptors(),
                Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> !OF_JDK.matcher(name).matches())
                        .sorted()
                        .toList(),
                trackedKiB(),
                (runtime.totalMemory() - runtime.freeMemory()) >> 10);
    }

    /** What is more than before, in words; empty where nothing is. */
    String growthSince(Levels before) {
        StringJoiner growth = new StringJoiner(", ");
        descriptors.forEach((kind, count) -> {
            int was = before.descriptors.getOrDefault(kind, 0);
            if (count > was) {
                growth.add(kind + " " + was + " to " + count);
            }
        });
        if (threads.size() > before.threads.size()) {
            growth.add("threads " + before.threads + " to " + threads);
        }
        if (nativeKiB > before.nativeKiB + NATIVE_SLACK_KIB) {
            growth.add("native memory " + before.nativeKiB + " to " + nativeKiB + " KiB");
        }
        return growth.toString();
    }

    private static Map<String, Integer> openDescriptors() {
        Map<String, Integer> kinds = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : all) {
                String kind = kind(each);
                if (!kind.isEmpty()) {
                    kinds.merge(kind, 1, Integer::sum);
                }
            }
        } catch (IOException e) {
            return Map.of(); // not Linux
        }
        return kinds;
    }

    private static String kind(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            if (target.startsWith("anon_inode:")) {
                return target;
            }
            if (target.startsWith("socket:")) {
                return family(target.substring(target.indexOf('[') + 1, target.length() - 1));
            }
            return target.startsWith("pipe:") ? "pipe" : "";
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    private static String family(String inode) throws IOException {
        for (String family : List.of("tcp", "tcp6", "unix", "udp", "udp6")) {
            Path table = Path.of("/proc/self/net", family);
            if (Files.exists(table)
                    && Files.readAllLines(table).stream()
                            .anyMatch(line -> List.of(line.strip().split(" +")).contains(inode))) {
                return family + " socket";
            }
        }
        return "socket";
    }

    private static long trackedKiB() {
        try {
            String text = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmNativeMemory",
                            new Object[] {new String[] {"summary"}},
                            new String[] {String[].class.getName()});
            Matcher matcher = OTHER.matcher(text);
            return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
        } catch (JMException e) {
            return -1;
        }
    }

    @Override
    public String toString() {
        return "descriptors " + descriptors + ", " + threads.size() + " threads, "
                + (nativeKiB < 0 ? "native memory not tracked" : nativeKiB + " KiB native") + ", " + heapKiB
                + " KiB heap";
    }
}
