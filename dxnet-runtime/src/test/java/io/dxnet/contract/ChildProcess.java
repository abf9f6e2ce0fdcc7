package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A {@link ChildNode} that can be given commands, stopped and killed. */
public final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final PrintStream in;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private boolean stopped;

    /** Starts a node on a transport, with configuration as key=value. */
    public ChildProcess(String transport, int nodeId, List<String> addresses, String... config) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                ChildNode.class.getName(),
                "" + nodeId,
                String.join(",", addresses),
                "transport=" + transport));
        command.addAll(List.of(config));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
        Thread.ofPlatform().daemon().name("child-output").start(this::read);
        assertThat(answer()).isEqualTo("ready");
    }

    /** Everything that this JVM was started with, on one class path. */
    public static String classPath() throws URISyntaxException {
        Set<String> entries = new LinkedHashSet<>();
        for (Class<?> each : new Class<?>[] {ChildNode.class, DXNet.class}) {
            entries.add(rootOf(each));
        }
        for (String property : new String[] {"jdk.module.path", "java.class.path"}) {
            String value = System.getProperty(property, "");
            Stream.of(value.split(File.pathSeparator))
                    .filter(entry -> !entry.isEmpty())
                    .forEach(entries::add);
        }
        return String.join(File.pathSeparator, entries);
    }

    /** The folder or jar of a class, also where tests are patched into a module. */
    private static String rootOf(Class<?> each) throws URISyntaxException {
        String url = each.getResource(each.getSimpleName() + ".class").toString();
        String name = "/" + each.getName().replace('.', '/') + ".class";
        String root = url.substring(0, url.length() - name.length());
        if (root.startsWith("jar:")) {
            root = root.substring("jar:".length(), root.length() - "!".length());
        }
        return Path.of(new java.net.URI(root)).toString();
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // it ended
        }
    }

    private String answer() throws InterruptedException {
        String answer = answers.poll(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(answer)
                .as("an answer of the child; alive: " + process.isAlive())
                .isNotNull();
        return answer;
    }

    /** Sends a command and returns the answer. */
    public String tell(String command) throws InterruptedException {
        in.println(command);
        return answer();
    }

    /** Waits until all its receive buffers are back: the last callback counts before it returns. */
    public void awaitNoBuffersInUse() {
        Cluster.await("buffers back in the child", () -> {
            try {
                return tell("buffers").equals("0");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** What it received of a stream. */
    public int count(int source, int thread) {
        return number("count " + source + " " + thread);
    }

    /** The requests that it received and does not answer. */
    public int silent() {
        return number("silent");
    }

    private int number(String command) {
        try {
            String answer = tell(command);
            assertThat(answer).matches("\\d+");
            return Integer.parseInt(answer);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** SIGKILL. */
    public void kill() {
        stopped = false;
        process.destroyForcibly();
        Cluster.await("the end of the process", () -> !process.isAlive());
    }

    /** SIGSTOP: it is alive, and does nothing at all. */
    public void stop() throws IOException {
        stopped = true;
        signal("STOP");
        // The signal was delivered to the process; its threads that run stop one after the other.
        Cluster.await("the stop of all threads", this::isStopped);
    }

    /**
     * Whether every thread is stopped, state T of {@code proc(5)}; where there is no such file
     * system, it is assumed.
     */
    private boolean isStopped() {
        Path tasks = Path.of("/proc", "" + process.pid(), "task");
        if (!Files.isDirectory(tasks)) {
            return true;
        }
        try (Stream<Path> threads = Files.list(tasks)) {
            return threads.allMatch(thread -> {
                try {
                    String stat = Files.readString(thread.resolve("stat"));
                    return stat.startsWith("T", stat.lastIndexOf(')') + 2);
                } catch (IOException e) {
                    return true; // that thread has ended
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGCONT. */
    public void goOn() throws IOException {
        signal("CONT");
        stopped = false;
    }

    private void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid())
                .inheritIO()
                .start();
        assertThat(kill.onExit().join().exitValue()).isZero();
    }

    @Override
    public void close() throws IOException {
        if (stopped) {
            goOn();
        }
        in.close();
        kill();
    }
}
