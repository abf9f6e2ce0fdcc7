package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One end of a perftest program; ends with this object at the latest. One thread. */
final class PerftestProcess implements AutoCloseable {
    private static final int START_SECONDS = 20;
    private static final int RUN_SECONDS = 40;
    private static final int POLL_MS = 20;
    /** The state of a listening socket in {@code /proc/net/tcp}. */
    private static final String LISTEN = "0A";

    private final String program;
    private final Process process;
    private final CompletableFuture<String> output;

    PerftestProcess(List<String> words) {
        program = String.join(" ", words);
        try {
            process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new ToolException("can't start " + program + ": " + e.getMessage(), e);
        }
        output = CompletableFuture.supplyAsync(
                this::read,
                task -> Thread.ofPlatform().daemon().name("perftest-output").start(task));
    }

    private String read() {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(its output can't be read: " + e + ")";
        }
    }

    /**
     * Waits until the program accepts connections. Its
     * message that it does so stays in its output buffer.
     */
    void awaitListening(int tcpPort) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!listens("/proc/net/tcp", tcpPort) && !listens("/proc/net/tcp6", tcpPort)) {
            try {
                if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
                    throw failed("ended before the client came");
                }
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            if (System.nanoTime() > deadline) {
                throw failed("does not listen after " + START_SECONDS + " s");
            }
        }
    }

    private static boolean listens(String table, int tcpPort) {
        try {
            return hasListener(Files.readAllLines(Path.of(table)), tcpPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Searches the lines of {@code /proc/net/tcp}
     * ({@code sl local_address rem_address st …}) for a listening socket.
     */
    static boolean hasListener(List<String> lines, int tcpPort) {
        String end = String.format(":%04X", tcpPort);
        return lines.stream()
                .map(line -> line.strip().split("\\s+"))
                .anyMatch(words -> words.length > 3 && words[1].endsWith(end) && words[3].equals(LISTEN));
    }

    /** Waits for its end; returns what it printed. */
    String awaitEnd() {
        try {
            if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw failed("did not end in " + RUN_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (process.exitValue() != 0) {
            throw failed("ended with exit code " + process.exitValue());
        }
        return output.join();
    }

    private ToolException failed(String how) {
        process.destroyForcibly();
        List<String> lines = output.join().lines().toList();
        String last = String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        return new ToolException(program + " " + how + (last.isEmpty() ? "" : ": " + last));
    }

    private ToolException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ToolException(program + ": interrupted", e);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
