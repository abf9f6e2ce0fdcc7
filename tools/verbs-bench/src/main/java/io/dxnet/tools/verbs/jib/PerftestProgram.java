package io.dxnet.tools.verbs.jib;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs of the perftest package, the C reference, and which of our
 * cases each is the counterpart of.
 */
enum PerftestProgram {
    /** Throughput of sends. */
    SEND_BW("ib_send_bw", Transfer.SEND, false, true),
    /** Throughput of RDMA writes. */
    WRITE_BW("ib_write_bw", Transfer.WRITE, false, false),
    /** Throughput of RDMA reads. */
    READ_BW("ib_read_bw", Transfer.READ, false, true),
    /** Half a round trip of sends. */
    SEND_LAT("ib_send_lat", Transfer.SEND, true, true),
    /** Half a round trip of RDMA writes. */
    WRITE_LAT("ib_write_lat", Transfer.WRITE, true, false),
    /** One RDMA read. */
    READ_LAT("ib_read_lat", Transfer.READ, true, true);

    private final String program;
    private final Transfer transfer;
    private final boolean latency;
    private final boolean sleeps;

    PerftestProgram(String program, Transfer transfer, boolean latency, boolean sleeps) {
        this.program = program;
        this.transfer = transfer;
        this.latency = latency;
        this.sleeps = sleeps;
    }

    /** The counterpart of a case, or null where perftest has none. */
    static PerftestProgram of(Case point) {
        for (PerftestProgram each : values()) {
            if (each.transfer == point.transfer() && each.covers(point.pattern())) {
                return each;
            }
        }
        return null;
    }

    private boolean covers(Pattern pattern) {
        return switch (pattern) {
            case UNI, BI -> !latency;
            case LATENCY -> this == READ_LAT;
            case PING_PONG -> latency && this != READ_LAT;
        };
    }

    String program() {
        return program;
    }

    boolean isLatency() {
        return latency;
    }

    /** Can wait for completions asleep, which matters where one processor serves both ends. */
    boolean sleeps() {
        return sleeps;
    }

    /** What makes its times full round trips: perftest prints half of them, but for reads. */
    int roundTripFactor() {
        return latency && this != READ_LAT ? 2 : 1;
    }

    /** The words of both ends, without the device. */
    List<String> arguments(Case point, int tcpPort, long iterations, boolean asleep) {
        List<String> words = new ArrayList<>(List.of(
                program,
                "-F",
                "-p",
                Integer.toString(tcpPort),
                "-s",
                Integer.toString(point.size()),
                "-n",
                Long.toString(iterations)));
        if (point.pattern() == Pattern.BI) {
            words.add("-b");
        }
        if (asleep) {
            words.add("-e");
        }
        return words;
    }

    static List<String> deviceArguments(EndOptions end, int gidIndex) {
        return List.of(
                "-d",
                end.port().device(),
                "-i",
                Integer.toString(end.port().number()),
                "-x",
                Integer.toString(gidIndex));
    }

    /** Whether the program is on the PATH of this process. */
    boolean isInstalled() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
