package io.dxnet.tools.bench;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What a picture shows of a point. */
enum Metric {
    /** Of all receivers together. */
    RATE("message rate", "Message rate [M msg/s]", r -> r.messagesPerSecond().times(1e-6)),
    /** Of all receivers together. */
    THROUGHPUT(
            "throughput",
            "Payload throughput [MB/s]",
            r -> r.payloadBytesPerSecond().times(1e-6)),
    /** Received by each node on average. */
    NODE_THROUGHPUT(
            "throughput per node",
            "Payload throughput per node [MB/s]",
            r -> r.payloadBytesPerSecond().times(1e-6 / r.point().setup().nodes())),
    /** Of one sending node, as the papers count: two nodes that send to each other count once. */
    MESSAGE_TIME("processing time", "Processing time per message [ns]", Metric::messageTime),
    RTT_AVERAGE("average", "Round-trip time [µs]", rtt(Rtt::avg)),
    RTT_MEDIAN("50th percentile", "Round-trip time [µs]", rtt(Rtt::p50)),
    RTT_95("95th percentile", "Round-trip time [µs]", rtt(Rtt::p95)),
    RTT_99("99th percentile", "Round-trip time [µs]", rtt(Rtt::p99)),
    RTT_999("99.9th percentile", "Round-trip time [µs]", rtt(Rtt::p999));

    private final String label;
    private final String title;
    private final Function<PointResult, Span> value;

    Metric(String label, String title, Function<PointResult, Span> value) {
        this.label = label;
        this.title = title;
        this.value = value;
    }

    /** In a legend. */
    String label() {
        return label;
    }

    /** Of an axis, with the unit. */
    String title() {
        return title;
    }

    /** The value over the runs; null where it was not measured. */
    Span of(PointResult result) {
        return value.apply(result);
    }

    private static Span messageTime(PointResult result) {
        Span rate = result.messagesPerSecond();
        double nanos = 1e9 * result.point().senders();
        return new Span(nanos / rate.avg(), nanos / rate.max(), nanos / rate.min());
    }

    private static Function<PointResult, Span> rtt(ToDoubleFunction<Rtt> column) {
        return result -> result.rtt() == null
                ? null
                : new Span(
                        column.applyAsDouble(result.rtt()),
                        column.applyAsDouble(result.rttMin()),
                        column.applyAsDouble(result.rttMax()));
    }
}
