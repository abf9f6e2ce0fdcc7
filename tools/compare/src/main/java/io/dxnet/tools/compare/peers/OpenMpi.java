package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Workload;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Open MPI of this machine: its compiler and its launcher.
 *
 * @param version for instance 4.1.4
 */
record OpenMpi(String version) {
    private static final String SOURCE = "openmpi.c";
    private static final String PROGRAM = "openmpi";
    private static final String CONTROL = "control";
    private static final Pattern VERSION = Pattern.compile("\\(Open MPI\\) (\\d+\\.\\S+)");
    private static final int VADER_UNTIL = 4;
    private static final long PATIENCE_SECONDS = 60;

    /** Asks both programs. */
    static OpenMpi find() throws IOException {
        run(List.of("mpicc", "--version"));
        return of(run(List.of("mpirun", "--version")));
    }

    /** From what {@code mpirun --version} prints. */
    static OpenMpi of(String printed) throws IOException {
        Matcher matcher = VERSION.matcher(printed);
        if (!matcher.find()) {
            throw new IOException("mpirun is not that of Open MPI");
        }
        return new OpenMpi(matcher.group(1));
    }

    /** Compiles the program into a folder. */
    static void compile(Path folder) throws IOException {
        Path source = folder.resolve(SOURCE);
        try (InputStream in = OpenMpi.class.getResourceAsStream("/io/dxnet/tools/compare/" + SOURCE)) {
            if (in == null) {
                throw new FileNotFoundException(SOURCE);
            }
            Files.copy(in, source);
        }
        String program = folder.resolve(PROGRAM).toString();
        run(List.of("mpicc", "-O2", "-std=gnu11", "-pthread", "-o", program, source.toString()));
    }

    /** How the two programs are started. */
    List<String> command(Path folder, Workload workload, boolean shared, int processors) {
        List<String> command = new ArrayList<>(List.of("mpirun", "-np", "2", "--allow-run-as-root", "--oversubscribe"));
        command.addAll(List.of("--bind-to", "none"));
        option(command, "pml", "ob1");
        option(command, "btl", shared ? sharedMemory() + ",self" : "tcp,self");
        option(command, "btl_tcp_if_include", "lo");
        option(command, "oob_tcp_if_include", "lo"); // of the launcher
        option(command, "mpi_yield_when_idle", workload.threads() + 1 > processors ? "1" : "0");
        command.add(folder.resolve(PROGRAM).toString());
        command.add(folder.resolve(CONTROL).toString());
        command.add(workload.mode().name());
        command.add(Integer.toString(workload.size()));
        command.add(Integer.toString(workload.threads()));
        command.add(Boolean.toString(workload.verify()));
        return command;
    }

    private static void option(List<String> command, String name, String value) {
        command.addAll(List.of("--mca", name, value));
    }

    /** The name of the shared memory transport, which version 5 changed. */
    private String sharedMemory() {
        int major = Integer.parseInt(version.substring(0, version.indexOf('.')));
        return major <= VADER_UNTIL ? "vader" : "sm";
    }

    /** Each round begins with counters that are 0. */
    static void clear(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(CONTROL));
    }

    /** Runs a command to its end; returns what it printed. */
    private static String run(List<String> command) throws IOException {
        Path out = Files.createTempFile("dxnet-compare-", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            if (!Patience.on(() -> process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))) {
                process.destroyForcibly();
                throw new IOException(command.getFirst() + " does not end");
            }
            String printed = Files.readString(out, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(command.getFirst() + " failed: " + printed.strip());
            }
            return printed;
        } finally {
            Files.deleteIfExists(out);
        }
    }
}
