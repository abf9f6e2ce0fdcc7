package io.dxnet.tools.compare.harness;

/**
 * Counts of the messages that did not arrive exactly once, in order and intact.
 *
 * @param lost sent, but never received
 * @param duplicated received more than once
 * @param reordered received after a later one of the same thread, by a peer that promises order
 * @param corrupted received with other content or another size than was sent
 */
public record Faults(long lost, long duplicated, long reordered, long corrupted) {
    /** All is well. */
    public static final Faults NONE = new Faults(0, 0, 0, 0);

    /**
     * Both.
     *
     * @param other more of them
     * @return the sum
     */
    public Faults plus(Faults other) {
        return new Faults(
                lost + other.lost,
                duplicated + other.duplicated,
                reordered + other.reordered,
                corrupted + other.corrupted);
    }

    /**
     * Returns whether there is a fault.
     *
     * @return true when a count is not 0
     */
    public boolean any() {
        return (lost | duplicated | reordered | corrupted) != 0;
    }

    String encode() {
        return lost + " " + duplicated + " " + reordered + " " + corrupted;
    }

    static Faults decode(String line) {
        long[] counts = Commands.numbers(line);
        return new Faults(counts[0], counts[1], counts[2], counts[3]);
    }
}
