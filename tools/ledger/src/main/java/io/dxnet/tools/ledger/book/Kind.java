package io.dxnet.tools.ledger.book;

/** How a message is sent and handled. */
public enum Kind {
    /** Of an exclusive type. */
    ORDERED(true),
    /** Of an exclusive and reusable type. */
    REUSED(true),
    /** Several handlers may deliver it at once. */
    LOOSE(false),
    /** Of an exclusive type, without payload: it is known by its type and counted. */
    EMPTY(true),
    /** A request; its sender waits for the response. */
    REQUEST(false),
    /** A record of an ordered type, whose handlers an executor runs on nodes with an odd number. */
    VALUE(true);

    private static final Kind[] KINDS = values();

    private final boolean ordered;

    Kind(boolean ordered) {
        this.ordered = ordered;
    }

    /**
     * {@return whether messages of this kind are handled in the order in which a thread sent them}
     */
    public boolean isOrdered() {
        return ordered;
    }

    /**
     * Finds a kind.
     *
     * @param ordinal of the kind
     * @return the kind
     */
    public static Kind of(int ordinal) {
        return KINDS[ordinal];
    }
}
