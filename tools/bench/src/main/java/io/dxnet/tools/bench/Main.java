package io.dxnet.tools.bench;

import io.dxnet.ConfigurationException;
import io.dxnet.tools.bench.nodes.BenchException;
import io.dxnet.tools.bench.nodes.ChildProcess;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of {@code ./dxnet bench}. */
@Command(
        name = "dxnet",
        subcommands = {BenchCommand.class, Main.FloorServerCommand.class},
        description = "DXNet's tools.")
public final class Main {
    private Main() {}

    /**
     * Runs a command; exits with 0 when all went well, 1 when a message or a node was lost or damaged, 2 for wrong use.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs a command and returns its exit code. */
    static int run(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((e, commandLine, parsed) -> {
            commandLine.getErr().println("bench: " + describe(e));
            return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
        });
        return line.execute(arguments);
    }

    /** One sentence for what a user can repair; the stack for what is our fault. */
    private static String describe(Exception e) {
        if (e instanceof BenchException
                || e instanceof ConfigurationException
                || e instanceof IllegalArgumentException) {
            return e.getMessage();
        }
        java.io.StringWriter trace = new java.io.StringWriter();
        e.printStackTrace(new java.io.PrintWriter(trace));
        return trace.toString();
    }

    /** The other side of {@code --floor}; started by the benchmark. */
    @Command(name = "floor-server", hidden = true)
    static final class FloorServerCommand implements java.util.concurrent.Callable<Integer> {
        @Override
        public Integer call() throws IOException {
            Thread.ofPlatform().daemon().start(() -> {
                ChildProcess.awaitParentsEnd();
                System.exit(0);
            });
            FloorServer.serve();
            return 0;
        }
    }
}
