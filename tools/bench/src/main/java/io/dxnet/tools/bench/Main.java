package io.dxnet.tools.bench;

import io.dxnet.tools.bench.keys.KeysCommand;
import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.cli.Tool;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of {@code ./dxnet bench}, {@code ./dxnet info} and {@code ./dxnet keys}. */
@Command(
        name = "dxnet",
        subcommands = {BenchCommand.class, InfoCommand.class, KeysCommand.class, Main.FloorServerCommand.class},
        description = "DXNet's tools.")
public final class Main {
    private Main() {}

    /**
     * Runs a command; exits with 0 on success, 1 when a message
     * or a node was lost or damaged, 2 for wrong use.
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
        return Tool.run(line, List.of(), arguments);
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
