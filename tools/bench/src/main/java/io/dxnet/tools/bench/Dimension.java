package io.dxnet.tools.bench;

import io.dxnet.tools.report.Sizes;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * What differs between the points of a sweep: the horizontal
 * axis of a picture, or what distinguishes its curves.
 */
enum Dimension {
    SIZE("Payload [bytes]", Point::size, point -> Sizes.format(point.size()) + " bytes", Sizes::format),
    THREADS("Sending threads of each node", Point::threads, point -> count(point.threads(), "thread")),
    NODES("Nodes", point -> point.setup().nodes(), point -> count(point.setup().nodes(), "node")),
    BATCH("Operations of a chain", Point::batch, point -> count(point.batch(), "operation")),
    HANDLERS(
            "Message handlers of each node",
            point -> point.setup().handlers(),
            point -> point.setup().handlers() == 0
                    ? "default handlers"
                    : count(point.setup().handlers(), "handler")),
    PARKING(
            "Parking",
            null,
            point -> point.setup().parking() == null ? "" : point.setup().parkingLabel() + " parking"),
    TRANSPORT("Transport", null, point -> point.setup().transport()),
    API("API", null, point -> point.api().label()),
    PATTERN("Pattern", null, point -> point.pattern().label());

    private final String title;
    private final ToIntFunction<Point> value;
    private final Function<Point, String> label;
    private final IntFunction<String> tick;

    Dimension(String title, ToIntFunction<Point> value, Function<Point, String> label) {
        this(title, value, label, Integer::toString);
    }

    Dimension(String title, ToIntFunction<Point> value, Function<Point, String> label, IntFunction<String> tick) {
        this.title = title;
        this.value = value;
        this.label = label;
        this.tick = tick;
    }

    /** Of an axis. */
    String title() {
        return title;
    }

    /** Whether it has numbers, and so can be an axis. */
    boolean hasNumbers() {
        return value != null;
    }

    /** Where a point is on the axis. */
    int value(Point point) {
        return value.applyAsInt(point);
    }

    /** The label that distinguishes a point's curve from the others. */
    String label(Point point) {
        return label.apply(point);
    }

    /** How a number of the axis is written. */
    String tick(int number) {
        return tick.apply(number);
    }

    /** Those of which the results have several values. */
    static List<Dimension> varying(List<PointResult> results) {
        return Arrays.stream(values())
                .filter(dimension -> results.stream()
                                .map(result -> dimension.label(result.point()))
                                .distinct()
                                .count()
                        > 1)
                .toList();
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
