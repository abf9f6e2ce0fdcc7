package io.dxnet.tools.bench.nodes;

import io.dxnet.tools.cli.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
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
 * A second process of this program, with the same Java and the same JVM flags. It ends by itself
 * when this process ends, because it reads the end of its standard input then.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int LINES_KEPT = 50;
    private static final long CLOSE_SECONDS = 10;

    private final String name;
    private final Process process;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread reader;
    private volatile boolean closing;

    /**
     * Starts the process.
     *
     * @param name in messages
     * @param main what it runs
     * @param arguments of {@code main}
     * @param failure is set when the process ends too early
     * @param output gets each line that it prints, on a thread of its own
     * @throws ToolException when it can't be started
     */
    public ChildProcess(String name, Class<?> main, List<String> arguments, Failure failure, Consumer<String> output) {
        this.name = name;
        List<String> command = new ArrayList<>(javaCommand(main));
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new ToolException("can't start " + name + ": " + e.getMessage(), e);
        }
        reader = Thread.ofPlatform().name("bench-output-" + name).daemon().start(() -> read(output));
        process.onExit().thenAccept(ended -> {
            if (!closing) {
                joinReader();
                failure.fail(name + " (pid " + ended.pid() + ") ended with exit code " + ended.exitValue() + output());
            }
        });
    }

    /**
     * For a child: returns when the process that started it
     * has ended, which ends the child's standard input.
     */
    public static void awaitParentsEnd() {
        try {
            while (System.in.read() >= 0) {
                continue; // the parent sends nothing: only the end matters
            }
        } catch (IOException e) {
            return; // as good as its end
        }
    }

    /** How to start another Java like this one. */
    private static List<String> javaCommand(Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (isInherited(flag)) {
                command.add(flag);
            }
        }
        String modulePath = System.getProperty("jdk.module.path");
        Module module = main.getModule();
        String classPath = System.getProperty("java.class.path", "");
        if (module.isNamed() && modulePath != null) {
            command.addAll(List.of("-p", modulePath));
            if (!classPath.isEmpty()) {
                command.addAll(List.of("-cp", classPath)); // in tests, some services are there
            }
            command.addAll(List.of("-m", module.getName() + "/" + main.getName()));
        } else {
            command.addAll(List.of("-cp", classPath, main.getName()));
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

    /**
     * The process' number.
     *
     * @return its id in this system
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Writes a line to its standard input; a child that waits
     * with {@link #awaitParentsEnd} reads over it.
     *
     * @param line to write
     * @throws IOException when the process has ended
     */
    public void tell(String line) throws IOException {
        Writer writer = process.outputWriter(StandardCharsets.UTF_8);
        writer.write(line + "\n");
        writer.flush();
    }

    /** Kills it, which is no failure, and waits until it is gone. */
    public void kill() {
        closing = true;
        process.destroyForcibly();
        process.onExit().join();
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
