package io.dxnet.tools.ycsb;

import io.dxnet.ConfigurationException;
import io.dxnet.tools.bench.nodes.BenchException;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The entry of {@code ./dxnet ycsb}. */
public final class Main {
    private Main() {}

    /**
     * Runs the command; exits with 0 when all went well, 1 when an operation failed or read something wrong, 2 for wrong use.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(String... arguments) {
        CommandLine line = new CommandLine(new YcsbCommand());
        line.setExecutionExceptionHandler((e, commandLine, parsed) -> {
            commandLine.getErr().println("ycsb: " + describe(e));
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
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }
}
