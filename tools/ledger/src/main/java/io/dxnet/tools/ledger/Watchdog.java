package io.dxnet.tools.ledger;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a run that stands still: writes the stacks of all threads of this process and of its
 * children, virtual threads among them, and halts. What it watches has bounds of its own; it is the
 * evidence where one of them does not hold.
 */
final class Watchdog {
    /** The exit code of a run that stood still. */
    static final int STUCK = 3;

    private static final int DUMP_SECONDS_MAX = 120;

    private final Duration limit;
    private final Thread thread;

    /** Watches from now on. */
    Watchdog(Duration limit) {
        this.limit = limit;
        this.thread = Thread.ofPlatform().daemon().name("ledger-watchdog").start(this::watch);
    }

    private void watch() {
        try {
            Thread.sleep(limit);
        } catch (InterruptedException e) {
            return; // in time
        }
        System.err.println("ledger: stands still for " + limit.toSeconds() + " s; stacks of all threads: " + dumps());
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(STUCK);
    }

    /** Returns the folder of the stacks, or why there is none. */
    private static String dumps() {
        try {
            Path folder = Files.createTempDirectory("dxnet-ledger-stuck-");
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file(folder, ProcessHandle.current()), ThreadDumpFormat.TEXT_PLAIN);
            for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
                dump(child, file(folder, child));
            }
            return folder.toString();
        } catch (IOException | RuntimeException e) {
            return "none: " + e;
        }
    }

    private static String file(Path folder, ProcessHandle process) {
        return folder.resolve("threads-" + process.pid() + ".txt").toString();
    }

    private static void dump(ProcessHandle child, String file) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(child.pid()),
                        "Thread.dump_to_file",
                        file)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!jcmd.waitFor(DUMP_SECONDS_MAX, TimeUnit.SECONDS)) {
                jcmd.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** It ended in time: the thread is gone, also for a count of threads that follows. */
    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
