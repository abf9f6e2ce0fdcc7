package io.dxnet.tools.ledger;

import java.util.ArrayList;
import java.util.List;

/** Measured times of one kind, in one unit. */
final class Times {
    private final List<Double> sorted = new ArrayList<>();

    void add(double time) {
        sorted.add(time);
        sorted.sort(null);
    }

    /** The middle one, of an even number the later of the two; there must be one. */
    double median() {
        return sorted.get(sorted.size() / 2);
    }

    /** All of them, ascending. */
    @Override
    public String toString() {
        return String.join("  ", sorted.stream().map("%.1f"::formatted).toList());
    }
}
