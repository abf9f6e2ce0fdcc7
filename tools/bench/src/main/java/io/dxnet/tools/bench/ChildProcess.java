package io.dxnet.tools.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A second process of this program, with the same Java and the same JVM flags. It ends by itself when this process ends,
 * because it reads the end of its standard input then.
 */
final class ChildProcess implements AutoCloseable {
    private static final int LINES_KEPT = 50;
    private static final long CLOSE_SECONDS = 10;

    private final String name;
    private final Process process;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread reader;
    private volatile boolean closing;

    /**
     * Starts it.
     *
     * @param name in messages
     * @param arguments of {@link Main}
     * @param failure is told when the process ends too early
     * @param output gets each line that it prints, on a thread of its own
     */
    ChildProcess(String name, List<String> arguments, Failure failure, Consumer<String> output) throws BenchException {
        this.name = name;
        List<String> command = new ArrayList<>(javaCommand());
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new BenchException("can't start " + name + ": " + e.getMessage(), e);
        }
        reader = Thread.ofPlatform().name("bench-output-" + name).daemon().start(() -> read(output));
        process.onExit().thenAccept(ended -> {
            if (!closing) {
                joinReader();
                failure.fail(name + " (pid " + ended.pid() + ") ended with exit code " + ended.exitValue() + output());
            }
        });
    }

    /** How to start {@link Main} again. */
    static List<String> javaCommand() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (isInherited(flag)) {
                command.add(flag);
            }
        }
        String modulePath = System.getProperty("jdk.module.path");
        Module module = Main.class.getModule();
        String classPath = System.getProperty("java.class.path", "");
        if (module.isNamed() && modulePath != null) {
            command.addAll(List.of("-p", modulePath));
            if (!classPath.isEmpty()) {
                command.addAll(List.of("-cp", classPath)); // in tests, some services are there
            }
            command.addAll(List.of("-m", module.getName() + "/" + Main.class.getName()));
        } else {
            command.addAll(List.of("-cp", classPath, Main.class.getName()));
        }
        return command;
    }

    private static boolean isInherited(String flag) {
        return flag.startsWith("-X")
                || flag.startsWith("-D") && !flag.startsWith("-Djdk.module") && !flag.startsWith("-Dsurefire")
                || flag.startsWith("--sun-misc-unsafe-memory-access")
                || flag.startsWith("--enable-native-access")
                || flag.startsWith("--illegal-native-access");
    }

    private void read(Consumer<String> output) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                output.accept(line);
            }
        } catch (IOException e) {
            keep("(its output can't be read: " + e.getMessage() + ")");
        }
    }

    private void keep(String line) {
        synchronized (lastLines) {
            if (lastLines.size() == LINES_KEPT) {
                lastLines.removeFirst();
            }
            lastLines.addLast(line);
        }
    }

    private String output() {
        synchronized (lastLines) {
            return lastLines.isEmpty()
                    ? "; it printed nothing"
                    : "; its last output:\n  " + String.join("\n  ", lastLines);
        }
    }

    private void joinReader() {
        try {
            reader.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long pid() {
        return process.pid();
    }

    /** Lets it end, in ten seconds at most; then ends it. */
    @Override
    public void close() {
        closing = true;
        try {
            process.getOutputStream().close();
            if (process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            System.err.println("bench: " + name + " (pid " + pid() + ") does not end: killed");
        } catch (IOException e) {
            System.err.println("bench: " + name + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
