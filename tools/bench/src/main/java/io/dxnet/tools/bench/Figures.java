package io.dxnet.tools.bench;

import static io.dxnet.tools.bench.Dimension.HANDLERS;
import static io.dxnet.tools.bench.Dimension.NODES;
import static io.dxnet.tools.bench.Dimension.PARKING;
import static io.dxnet.tools.bench.Dimension.SIZE;
import static io.dxnet.tools.bench.Dimension.THREADS;
import static io.dxnet.tools.bench.Dimension.TRANSPORT;
import static io.dxnet.tools.bench.Metric.MESSAGE_TIME;
import static io.dxnet.tools.bench.Metric.NODE_THROUGHPUT;
import static io.dxnet.tools.bench.Metric.RATE;
import static io.dxnet.tools.bench.Metric.RTT_95;
import static io.dxnet.tools.bench.Metric.RTT_99;
import static io.dxnet.tools.bench.Metric.RTT_999;
import static io.dxnet.tools.bench.Metric.RTT_AVERAGE;
import static io.dxnet.tools.bench.Metric.THROUGHPUT;

import java.util.List;

/** The figures of the papers that {@code ./dxnet bench} measures again. */
final class Figures {
    private static final String FULL = " --seconds 0.5 --warmup 0.3 --runs 3";
    private static final String QUICK = "--seconds 0.2 --warmup 0.1 --runs 1";
    private static final String QUICK_SIZES = QUICK + " --size 1,64,4K,64K";
    private static final String QUICK_SMALL_SIZES = QUICK + " --size 1,64,1K,16K";

    private static final List<Figure> ALL = List.of(
            new Figure(
                    "message-cost",
                    "DXNet, Figure 10",
                    "Processing time per message and throughput over the size, both directions, loopback transport",
                    "--transport loopback --pattern bi --size 1..16K --threads 1 --handlers 4" + FULL,
                    QUICK_SMALL_SIZES,
                    points(SIZE, List.of(), List.of(MESSAGE_TIME), List.of(THROUGHPUT))),
            new Figure(
                    "handlers",
                    "DXNet, Figure 11",
                    "Processing time per 1 KiB message over the sending threads, for 1 to 128 handlers",
                    "--transport loopback --pattern bi --size 1K --threads 1..128 --handlers 1..128" + FULL,
                    QUICK + " --threads 1,8,128 --handlers 1,4,128",
                    points(THREADS, List.of(HANDLERS), List.of(MESSAGE_TIME), List.of())),
            new Figure(
                    "rtt-threads",
                    "DXNet, Figure 12",
                    "Round-trip times of 1-byte requests over the sending threads, both directions",
                    "--transport loopback --pattern rtt-all-to-all --size 1 --threads 1..128 --handlers 2" + FULL,
                    QUICK + " --threads 1,8,128",
                    List.of(new PointsPicture(
                            "", THREADS, List.of(), List.of(RTT_AVERAGE, RTT_95, RTT_99, RTT_999), List.of(), true))),
            new Figure(
                    "parking",
                    "DXNet, Figure 15",
                    "Round-trip time of 1-byte requests over the sending threads, for each parking strategy",
                    "--transport loopback --pattern rtt-all-to-all --size 1 --threads 1..128 --handlers 2"
                            + " --parking never,always,adaptive" + FULL,
                    QUICK + " --threads 1,8,128",
                    List.of(new PointsPicture("", THREADS, List.of(PARKING), List.of(RTT_AVERAGE), List.of(), true))),
            new Figure(
                    "transports",
                    "DXNet, Figure 16",
                    "Processing time per message and throughput over the size, both directions, for each transport",
                    "--transport all --pattern bi --size 1..16K --threads 1 --handlers 2" + FULL,
                    QUICK_SMALL_SIZES,
                    List.of(
                            new PointsPicture("time", SIZE, List.of(TRANSPORT), List.of(MESSAGE_TIME), List.of(), true),
                            new PointsPicture(
                                    "throughput", SIZE, List.of(TRANSPORT), List.of(THROUGHPUT), List.of(), true))),
            new Figure(
                    "transports-rtt",
                    "DXNet, Figure 17",
                    "Round-trip time and throughput of 4 threads over the size, both directions, for each transport",
                    "--transport all --pattern rtt-all-to-all --size 1..16K --threads 4 --handlers 2" + FULL,
                    QUICK_SMALL_SIZES,
                    List.of(
                            new PointsPicture("time", SIZE, List.of(TRANSPORT), List.of(RTT_AVERAGE), List.of(), true),
                            new PointsPicture(
                                    "throughput", SIZE, List.of(TRANSPORT), List.of(THROUGHPUT), List.of(), true))),
            new Figure(
                    "nodes",
                    "DXNet, Figures 18 and 19",
                    "All-to-all throughput over the number of nodes, of each node and of all together",
                    "--transport nio --pattern all-to-all --size 64,4K --nodes 2..8 --threads 1 --handlers 2" + FULL,
                    QUICK + " --nodes 2,4",
                    List.of(
                            new PointsPicture(
                                    "per-node", NODES, List.of(SIZE), List.of(NODE_THROUGHPUT), List.of(), false),
                            new PointsPicture(
                                    "aggregated", NODES, List.of(SIZE), List.of(THROUGHPUT), List.of(), false))),
            new Figure(
                    "rtt-nodes",
                    "DXNet, Figure 20",
                    "All-to-all round-trip time of 64-byte requests over the number of nodes, for 1, 16 and 100 threads",
                    "--transport nio --pattern rtt-all-to-all --size 64 --nodes 2..8 --threads 1,16,100 --handlers 2"
                            + FULL,
                    QUICK + " --nodes 2,4 --threads 1,16",
                    points(NODES, List.of(THREADS), List.of(RTT_AVERAGE), List.of())),
            new Figure(
                    "uni",
                    "Ibdxnet, Figure 11",
                    "One way, one sending thread: throughput and message rate over the size, for 1, 2 and 4 handlers",
                    "--pattern uni --size 1..1M --threads 1 --handlers 1,2,4" + FULL,
                    QUICK_SIZES + " --handlers 1,4",
                    points(SIZE, List.of(HANDLERS), List.of(THROUGHPUT), List.of(RATE))),
            new Figure(
                    "bi",
                    "Ibdxnet, Figure 12",
                    "Both ways, one sending thread: throughput and message rate over the size, for 1, 2 and 4 handlers",
                    "--pattern bi --size 1..1M --threads 1 --handlers 1,2,4" + FULL,
                    QUICK_SIZES + " --handlers 1,4",
                    points(SIZE, List.of(HANDLERS), List.of(THROUGHPUT), List.of(RATE))),
            new Figure(
                    "rtt",
                    "Ibdxnet, Figure 13",
                    "Round-trip times over the size, one sending thread, one handler",
                    "--pattern rtt --size 1..1M --threads 1 --handlers 1" + FULL,
                    QUICK_SIZES,
                    List.of(
                            new PointsPicture(
                                    "",
                                    SIZE,
                                    List.of(),
                                    List.of(RTT_AVERAGE, RTT_95, RTT_99, RTT_999),
                                    List.of(),
                                    true),
                            new PointsPicture("rate", SIZE, List.of(), List.of(RATE), List.of(), false))),
            new Figure(
                    "all-to-all",
                    "Ibdxnet, Figure 14",
                    "All-to-all, one sending thread: throughput and message rate of all nodes over the size",
                    "--pattern all-to-all --size 1..1M --nodes 2,4,6,8 --threads 1 --handlers 1" + FULL,
                    QUICK_SIZES + " --nodes 2,4",
                    points(SIZE, List.of(NODES), List.of(THROUGHPUT), List.of(RATE))),
            new Figure(
                    "uni-threads",
                    "Ibdxnet, Figure 15",
                    "One way, 4 handlers: throughput and message rate over the size, for 1 to 16 sending threads",
                    "--pattern uni --size 1..1M --threads 1..16 --handlers 4" + FULL,
                    QUICK_SIZES + " --threads 1,16",
                    points(SIZE, List.of(THREADS), List.of(THROUGHPUT), List.of(RATE))),
            new Figure(
                    "bi-threads",
                    "Ibdxnet, Figure 16",
                    "Both ways, 4 handlers: throughput and message rate over the size, for 1 to 16 sending threads",
                    "--pattern bi --size 1..1M --threads 1..16 --handlers 4" + FULL,
                    QUICK_SIZES + " --threads 1,16",
                    points(SIZE, List.of(THREADS), List.of(THROUGHPUT), List.of(RATE))),
            new Figure(
                    "rtt-sizes-threads",
                    "Ibdxnet, Figures 17 and 18",
                    "Round-trip times over the size, 4 handlers, for 1 to 16 sending threads",
                    "--pattern rtt --size 1..1M --threads 1..16 --handlers 4" + FULL,
                    QUICK_SIZES + " --threads 1,16",
                    List.of(
                            new PointsPicture("average", SIZE, List.of(THREADS), List.of(RTT_AVERAGE), List.of(), true),
                            new PointsPicture("rate", SIZE, List.of(THREADS), List.of(RATE), List.of(), false),
                            new PointsPicture(
                                    "percentiles",
                                    SIZE,
                                    List.of(THREADS),
                                    List.of(RTT_95, RTT_99, RTT_999),
                                    List.of(),
                                    true))),
            new Figure(
                    "all-to-all-threads",
                    "Ibdxnet, Figure 19",
                    "All-to-all, 16 sending threads: throughput and message rate of all nodes over the size",
                    "--pattern all-to-all --size 1..1M --nodes 2,4,6,8 --threads 16 --handlers 4" + FULL,
                    QUICK_SIZES + " --nodes 2,4",
                    points(SIZE, List.of(NODES), List.of(THROUGHPUT), List.of(RATE))),
            new Figure(
                    "switch",
                    "Ibdxnet, section 9.2.4",
                    "Throughput of all nodes over time: all-to-all, and from the vertical line on a ring",
                    "--pattern switch --size 16K --nodes 2,4,6,8 --threads 1 --handlers 1"
                            + " --seconds 4 --warmup 0.5 --runs 3",
                    "--nodes 2,4 --seconds 1 --warmup 0.2 --runs 1",
                    List.of(new CoursePicture(""))));

    private Figures() {}

    static List<Figure> all() {
        return ALL;
    }

    /** The figure of a name. */
    static Figure of(String name) {
        return ALL.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no figure '" + name + "'; --list-figures lists them"));
    }

    /** A line for each: its name, what it re-creates, what it shows. */
    static List<String> lines() {
        return ALL.stream()
                .map(figure -> String.format("%-18s  %-24s  %s", figure.name(), figure.source(), figure.description()))
                .toList();
    }

    private static List<Picture> points(Dimension x, List<Dimension> curves, List<Metric> left, List<Metric> right) {
        return List.of(new PointsPicture("", x, curves, left, right, false));
    }
}
