package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Main;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The other end on this machine: a thread, or a process. The process ends
 * with this one: it then reads the end of its standard input.
 */
abstract sealed class LocalServer implements AutoCloseable {
    private static final int CLOSE_SECONDS = 10;

    abstract InetSocketAddress address();

    /** What made it end before its time, or null. */
    abstract Throwable failure();

    /**
     * Waits for the server's end, and forces it after a time limit. Without a failure,
     * {@code CLOSE} has ended the server before.
     */
    @Override
    public abstract void close();

    static LocalServer inThisProcess(EndOptions end, Duration wait, Duration patience) {
        return new InThread(end, wait, patience);
    }

    static LocalServer inItsOwnProcess(EndOptions end, Duration wait) {
        return new InProcess(end, wait);
    }

    private static final class InThread extends LocalServer {
        private final ServerSocket listening;
        private final Thread thread;
        private volatile Throwable failure;

        InThread(EndOptions end, Duration wait, Duration patience) {
            try {
                listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new ToolException("no local port is free: " + e.getMessage(), e);
            }
            thread = Thread.ofPlatform().name("verbs-bench-server").daemon().start(() -> {
                try (Control control = Control.accept(listening, wait, patience)) {
                    new Server(control, end).run();
                } catch (RuntimeException | Error e) {
                    failure = e;
                }
            });
        }

        @Override
        InetSocketAddress address() {
            return (InetSocketAddress) listening.getLocalSocketAddress();
        }

        @Override
        Throwable failure() {
            join(1);
            return failure;
        }

        @Override
        public void close() {
            join(CLOSE_SECONDS);
            thread.interrupt();
            try {
                listening.close();
            } catch (IOException e) {
                return; // it is not used any more
            }
        }

        private void join(int seconds) {
            try {
                thread.join(Duration.ofSeconds(seconds));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class InProcess extends LocalServer {
        private final InetSocketAddress address;
        private final Process process;

        InProcess(EndOptions end, Duration wait) {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
            List<String> command = new ArrayList<>(javaCommand());
            command.addAll(
                    List.of("verbs-bench", "--child", "--device", end.port().device()));
            command.addAll(List.of("--server", address.getHostString() + ":" + address.getPort()));
            command.addAll(List.of("--port", Integer.toString(end.port().number())));
            command.addAll(List.of("--gid-index", Integer.toString(end.port().gidIndex())));
            command.addAll(List.of("--wait", Long.toString(wait.toSeconds())));
            try {
                process = new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } catch (IOException e) {
                throw new ToolException("can't start the other end: " + e.getMessage(), e);
            }
        }

        private static int freePort() {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                throw new ToolException("no local port is free: " + e.getMessage(), e);
            }
        }

        /** How to start this program again, with the same flags. */
        private static List<String> javaCommand() {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                if (flag.startsWith("-X")
                        || flag.startsWith("-D") && !flag.startsWith("-Djdk.module")
                        || flag.startsWith("--enable-native")) {
                    command.add(flag);
                }
            }
            Module module = Main.class.getModule();
            command.addAll(List.of("-p", System.getProperty("jdk.module.path")));
            command.addAll(List.of("-m", module.getName() + "/" + Main.class.getName()));
            return command;
        }

        @Override
        InetSocketAddress address() {
            return address;
        }

        @Override
        Throwable failure() {
            return process.isAlive() ? null : new ToolException("the other end's process has ended");
        }

        @Override
        public void close() {
            try {
                process.getOutputStream().close();
                if (process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (IOException e) {
                System.err.println("verbs-bench: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process.destroyForcibly();
        }
    }
}
