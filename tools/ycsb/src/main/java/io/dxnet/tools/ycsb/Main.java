package io.dxnet.tools.ycsb;

import io.dxnet.tools.cli.Tool;
import java.util.List;
import picocli.CommandLine;

/** The entry of {@code ./dxnet ycsb}. */
public final class Main {
    private Main() {}

    /**
     * Runs the command; exits with 0 on success, 1 when an
     * operation failed or read something wrong, 2 for wrong use.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(String... arguments) {
        return Tool.run(new CommandLine(new YcsbCommand()), List.of(), arguments);
    }
}
