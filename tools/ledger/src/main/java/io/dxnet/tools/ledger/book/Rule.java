package io.dxnet.tools.ledger.book;

/** What a run must not do. */
public enum Rule {
    /** A message was accepted, never handled, and no end of a connection covers its bytes. */
    LOST("lost and not reported"),
    /** A message was handled more than once. */
    TWICE("handled twice"),
    /** A message of an exclusive type was handled after a later one of the same thread. */
    REORDERED("out of order"),
    /** {@code whenHandled} completed before a message that was sent earlier was handled. */
    UNHANDLED("unhandled though whenHandled completed"),
    /** A message that no node sent was handled. */
    FOREIGN("never sent, but handled"),
    /** A message that failed in its exportObject, or that trySend refused, was handled. */
    FAILED_HANDLED("failed or refused, but handled"),
    /** A message's payload differs from what was sent. */
    DAMAGED("damaged"),
    /** A response belongs to another request. */
    WRONG_ANSWER("wrong response"),
    /** A response came, but the request was handled by no callback. */
    ANSWERED_UNHANDLED("answered, but never handled"),
    /** A node ended a connection because it could not read what came. */
    UNREADABLE("ended as unreadable"),
    /** A call or a future took longer than its bound, or never ended. */
    OVERDUE("waited beyond the bound"),
    /** A method threw, or a future failed, with what is not documented. */
    UNDOCUMENTED("undocumented exception"),
    /** The engine reported an error that no event explains. */
    ERROR("unexpected error"),
    /** A thread of the engine or of the traffic died. */
    THREAD_DIED("thread died"),
    /** A node's process ended by itself, or obeyed no more. */
    PROCESS_DIED("process died"),
    /** Nothing was handled, so that nothing was shown. */
    IDLE("nothing happened"),
    /** Buffers, descriptors, threads or native memory were not given back. */
    LEAKED("leaked"),
    /** A healthy node was called unreachable; a violation where all events are orderly. */
    UNREACHABLE("unreachable though healthy"),
    /**
     * Something was reported lost although both nodes were healthy; a
     * violation where all events are orderly.
     */
    TOLD_THOUGH_HEALTHY("reported lost though healthy");

    private final String words;

    Rule(String words) {
        this.words = words;
    }

    /** {@return the rule's breach in a few words} */
    public String words() {
        return words;
    }
}
