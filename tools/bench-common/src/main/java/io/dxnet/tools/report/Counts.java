package io.dxnet.tools.report;

import java.util.List;
import java.util.TreeSet;

/**
 * Reads lists of numbers of threads, handlers or nodes: {@code 4},
 * {@code 1,2,6}, {@code 1..128} (doubling).
 */
public final class Counts {
    private Counts() {}

    /**
     * Parses a list. A range {@code 10..1280} doubles from its first
     * number and always has its last one.
     *
     * @param option its name, for messages
     * @param text as typed
     * @param min the smallest number allowed
     * @param max the largest number allowed
     * @return ascending, each once
     * @throws IllegalArgumentException when it is no such list or a number is out of range
     */
    public static List<Integer> parse(String option, String text, int min, int max) {
        TreeSet<Integer> counts = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf("..");
            if (dots < 0) {
                counts.add(one(option, part, min, max));
                continue;
            }
            int first = one(option, part.substring(0, dots), min, max);
            int last = one(option, part.substring(dots + 2), min, max);
            if (first > last || first == 0) {
                throw new IllegalArgumentException(
                        option + ": the range " + part + " does not run upwards from 1 or more");
            }
            for (long count = first; count < last; count *= 2) {
                counts.add((int) count);
            }
            counts.add(last);
        }
        return List.copyOf(counts);
    }

    private static int one(String option, String part, int min, int max) {
        try {
            int value = Integer.parseInt(part.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    option + ": '" + part + "' is no number: 4, a list 1,2,6 or a range 1..128 (doubling)", e);
        }
        throw new IllegalArgumentException(option + " " + part.strip() + " is not in " + min + ".." + max);
    }
}
