package io.dxnet.tools.example.log;

/** Why an entry was not appended, or not committed in time. */
final class LogException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is known of the entry. */
    enum Reason {
        /** A majority of the followers has no room for it. It is not in the log. */
        FULL,
        /** It is in the log, and is committed when a majority has it, or never. */
        NOT_COMMITTED,
        /** The writer is closed. Where it waited for a majority, the same as before. */
        CLOSED
    }

    private final Reason reason;

    LogException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
