package io.dxnet.tools.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import picocli.CommandLine;

/**
 * Runs a command line. An error that its user can repair is one line, the last of the output; a
 * wrong option adds where the help is. All other exceptions are printed with their stack trace.
 */
public final class Tool {
    private Tool() {}

    /**
     * Runs a command.
     *
     * @param line the command
     * @param explained exceptions besides {@link ToolException} whose message states what the user
     *     must do
     * @param arguments as typed
     * @return its exit code; 2 for wrong use, 1 for other failures
     */
    public static int run(CommandLine line, List<Class<? extends Exception>> explained, String... arguments) {
        line.setParameterExceptionHandler((e, typed) -> {
            CommandLine of = e.getCommandLine();
            of.getErr().println(name(of) + ": " + oneLine(e.getMessage()));
            of.getErr().println("help: ./dxnet " + name(of) + " --help");
            return CommandLine.ExitCode.USAGE;
        });
        line.setExecutionExceptionHandler((e, of, parsed) -> {
            of.getErr().println(name(of) + ": " + describe(e, explained));
            return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
        });
        return line.execute(arguments);
    }

    private static String describe(Exception e, List<Class<? extends Exception>> explained) {
        if (e instanceof IllegalArgumentException
                || e instanceof ToolException
                || explained.stream().anyMatch(each -> each.isInstance(e))) {
            return e.getMessage();
        }
        if (e instanceof UncheckedIOException) {
            return oneLine(e.getMessage());
        }
        if (e instanceof FileSystemException file) {
            return OptionFiles.describe(file);
        }
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /** Without the launcher, which some usage texts show with the name. */
    private static String name(CommandLine command) {
        return command.getCommandName().replace("./dxnet ", "");
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
