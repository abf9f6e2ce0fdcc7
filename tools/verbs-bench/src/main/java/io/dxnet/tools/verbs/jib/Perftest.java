package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs the C reference between the same two devices: its server at
 * the benchmark's server, its client here. One thread.
 */
final class Perftest {
    private static final int PORT_MIN = 20_000;
    private static final int PORT_MAX = 30_000;
    private static final int TRIES = 3;
    private static final long ITERATIONS_MIN = 10;
    private static final long ITERATIONS_MAX = 100_000;

    private final Control control;
    private final EndOptions end;
    private final int gidIndex;
    private final boolean asleep;

    /**
     * Uses the control channel of two connected ends.
     *
     * @param control to the server
     * @param end what this end uses
     * @param gidIndex of this end
     * @param asleep wait for completions asleep: both ends share one processor
     */
    Perftest(Control control, EndOptions end, int gidIndex, boolean asleep) {
        this.control = control;
        this.end = end;
        this.gidIndex = gidIndex;
        this.asleep = asleep;
    }

    /** Why the counterpart of a case can't be run, or null. */
    String whyNot(PerftestProgram program) {
        if (!program.isInstalled()) {
            return program.program()
                    + " is not installed (Debian: apt-get install perftest): no C reference beside ours";
        }
        if (asleep && !program.sleeps()) {
            return program.program() + " only spins, and both ends share one processor: left out";
        }
        return null;
    }

    /**
     * Runs the counterpart of a case; impossible results are thrown away and measured again.
     *
     * @param point a case with a counterpart
     * @param iterations about so many
     */
    PerftestResult measure(Case point, long iterations) {
        PerftestProgram program = PerftestProgram.of(point);
        for (int attempt = 1; ; attempt++) {
            String output = run(program, point, Math.clamp(iterations, ITERATIONS_MIN, ITERATIONS_MAX));
            try {
                return PerftestResult.parse(program, output);
            } catch (ToolException e) {
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    private String run(PerftestProgram program, Case point, long iterations) {
        int tcpPort = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
        List<String> words = program.arguments(point, tcpPort, iterations, asleep && program.sleeps());
        control.send(Control.Command.PERFTEST);
        Control.io(() -> {
            control.out().writeInt(tcpPort);
            control.out().writeInt(words.size());
            for (String word : words) {
                control.out().writeUTF(word);
            }
            control.out().flush();
            return null;
        });
        checkAnswer();
        List<String> own = new ArrayList<>(words);
        own.addAll(PerftestProgram.deviceArguments(end, gidIndex));
        own.add(control.remoteAddress().getHostAddress());
        String output = null;
        ToolException failure = null;
        try (PerftestProcess process = new PerftestProcess(own)) {
            output = process.awaitEnd();
        } catch (ToolException e) {
            failure = e;
        }
        control.signal();
        try {
            checkAnswer();
        } catch (ToolException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw failure;
        }
        return output;
    }

    private void checkAnswer() {
        boolean ok = Control.io(() -> control.in().readBoolean());
        if (!ok) {
            throw new ToolException(Control.io(() -> control.in().readUTF()));
        }
    }
}
