package io.dxnet.tools.cli;

/** Checks numbers of options. */
public final class Range {
    /** The longest time that an option accepts: a day. */
    public static final double SECONDS_MAX = 86_400;

    /** The shortest time of a measurement. */
    public static final double SECONDS_MIN = 0.001;

    private Range() {}

    /**
     * Refuses a whole number out of its range.
     *
     * @param option its name
     * @param value as typed
     * @param min the smallest allowed
     * @param max the largest allowed
     * @throws IllegalArgumentException naming option, value and range
     */
    public static void check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " " + value + " is not in " + min + ".." + max);
        }
    }

    /**
     * Refuses a time out of its range, or one that is no number.
     *
     * @param option its name
     * @param value as typed, seconds
     * @param min the shortest allowed; the longest is {@link #SECONDS_MAX}
     * @throws IllegalArgumentException naming option, value and range
     */
    public static void checkSeconds(String option, double value, double min) {
        if (!(value >= min && value <= SECONDS_MAX)) {
            throw new IllegalArgumentException(
                    option + " " + value + " is not in " + text(min) + ".." + text(SECONDS_MAX) + " seconds");
        }
    }

    private static String text(double seconds) {
        return seconds == Math.rint(seconds) ? Long.toString((long) seconds) : Double.toString(seconds);
    }
}
