package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a perftest program printed.
 *
 * @param program which
 * @param iterations as it reports
 * @param messagesPerSecond of a throughput program, else 0; both directions of a bidirectional run
 * @param bytesPerSecond of a throughput program, else 0
 * @param typicalMicros of a latency program, else 0: the median, as a full round trip
 * @param avgMicros of a latency program, else 0
 * @param p99Micros of a latency program, else 0
 * @param p999Micros of a latency program, else 0
 */
record PerftestResult(
        PerftestProgram program,
        long iterations,
        double messagesPerSecond,
        double bytesPerSecond,
        double typicalMicros,
        double avgMicros,
        double p99Micros,
        double p999Micros) {
    /** perftest's MB are these, unless it is asked for gigabits. */
    private static final double MIB = 1 << 20;

    private static final int LARGE_BYTES = 1024;

    private static final String THROUGHPUT = "MsgRate[Mpps]";
    private static final String LATENCY = "t_typical[usec]";

    /**
     * Reads the output.
     *
     * @throws ToolException when there is no result in it, or an impossible one: in emulated
     *     machines the clock sometimes makes it print {@code inf} or 0
     */
    static PerftestResult parse(PerftestProgram program, String output) {
        String title = program.isLatency() ? LATENCY : THROUGHPUT;
        List<String> lines = output.lines().toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).contains("#bytes") && lines.get(i).contains(title)) {
                return row(program, lines.get(i + 1));
            }
        }
        throw new ToolException(program.program() + " printed no result");
    }

    private static PerftestResult row(PerftestProgram program, String line) {
        double[] values;
        try {
            values = Arrays.stream(line.strip().split("\\s+"))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } catch (NumberFormatException e) {
            throw new ToolException(program.program() + " printed '" + line.strip() + "'", e);
        }
        if (values.length < (program.isLatency() ? 9 : 5)
                || Arrays.stream(values).skip(2).anyMatch(value -> !Double.isFinite(value))) {
            throw new ToolException(program.program() + " printed '" + line.strip() + "'");
        }
        PerftestResult result = program.isLatency() ? latency(program, values) : throughput(program, values);
        if (result.messagesPerSecond <= 0 && result.typicalMicros <= 0) {
            throw new ToolException(program.program() + " printed '" + line.strip() + "'");
        }
        return result;
    }

    /**
     * bytes, iterations, peak, average, rate; of large messages
     * the average of bytes has more digits than the rate.
     */
    private static PerftestResult throughput(PerftestProgram program, double[] values) {
        double bytesPerSecond = values[3] * MIB;
        double rate = values[0] >= LARGE_BYTES ? bytesPerSecond / values[0] : values[4] * 1e6;
        return new PerftestResult(program, (long) values[1], rate, bytesPerSecond, 0, 0, 0, 0);
    }

    /** bytes, iterations, min, max, typical, average, deviation, 99 %, 99.9 %. */
    private static PerftestResult latency(PerftestProgram program, double[] values) {
        int factor = program.roundTripFactor();
        return new PerftestResult(
                program,
                (long) values[1],
                0,
                0,
                values[4] * factor,
                values[5] * factor,
                values[7] * factor,
                values[8] * factor);
    }

    Map<String, Object> toMap() {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("program", program.program());
        o.put("iterations", iterations);
        if (program.isLatency()) {
            o.put("p50Micros", typicalMicros);
            o.put("avgMicros", avgMicros);
            o.put("p99Micros", p99Micros);
            o.put("p999Micros", p999Micros);
        } else {
            o.put("messagesPerSecond", messagesPerSecond);
            o.put("payloadBytesPerSecond", bytesPerSecond);
        }
        return o;
    }
}
