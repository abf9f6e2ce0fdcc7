package io.dxnet.tools.ledger;

import io.dxnet.tools.cli.Tool;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** The entry of {@code ./dxnet ledger}. */
public final class Main {
    /**
     * Ends of connections and strangers are what this is about: no line for each. A
     * strong reference keeps the level.
     */
    private static final Logger LOGGER = Logger.getLogger("io.dxnet");

    private static final String CYCLES = "cycles";
    private static final String SILENT = "silent";
    private static final String VIRTUAL = "virtual";

    private Main() {}

    /**
     * Runs the command; exits with 0 when the books add up, 1 when they do not, 2 for wrong use.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        LOGGER.setLevel(Level.OFF);
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        Object command = switch (first) {
            case CYCLES -> new CyclesCommand();
            case SILENT -> new SilentCommand();
            case VIRTUAL -> new VirtualCommand();
            default -> new LedgerCommand();
        };
        CommandLine line = new CommandLine(command);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOverwrittenOptionsAllowed(true); // a script's options and then the user's
        return Tool.run(
                line,
                List.of(),
                command instanceof LedgerCommand ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
