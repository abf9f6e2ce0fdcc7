package io.dxnet.runtime.memory;

import org.jspecify.annotations.Nullable;

/**
 * What became of the parts of a write: of several segments, or of one that notifies. Each part that
 * ends is booked before the {@link Result} has it; what is known is read when all have ended.
 */
final class Parts {
    private boolean anyDone; // or perhaps

    /** None has ended. */
    void begin() {
        anyDone = false;
    }

    /** A part was carried out. */
    void done() {
        anyDone = true;
    }

    /** A part failed. */
    void failed(Exception cause) {
        anyDone |= Failures.mayBeDone(cause);
    }

    /** {@return the failure of the whole write, of which a part failed} */
    static Exception failure(Exception ofPart, @Nullable Parts of) {
        return of != null && of.anyDone ? Failures.partly(ofPart) : ofPart;
    }
}
