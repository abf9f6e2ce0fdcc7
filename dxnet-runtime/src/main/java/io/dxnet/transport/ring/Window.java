package io.dxnet.transport.ring;

/** The flow control's window of a claim: what the other node has not handled is bounded by it. */
public enum Window {
    /** The claim fails where the window is used up. */
    OBSERVED,
    /** The claim fails only where the ring is full: for threads that must not wait. */
    IGNORED
}
