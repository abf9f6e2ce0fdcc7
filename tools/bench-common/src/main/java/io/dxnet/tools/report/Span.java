package io.dxnet.tools.report;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A value over runs.
 *
 * @param avg the average
 * @param min the smallest
 * @param max the largest
 */
public record Span(double avg, double min, double max) {
    /**
     * The span of something of each run.
     *
     * @param <T> a run
     * @param runs at least one
     * @param value what of it
     * @return the span
     */
    public static <T> Span of(List<T> runs, ToDoubleFunction<T> value) {
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

    /**
     * In another unit.
     *
     * @param factor positive
     * @return each value times the factor
     */
    public Span times(double factor) {
        return new Span(avg * factor, min * factor, max * factor);
    }

    /**
     * Puts the values into an object for {@link Json}.
     *
     * @param object gets {@code name}, {@code nameMin} and {@code nameMax}
     * @param name of the average
     */
    public void putInto(Map<String, Object> object, String name) {
        object.put(name, avg);
        object.put(name + "Min", min);
        object.put(name + "Max", max);
    }
}
