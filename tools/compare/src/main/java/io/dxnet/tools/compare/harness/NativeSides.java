package io.dxnet.tools.compare.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Both sides of a {@link NativePeer}: passes the commands of a round to its programs. */
final class NativeSides implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final String NO_CONNECTIONS = "0 0";

    private final NativePeer peer;
    /** Made with the programs, before the first round. */
    private Path folder;
    /** The programs of the round, or null between two. */
    private PeerLink programs;

    NativeSides(NativePeer peer) {
        this.peer = peer;
    }

    /** Executes a command for the receiving side. */
    String server(String command, String arguments) throws Exception {
        return switch (command) {
            case Commands.OPEN -> open(Workload.decode(arguments));
            case Commands.CLOSE -> end();
            default -> pass(PeerRun.SERVER, command, arguments, 0);
        };
    }

    /** Executes a command for the sending side, which begins and ends with the other one. */
    String client(String command, String arguments) throws Exception {
        return switch (command) {
            case Commands.OPEN, Commands.CLOSE -> Commands.OK;
            case Commands.CONNECTIONS -> NO_CONNECTIONS;
            case Commands.TRIPS -> trips(arguments);
            default -> pass(PeerRun.CLIENT, command, arguments, 0);
        };
    }

    /** Returns when the programs are ready. */
    private String open(Workload workload) throws Exception {
        end();
        if (folder == null) {
            Path made = Files.createTempDirectory("dxnet-compare-");
            folder = made;
            peer.make(made);
        }
        programs = new PeerLink(peer, "programs", peer.command(folder, workload));
        return pass(PeerRun.SERVER, Commands.PROBE, "", 0);
    }

    private String trips(String arguments) throws PeerException {
        long ns = Arrays.stream(Commands.numbers(arguments)).sum();
        String answer = pass(PeerRun.CLIENT, Commands.TRIPS, arguments, TimeUnit.NANOSECONDS.toSeconds(ns));
        List<String> words = List.of(answer.split(" "));
        return words.getFirst() + " " + Times.encode(Times.ofPairs(words.subList(1, words.size())));
    }

    private String pass(String side, String command, String arguments, long seconds) throws PeerException {
        if (programs == null) {
            throw new PeerException("no round is open");
        }
        return programs.ask(side, command, arguments, PATIENCE_SECONDS + seconds);
    }

    private String end() {
        if (programs != null) {
            programs.close();
            programs = null;
        }
        return Commands.OK;
    }

    /** Ends the programs, and deletes them. */
    @Override
    public void close() throws IOException {
        end();
        if (folder == null) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
