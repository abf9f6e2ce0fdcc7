package io.dxnet.tools.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A value over runs. */
record Span(double avg, double min, double max) {

    static <T> Span of(List<T> runs, ToDoubleFunction<T> value) {
        double sum = 0;
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (T run : runs) {
            double v = value.applyAsDouble(run);
            sum += v;
            min = Math.min(min, v);
            max = Math.max(max, v);
        }
        return new Span(sum / runs.size(), min, max);
    }

    Span times(double factor) {
        return new Span(avg * factor, min * factor, max * factor);
    }
}
