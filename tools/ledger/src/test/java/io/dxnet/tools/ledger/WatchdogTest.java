package io.dxnet.tools.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run without progress ends, and reports where its threads stand. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WatchdogTest {
    @TempDir
    private Path temporary;

    /** A program whose virtual thread never returns. */
    static final class Stuck {
        private Stuck() {}

        public static void main(String[] arguments) throws InterruptedException {
            Watchdog watchdog = new Watchdog(Duration.ofMillis(Long.parseLong(arguments[0])));
            Thread stuck = Thread.ofVirtual().name("stuck").start(WatchdogTest::standStill);
            if (arguments.length > 1) {
                watchdog.stop();
            } else {
                stuck.join();
            }
        }
    }

    private static void standStill() {
        for (; ; ) {
            LockSupport.park();
        }
    }

    private Process run(String... arguments) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = List.of(
                java.toString(),
                "-cp",
                Path.of("target", "classes") + File.pathSeparator + Path.of("target", "test-classes"),
                "-Djava.io.tmpdir=" + temporary,
                Stuck.class.getName());
        Process process = new ProcessBuilder(
                        Stream.concat(command.stream(), Stream.of(arguments)).toList())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        return process;
    }

    @Test
    void shouldEndWithTheStacksOfAllThreads() throws Exception {
        Process process = run("2000");
        String printed = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(printed).isEqualTo(Watchdog.STUCK);
        Path folder = Path.of(printed.substring(printed.lastIndexOf(": ") + 2).strip());
        try (Stream<Path> files = Files.list(folder)) {
            String stacks = Files.readString(files.findAny().orElseThrow());
            assertThat(stacks).contains("standStill");
        }
    }

    @Test
    void shouldLeaveAloneWhatEndedInTime() throws Exception {
        Process process = run("60000", "stop");
        String printed = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(printed).isZero();
    }
}
