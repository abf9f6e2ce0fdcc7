package io.dxnet.tools.bench;

/**
 * Counts of the messages that did not arrive exactly once, in order and intact.
 *
 * @param lost sent, but never received
 * @param duplicated received more than once
 * @param reordered received after a later one of the same stream
 * @param corrupted received with other content than was sent, or on the wrong stream
 */
record Faults(long lost, long duplicated, long reordered, long corrupted) {
    static final Faults NONE = new Faults(0, 0, 0, 0);

    /** What the numbers of messages show. */
    static Faults ofCounts(long sent, long received) {
        return new Faults(Math.max(0, sent - received), Math.max(0, received - sent), 0, 0);
    }

    Faults plus(Faults other) {
        return new Faults(
                lost + other.lost,
                duplicated + other.duplicated,
                reordered + other.reordered,
                corrupted + other.corrupted);
    }

    boolean any() {
        return (lost | duplicated | reordered | corrupted) != 0;
    }
}
