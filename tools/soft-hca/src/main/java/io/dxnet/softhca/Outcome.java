package io.dxnet.softhca;

/**
 * The outcome of a request: a status of {@code ibv_wc_status}
 * (0 and up), or the reason why it has to wait.
 */
final class Outcome {
    /** The responder had no receive posted. */
    static final int NOT_READY = -1;

    /** No responder answered. */
    static final int NO_ANSWER = -2;

    /** Vendor errors: which part of this device failed the request. */
    static final int VENDOR_SEND = 0x50;

    static final int VENDOR_RECEIVE = 0x51;
    static final int VENDOR_FLUSHED = 0x52;

    private Outcome() {}
}
