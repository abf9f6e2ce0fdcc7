package io.dxnet.tools.compare.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One of a peer's two processes, seen from the
 * comparison. Used by one thread; every wait has a bound.
 */
final class PeerLink implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;
    private static final int LINES_SHOWN = 15;
    private static final String ENDED = "\n"; // which no line is

    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /**
     * Starts the process.
     *
     * @param peer what runs there
     * @param sides in messages
     * @param command the whole command
     */
    PeerLink(Peer peer, String sides, List<String> command) throws PeerException {
        this.name = peer.info().name() + " " + sides;
        try {
            log = Files.createTempFile("dxnet-compare-", ".log");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            builder.environment().putAll(peer.environment());
            process = builder.start();
        } catch (IOException e) {
            throw new PeerException("can't start " + name + ": " + e.getMessage(), e);
        }
        commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().name("answers of " + name).daemon().start(this::read);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(Commands.ANSWER)) {
                    answers.add(line.substring(Commands.ANSWER.length()));
                }
            }
        } catch (IOException e) {
            answers.add(Commands.FAILED + "to read: " + e.getMessage());
        }
        answers.add(ENDED);
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Sends a command and waits for the answer. */
    String ask(String side, String command, String arguments, long seconds) throws PeerException {
        String answer;
        try {
            commands.write(side + " " + command + " " + arguments);
            commands.newLine();
            commands.flush();
            answer = answers.poll(seconds, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new PeerException(name + " (pid " + process.pid() + ") has ended" + output(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerException("interrupted", e);
        }
        if (answer == null) {
            throw new PeerException(name + " did not answer '" + command + "' within " + seconds + " s" + output());
        }
        if (answer.equals(ENDED)) {
            throw new PeerException(name + " (pid " + process.pid() + ") ended" + output());
        }
        if (answer.startsWith(Commands.FAILED)) {
            throw new PeerException(name + " " + answer + output());
        }
        return answer;
    }

    /** The end of what it printed. */
    private String output() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            int from = Math.max(0, lines.size() - LINES_SHOWN);
            return lines.isEmpty()
                    ? ""
                    : "; its last output:\n  " + String.join("\n  ", lines.subList(from, lines.size()));
        } catch (IOException e) {
            return "";
        }
    }

    /** Lets it end, in five seconds at most; then ends it. */
    @Override
    public void close() {
        try {
            commands.close(); // the end of its input
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(log);
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
