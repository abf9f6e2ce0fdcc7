package io.dxnet.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Whether a part of the data path has become slower, beside a floor or peer of the same run. One
 * thread each: how threads share a machine is not what changes of the code change.
 *
 * <p>Of many short iterations the fastest counts, one that nothing else on the machine interrupted.
 * What is above its bound is measured again, up to {@value #ATTEMPTS} times, with its floor, and
 * the fastest of all attempts counts. The bounds are {@value #MARGIN} times the ratios measured:
 * README of this module. On another processor than theirs the ratios are reported and fail
 * nothing.
 */
final class SpeedGate {
    private static final int ATTEMPTS = 4;
    private static final double MARGIN = 1.4;

    /** Of the processor that the ratios were measured on. */
    private static final String PROCESSOR = "AMD EPYC";

    private final ForkOptions forks;

    SpeedGate(ForkOptions forks) {
        this.forks = forks;
    }

    private static SpeedRatio ratio(String what, String benchmark, String floor, double measured) {
        return new SpeedRatio(what, benchmark, floor, measured * MARGIN);
    }

    static List<SpeedRatio> ratios() {
        return List.of(
                ratio("message, from call to ring", "StructureSender.send", "StructureSender.floor", 3.4),
                ratio("message, from store to callback", "StructureHandler.handle", "StructureHandler.floor", 4.05),
                ratio("read of another node's memory", "RemoteRead.region", "RemoteRead.verbs", 1.2),
                ratio("record written", "StructureCodec.writeRecord", "StructureCodec.writeRecordByHand", 1),
                ratio("record read", "StructureCodec.readRecord", "StructureCodec.readRecordByHand", 1.35),
                ratio("array written", "StructureCodec.writeArray", "StructureCodec.writeArrayByHand", 1.07),
                ratio("array read", "StructureCodec.readArray", "StructureCodec.readArrayByHand", 1),
                ratio("long written", "StructureExporter.writeLong", "StructureExporter.bufferLong", 1.7),
                ratio("bytes written", "StructureExporter.writeBytes", "StructureExporter.bufferBytes", 1),
                ratio("long read", "StructureImporter.readLong", "StructureImporter.bufferLong", 1.65),
                ratio("bytes read", "StructureImporter.readBytes", "StructureImporter.bufferBytes", 1),
                ratio(
                        "request added and completed",
                        "StructureRequestMap.requestMap",
                        "StructureRequestMap.concurrentHashMap",
                        0.6),
                ratio(
                        "interest posted and drained",
                        "StructureInterest.postAndDrain",
                        "StructureInterest.jctoolsPostAndDrain",
                        1.4));
    }

    /** Runs all; returns whether none has become slower, as far as that is known. */
    boolean run() throws RunnerException, IOException {
        boolean judged = MarkdownTables.processor().contains(PROCESSOR);
        System.out.println("gate: speed beside floors and peers; a minute and a half ...");
        List<SpeedRatio> all = ratios();
        List<SpeedRatio> left = all;
        for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
            Collection<RunResult> results = measure(left);
            List<SpeedRatio> again = new ArrayList<>();
            for (SpeedRatio each : left) {
                each.add(results);
                System.out.printf("gate: %-6s %s%n", each.isGood() ? "ok" : "again", each);
                if (!each.isGood()) {
                    again.add(each);
                }
            }
            left = again;
        }
        String missed = judged ? "FAILED" : "missed";
        left.forEach(each -> System.out.println("gate: " + missed + " " + each));
        System.out.printf(
                "gate: speed %s: %d ratios, each at most %.1f of what was measured on %s%n",
                left.isEmpty() ? "passed" : judged ? missed : "missed (reported only, on this processor)",
                all.size(),
                MARGIN,
                PROCESSOR);
        return left.isEmpty() || !judged;
    }

    private Collection<RunResult> measure(List<SpeedRatio> ratios) throws RunnerException {
        ChainedOptionsBuilder options = forks.add(new OptionsBuilder().forks(2).verbosity(VerboseMode.SILENT))
                .param("reusable", "true")
                .param("outstanding", "1000")
                .warmupIterations(3)
                .warmupTime(TimeValue.milliseconds(200))
                .measurementIterations(100)
                .measurementTime(TimeValue.milliseconds(4));
        Set<String> patterns = new LinkedHashSet<>();
        ratios.forEach(each -> patterns.addAll(each.patterns()));
        patterns.forEach(options::include);
        return new Runner(options.build()).run();
    }
}
