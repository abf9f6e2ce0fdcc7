package io.dxnet.tools.ledger.book;

/**
 * What one sending thread of one run of a node sends to one node: its messages are numbered from 0.
 * Streams and messages are written as one number:
 *
 * <pre>
 *   63      56 55      48 47                     32 31                                  0
 *  +----------+----------+-------------------------+-------------------------------------+
 *  |   kind   |   lane   |           run           |              sequence               |
 *  +----------+----------+-------------------------+-------------------------------------+
 * </pre>
 *
 * @param run of the sending node
 * @param lane the sending thread's number in its run
 * @param receiver the receiving node
 */
public record Stream(int run, int lane, int receiver) {
    /** The most lanes of a run. */
    public static final int LANES_MAX = 64;

    /** Messages without payload carry their run modulo this number. */
    public static final int RUNS_OF_EMPTY = 64;

    /**
     * Writes a message's name.
     *
     * @param kind of the message
     * @param run of the sending node
     * @param lane of the sending thread
     * @param sequence of the message in its stream
     * @return the number
     */
    public static long word(Kind kind, int run, int lane, int sequence) {
        return (long) kind.ordinal() << 56 | (long) lane << 48 | (long) run << 32 | sequence & 0xffffffffL;
    }

    /**
     * Reads the kind.
     *
     * @param word of a message
     * @return its kind
     */
    public static Kind kind(long word) {
        return Kind.of((int) (word >>> 56));
    }

    /**
     * Reads the lane.
     *
     * @param word of a message
     * @return the sending thread's number
     */
    public static int lane(long word) {
        return (int) (word >>> 48) & 0xff;
    }

    /**
     * Reads the run.
     *
     * @param word of a message
     * @return the sending node's run
     */
    public static int run(long word) {
        return (int) (word >>> 32) & 0xffff;
    }

    /**
     * Reads the sequence.
     *
     * @param word of a message
     * @return its number in its stream
     */
    public static int sequence(long word) {
        return (int) word;
    }
}
