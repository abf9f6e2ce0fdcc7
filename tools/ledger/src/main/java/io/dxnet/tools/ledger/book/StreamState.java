package io.dxnet.tools.ledger.book;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of one stream in the receivers' books, and
 * those of its empty messages in its sender's book.
 */
final class StreamState {
    private static final int OVERTAKEN_MAX = 1000;

    private final BitSet handled = new BitSet();
    private long[] returnedNs = new long[64];
    private int lastOrdered = -1;
    private int lastValue = -1; // an executor runs their handlers beside those of other types
    private final Map<Integer, Overtaken> overtaken = new HashMap<>();

    private int emptyHandled;
    private int emptySent;
    private final List<Account.Missing> emptyAccepted = new ArrayList<>();

    /** A message of an exclusive type that was handled after a later one. */
    record Overtaken(int sequence, int by, long handledNs) {}

    /** Returns false when the message was handled before. */
    boolean handle(Kind kind, int sequence, long atNs, long endNs) {
        if (sequence < 0 || handled.get(sequence)) {
            return false;
        }
        handled.set(sequence);
        if (sequence >= returnedNs.length) {
            returnedNs = Arrays.copyOf(returnedNs, Math.max(sequence + 1, returnedNs.length * 2));
        }
        returnedNs[sequence] = endNs;
        if (kind.isOrdered()) {
            int last = kind == Kind.VALUE ? lastValue : lastOrdered;
            if (sequence < last && overtaken.size() < OVERTAKEN_MAX) {
                overtaken.put(sequence, new Overtaken(sequence, last, atNs));
            } else if (kind == Kind.VALUE) {
                lastValue = Math.max(last, sequence);
            } else {
                lastOrdered = Math.max(last, sequence);
            }
        }
        return true;
    }

    void handleEmpty() {
        emptyHandled++;
    }

    /** Whether the message was handled; afterwards it is known to have been sent. */
    boolean takeHandled(int sequence) {
        boolean was = handled.get(sequence);
        handled.clear(sequence);
        return was;
    }

    /** When the callback of a message that was handled returned; 0: it did not. */
    long returnedNs(int sequence) {
        return returnedNs[sequence];
    }

    /** Null where no later message was handled before it. */
    Overtaken overtaken(int sequence) {
        return overtaken.get(sequence);
    }

    void sendEmpty() {
        emptySent++;
    }

    void acceptEmpty(Account.Missing message) {
        emptyAccepted.add(message);
    }

    /** Empty messages have no numbers: where some are missing, the earliest ones count as those. */
    List<Account.Missing> missingEmpty() {
        return emptyAccepted.subList(0, Math.max(0, emptyAccepted.size() - emptyHandled));
    }

    int emptyHandled() {
        return emptyHandled;
    }

    int emptyTwice() {
        return Math.max(0, emptyHandled - emptySent);
    }

    /** The messages that were handled although no sender has a record of them. */
    int foreign() {
        return handled.cardinality();
    }
}
