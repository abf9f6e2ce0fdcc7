package io.dxnet.tools.compare;

import io.dxnet.tools.cli.Tool;
import io.dxnet.tools.compare.harness.PeerProcess;
import io.dxnet.tools.compare.peers.Peers;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;

/** The entry of {@code ./dxnet compare}, and of the processes that it starts. */
public final class Main {
    /** The first argument of a peer's process; its name follows. */
    static final String PEER_PROCESS = "peer-process";

    private Main() {}

    /**
     * Compares; exits with 0 on success, 1 when a peer failed or
     * a message was lost or damaged, 2 for wrong use.
     *
     * @param arguments as typed
     * @throws IOException when a peer's process can't read its commands
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 2 && arguments[0].equals(PEER_PROCESS)) {
            PeerProcess.run(Peers.named(arguments[1]));
            Runtime.getRuntime().halt(0); // whatever threads a library still has
        }
        System.exit(run(arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(String... arguments) {
        return Tool.run(new CommandLine(new CompareCommand()), List.of(), arguments);
    }
}
