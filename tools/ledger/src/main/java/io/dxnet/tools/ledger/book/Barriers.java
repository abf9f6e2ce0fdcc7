package io.dxnet.tools.ledger.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The calls of {@code whenHandled} of one run of a node for one other node that completed normally:
 * what was sent before such a call is handled when its future completes.
 */
final class Barriers {
    /** There is no call. */
    static final long NONE = Long.MAX_VALUE;

    private final List<EventBook.Barrier> calls = new ArrayList<>();
    private long[] firstDoneNs; // of the calls from each on; null: not computed yet

    void add(EventBook.Barrier call) {
        calls.add(call);
        firstDoneNs = null;
    }

    /** {@return when the first of the calls that began later completed, or {@link #NONE}} */
    long doneAfter(long sentNs) {
        if (firstDoneNs == null) {
            prepare();
        }
        int from = 0;
        int to = calls.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (calls.get(middle).beginNs() > sentNs) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from == calls.size() ? NONE : firstDoneNs[from];
    }

    private void prepare() {
        calls.sort(Comparator.comparingLong(EventBook.Barrier::beginNs));
        firstDoneNs = new long[calls.size()];
        long first = NONE;
        for (int i = calls.size() - 1; i >= 0; i--) {
            first = Math.min(first, calls.get(i).doneNs());
            firstDoneNs[i] = first;
        }
    }
}
