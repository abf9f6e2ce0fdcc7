package io.dxnet.tools.compare.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** One of the two processes of a peer. It ends with its standard input. */
public final class PeerProcess {
    private PeerProcess() {}

    /**
     * Executes commands until there are no more.
     *
     * @param peer what runs here
     * @param server which side
     * @throws IOException when the commands can't be read
     */
    public static void run(Peer peer, boolean server) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err); // libraries may print what they like
        Commands side = server ? new ServerSide(peer) : new ClientSide(peer);
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                String command = space < 0 ? line : line.substring(0, space);
                String arguments = space < 0 ? "" : line.substring(space + 1);
                out.println(Commands.ANSWER + answer(peer, side, command, arguments));
                out.flush();
            }
        }
    }

    private static String answer(Peer peer, Commands side, String command, String arguments) {
        try {
            return switch (command) {
                case Commands.PROBE -> peer.unavailabilityCause().orElse(Commands.OK);
                case Commands.DETAIL -> peer.onThisMachine();
                default -> side.execute(command, arguments);
            };
        } catch (Exception | LinkageError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            System.err.println(trace);
            return Commands.FAILED + command + ": " + e.toString().replace('\n', ' ');
        }
    }
}
