package io.dxnet.tools.compare.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * One of the two processes of a peer: does the work of one side, or of both.
 * It ends with its standard input.
 */
public final class PeerProcess {
    private PeerProcess() {}

    /**
     * Executes commands until there are no more.
     *
     * @param peer what runs here
     * @throws IOException when the commands can't be read
     */
    public static void run(Peer peer) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err); // libraries may print what they like
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                NativeSides sides = peer instanceof NativePeer programs ? new NativeSides(programs) : null) {
            Commands server = sides == null ? new ServerSide(peer) : sides::server;
            Commands client = sides == null ? new ClientSide(peer) : sides::client;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 3); // the last one may be empty
                Commands side = words[0].equals(PeerRun.SERVER) ? server : client;
                out.println(Commands.ANSWER + answer(peer, side, words[1], words[2]));
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
