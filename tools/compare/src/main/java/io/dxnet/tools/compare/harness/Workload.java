package io.dxnet.tools.compare.harness;

/**
 * What the two processes of a peer do together in one round.
 *
 * @param mode one way or back and forth
 * @param size of a payload, bytes, {@link Payload#BYTES_MIN} or more
 * @param threads senders; 1 for round trips
 * @param verify whether sequence and content of each payload are checked
 */
public record Workload(Mode mode, int size, int threads, boolean verify) {
    /** What is measured. */
    public enum Mode {
        /** Each sending thread sends as fast as the peer accepts messages; the receiver counts. */
        ONE_WAY,
        /** One thread sends, waits for the echo, sends the next. */
        ROUND_TRIP
    }

    private static final int WORDS = 4;

    /** Checks the values. */
    public Workload {
        if (size < Payload.BYTES_MIN || threads < 1 || mode == Mode.ROUND_TRIP && threads != 1) {
            throw new IllegalArgumentException("no such workload: " + mode + " " + size + " " + threads);
        }
    }

    /** As one line of words. */
    String encode() {
        return mode + " " + size + " " + threads + " " + verify;
    }

    /** What {@link #encode} wrote, with anything behind it. */
    static Workload decode(String line) {
        String[] words = line.split(" ", WORDS + 1);
        return new Workload(
                Mode.valueOf(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Boolean.parseBoolean(words[3]));
    }

    /** What is behind the workload in a line. */
    static String rest(String line) {
        String[] words = line.split(" ", WORDS + 1);
        return words.length > WORDS ? words[WORDS] : "";
    }
}
