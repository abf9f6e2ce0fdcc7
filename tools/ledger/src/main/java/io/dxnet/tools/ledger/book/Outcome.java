package io.dxnet.tools.ledger.book;

/** The result of the call that sent a message. */
public enum Outcome {
    /** Nothing: there is no such record. */
    NONE,
    /** The call has not returned. */
    INTENT,
    /** The call returned: the message is on its way. */
    ACCEPTED,
    /** The request's response came. */
    ANSWERED,
    /** {@code trySend} returned false: it must not be handled. */
    REFUSED,
    /** The call threw, or the future failed, with NodeUnreachableException. */
    UNREACHABLE,
    /** The same with ConnectionLostException. */
    CONNECTION_LOST,
    /** The same with SendTimeoutException. */
    SEND_TIMEOUT,
    /** The same with RequestTimeoutException. */
    REQUEST_TIMEOUT,
    /** The same with NetClosedException. */
    NET_CLOSED,
    /**
     * The same with RequestFailedException: the receiver has not registered the request's type yet.
     */
    REQUEST_FAILED,
    /** The call threw what the message's exportObject threw: it must not be handled. */
    EXPORT_FAILED,
    /** The same with what no method of DXNet documents. */
    UNDOCUMENTED;

    private static final Outcome[] OUTCOMES = values();

    /**
     * Finds an outcome.
     *
     * @param ordinal of the outcome
     * @return the outcome
     */
    public static Outcome of(int ordinal) {
        return OUTCOMES[ordinal];
    }

    /** {@return whether the sender counts on the message being handled} */
    public boolean isPromise() {
        return this == ACCEPTED || this == ANSWERED;
    }

    /**
     * {@return whether an exception reported to the sender
     * that the message may not have been delivered}
     */
    public boolean isTold() {
        return ordinal() >= UNREACHABLE.ordinal();
    }
}
