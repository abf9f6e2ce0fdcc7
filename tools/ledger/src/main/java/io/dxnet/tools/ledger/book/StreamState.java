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
    private long[] handledNs = new long[64];
    private int lastOrdered = -1;
    private final Map<Integer, Overtaken> overtaken = new HashMap<>();

    private int emptyHandled;
    private int emptySent;
    private final List<Account.Missing> emptyAccepted = new ArrayList<>();

    /** A message of an exclusive type that was handled after a later one. */
    record Overtaken(int sequence, int by, long handledNs) {}

    /** Returns false when the message was handled before. */
    boolean handle(Kind kind, int sequence, long atNs) {
        if (sequence < 0 || handled.get(sequence)) {
            return false;
        }
        handled.set(sequence);
        if (sequence >= handledNs.length) {
            handledNs = Arrays.copyOf(handledNs, Math.max(sequence + 1, handledNs.length * 2));
        }
        handledNs[sequence] = atNs;
        if (kind.isOrdered()) {
            if (sequence > lastOrdered) {
                lastOrdered = sequence;
            } else if (overtaken.size() < OVERTAKEN_MAX) {
                overtaken.put(sequence, new Overtaken(sequence, lastOrdered, atNs));
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

    /** When a message that was handled was. */
    long handledNs(int sequence) {
        return handledNs[sequence];
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
