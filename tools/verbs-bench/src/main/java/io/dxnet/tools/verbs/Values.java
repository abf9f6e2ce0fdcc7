package io.dxnet.tools.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks and reads the values of options. */
public final class Values {
    private Values() {}

    /**
     * Checks a number.
     *
     * @param option its name
     * @param value the number
     * @param min the smallest allowed
     * @param max the largest allowed
     * @throws IllegalArgumentException when it is out of range
     */
    public static void range(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " " + value + " is not in " + min + ".." + max);
        }
    }

    /**
     * Reads names of constants, written as their texts in lower case with hyphens for spaces.
     *
     * @param <E> the constants
     * @param all of them
     * @param usual what no names stand for
     * @param names as typed
     * @param option its name
     * @return the constants, in the order of the names
     * @throws IllegalArgumentException when a name is none
     */
    public static <E extends Enum<E>> List<E> chosen(E[] all, List<E> usual, List<String> names, String option) {
        if (names.isEmpty()) {
            return usual;
        }
        List<E> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(List.of(all).stream()
                    .filter(each -> word(each).equals(name.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(option + " " + name + " is none of "
                            + List.of(all).stream().map(Values::word).toList())));
        }
        return chosen;
    }

    private static String word(Object value) {
        return value.toString().toLowerCase(Locale.ROOT).replace(' ', '-');
    }
}
