package io.dxnet.jmh;

import io.dxnet.ibverbs.VerbsCallee;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What the test ladder runs. The data path must not allocate, nor become slower beside its floors
 * and peers ({@link SpeedGate}): that fails the gate. What a post and a poll cost through FFM, JNI
 * and C is reported, and fails it only when asked to, because machines that test are busy with
 * other things.
 */
final class Gate {
    static final double BYTES_PER_OPERATION_MAX = 0.01;

    /** FFM costs at most this part of JNI, in the same run. */
    static final double OF_JNI_MAX = 0.5;

    /**
     * FFM costs at most this much more than C, in the same run, where the call costs
     * {@link #REFERENCE_JNI_NS} through JNI. On a slower or faster machine the bound is in
     * proportion. Nanoseconds alone depend as much on a shared machine's neighbours as on the call.
     */
    static final double ABOVE_C_NS_MAX = 3;

    /** A static native method with three longs on the machine that the bound was made on. */
    static final double REFERENCE_JNI_NS = 10.6;

    /** Of one iteration, in the first and in later attempts. */
    private static final int[] ITERATION_MS = {200, 1_000, 4_000};

    /**
     * All of the data path that runs for each message, item or call. Not the reader of strings: a
     * string is an object, so to read one allocates it. Not the exchange over the software device:
     * that is Java too, and stands in for hardware.
     */
    private static final String[] DATA_PATH = {
        "\\.Verbs(Post|Receive|Poll|SoftPoll)\\.ffm(Filled)?$",
        "\\.RemoteRead\\.region$",
        "\\.RemoteMessages\\.",
        "\\.StructureRing\\.withCub$",
        "\\.StructureHeaderStore\\.headerStore$",
        "\\.StructureIncomingQueue\\.incomingBufferQueue$",
        "\\.StructureInterest\\.post",
        "\\.StructureRequestMap\\.requestMap$",
        "\\.StructureSender\\.send$",
        "\\.StructureExporter\\.write",
        "\\.StructureCodec\\.write",
        "\\.StructureImporter\\.read(Byte|Int|Long|Double|CompactInt|Bytes|Longs|Object)$"
    };

    private final ForkOptions forks;
    private final boolean strict;

    /**
     * A gate.
     *
     * @param forks what the forks need
     * @param strict whether the ratios fail it as well
     */
    Gate(ForkOptions forks, boolean strict) {
        this.forks = forks;
        this.strict = strict;
    }

    /** Runs all parts; returns the exit code. */
    int run() throws RunnerException, IOException {
        boolean clean = allocation();
        boolean fast = new SpeedGate(forks).run();
        int calls = runCalls();
        return clean && fast ? calls : 1;
    }

    /** Runs the part that compares verbs calls; returns the exit code. */
    int runCalls() throws RunnerException {
        return ratios() || !strict ? 0 : 1;
    }

    /**
     * Runs all for a moment, and those that seem to allocate again for longer.
     * On a busy machine a moment may be too short for the JIT, and what JMH
     * itself allocates in an iteration counts for more than it should.
     */
    private boolean allocation() throws RunnerException {
        System.out.println("gate: bytes per operation of the data path; a minute and a half on an idle machine ...");
        List<String> left = List.of(DATA_PATH);
        int count = 0;
        for (int iterationMs : ITERATION_MS) {
            List<String> again = new ArrayList<>();
            for (RunResult result : measureAllocation(left, iterationMs)) {
                double bytes = steadyBytes(result);
                boolean ok = bytes < BYTES_PER_OPERATION_MAX;
                System.out.printf("gate: %-6s %8.4f B/op  %s%n", ok ? "ok" : "again", bytes, nameOf(result));
                if (!ok) {
                    again.add(Pattern.quote(result.getParams().getBenchmark()) + "$");
                }
                count += iterationMs == ITERATION_MS[0] ? 1 : 0;
            }
            left = again;
            if (left.isEmpty()) {
                break;
            }
        }
        left.forEach(name -> System.out.println("gate: FAILED " + name + " allocates"));
        System.out.printf(
                "gate: allocation %s: %d benchmarks of the data path, below %.2f B/op each%n",
                left.isEmpty() ? "passed" : "FAILED", count, BYTES_PER_OPERATION_MAX);
        return left.isEmpty();
    }

    /**
     * The least of all iterations: what an operation allocates, it allocates
     * in each of them. More than that in one is what happens once, a method
     * handle that is specialized or code that is compiled again.
     */
    private static double steadyBytes(RunResult result) {
        double least = Double.MAX_VALUE;
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                least = Math.min(least, Allocation.perOperation(iteration.getSecondaryResults()));
            }
        }
        return least;
    }

    private Collection<RunResult> measureAllocation(List<String> patterns, int iterationMs) throws RunnerException {
        // -Xbatch: the benchmark waits for the JIT.
        ChainedOptionsBuilder options = options()
                .jvmArgsAppend("-Xbatch")
                .warmupIterations(3)
                .warmupTime(TimeValue.milliseconds(iterationMs))
                .measurementIterations(4)
                .measurementTime(TimeValue.milliseconds(iterationMs))
                .param("callee", "EMPTY")
                .param("chain", "32")
                .param("producers", "4")
                .param("consumers", "2")
                .param("outstanding", "1000")
                .addProfiler(GCProfiler.class);
        patterns.forEach(options::include);
        return new Runner(options.build()).run();
    }

    private boolean ratios() throws RunnerException {
        if (!forks.hasLibrary()) {
            forks.printSkipped(List.of("\\.Verbs(Post|Poll)\\."));
            System.out.println("gate: ratios skipped: no C library");
            return true;
        }
        // Many short iterations, of which the fastest counts: one that nothing else on the machine
        // interrupted. Two forks: the JIT does not make the same of each.
        ChainedOptionsBuilder options = options()
                .forks(2)
                .include("\\.Verbs(Post|Receive|Poll|SoftPost|SoftPoll)\\.(ffm|jni|inC)$")
                .param("chain", "1")
                .warmupIterations(4)
                .warmupTime(TimeValue.milliseconds(200))
                .measurementIterations(150)
                .measurementTime(TimeValue.milliseconds(3));
        System.out.println("gate: verbs calls through FFM, JNI and C; a minute ...");
        Map<String, CallCost> costs = new TreeMap<>();
        for (RunResult result : new Runner(options.build()).run()) {
            String verb = result.getParams().getBenchmark().replaceFirst("^.*\\.Verbs(\\w+)\\.\\w+$", "$1");
            String callee = result.getParams().getParam("callee");
            // What a callee in C costs that works is mostly its own, and how
            // much of a caller's work the processor does beside it.
            boolean judged = !VerbsCallee.DRIVER.name().equals(callee);
            String name = verb.toLowerCase() + ", callee " + (callee == null ? "soft0" : callee);
            costs.computeIfAbsent(name, each -> new CallCost(each, judged)).add(result);
        }
        boolean passed = true;
        for (CallCost cost : costs.values()) {
            passed &= cost.isGood();
            System.out.println("gate: " + cost);
        }
        System.out.printf(
                "gate: ratios %s: with an empty callee and on soft0, FFM at most %.1f of JNI and, where JNI takes %.1f ns, %.0f ns above C%n",
                passed ? "passed" : strict ? "FAILED" : "missed (reported only)",
                OF_JNI_MAX,
                REFERENCE_JNI_NS,
                ABOVE_C_NS_MAX);
        return passed;
    }

    private ChainedOptionsBuilder options() {
        return forks.add(new OptionsBuilder().forks(1).verbosity(VerboseMode.SILENT));
    }

    private static String nameOf(RunResult result) {
        return result.getParams().getBenchmark().replaceFirst("^.*\\.(\\w+\\.\\w+)$", "$1");
    }
}
