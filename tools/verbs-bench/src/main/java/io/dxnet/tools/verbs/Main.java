package io.dxnet.tools.verbs;

import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.VerbsUnavailableException;
import io.dxnet.tools.cli.Tool;
import io.dxnet.tools.verbs.endpoints.EndpointsBenchCommand;
import io.dxnet.tools.verbs.jib.VerbsBenchCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of {@code ./dxnet verbs-bench} and {@code ./dxnet endpoints-bench}. */
@Command(
        name = "dxnet",
        subcommands = {VerbsBenchCommand.class, EndpointsBenchCommand.class},
        description = "Benchmarks of the verbs binding.")
public final class Main {
    private Main() {}

    /**
     * Runs a command; exits with 0 on success, 1 when
     * something failed or was damaged, 2 for wrong use.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs a command.
     *
     * @param arguments as typed
     * @return its exit code
     */
    public static int run(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return Tool.run(line, List.of(VerbsException.class, VerbsUnavailableException.class), arguments);
    }
}
