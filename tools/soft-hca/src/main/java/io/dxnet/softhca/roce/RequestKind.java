package io.dxnet.softhca.roce;

/** What a request does. */
public enum RequestKind {
    /** Sends to a receive. */
    SEND,

    /** Sends to a receive, with immediate data. */
    SEND_IMMEDIATE,

    /** Sends to a receive, and invalidates a memory window of the peer. */
    SEND_INVALIDATE,

    /** Binds or invalidates a memory window of this side: no packet leaves. */
    LOCAL,

    /** Writes to the peer's memory. */
    WRITE,

    /** Writes to the peer's memory, and uses a receive for immediate data. */
    WRITE_IMMEDIATE,

    /** Reads the peer's memory. */
    READ,

    /** Compares eight bytes of the peer's memory and swaps them. */
    COMPARE_SWAP,

    /** Adds to eight bytes of the peer's memory. */
    FETCH_ADD;

    /**
     * {@return whether the request brings something back}
     */
    public boolean isFetch() {
        return this == READ || isAtomic();
    }

    /**
     * {@return whether it is an atomic operation}
     */
    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }

    boolean isSend() {
        return this == SEND || this == SEND_IMMEDIATE || this == SEND_INVALIDATE;
    }

    boolean isImmediate() {
        return this == SEND_IMMEDIATE || this == WRITE_IMMEDIATE;
    }
}
