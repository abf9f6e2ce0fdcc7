package io.dxnet.tools.ledger.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The account of one run of a node with one other node. On one side are messages
 * that were accepted and not handled; on the other, bytes that ends of
 * connections reported as unconfirmed, and messages that were reported as
 * rejected. A report covers only messages whose call began before it, and an end those whose call
 * ended after its connection was made.
 */
final class Account {
    /** What each message has beside its payload, at least (a streamed one has a byte more). */
    private static final int HEADER_BYTES = 10;

    private final List<Missing> missing = new ArrayList<>();
    private final List<EventBook.End> ends = new ArrayList<>();
    private final List<EventBook.Rejected> rejections = new ArrayList<>();
    private final Barriers barriers = new Barriers();
    private final long reportSlackNs;

    /**
     * An empty one.
     *
     * @param reportSlackNs how late a listener may be
     */
    Account(long reportSlackNs) {
        this.reportSlackNs = reportSlackNs;
    }

    /** A message that was accepted and not handled. */
    record Missing(int lane, Kind kind, int sequence, int bytes, long beginNs, long endNs) {
        private long wireBytes() {
            return (long) bytes + HEADER_BYTES;
        }
    }

    void missing(Missing message) {
        missing.add(message);
    }

    void end(EventBook.End end) {
        if (end.unconfirmedBytes() > 0) {
            ends.add(end);
        }
    }

    void rejected(EventBook.Rejected rejection) {
        rejections.add(rejection);
    }

    void barrier(EventBook.Barrier barrier) {
        barriers.add(barrier);
    }

    /** When the first {@code whenHandled} that was called later completed. */
    long doneAfter(long sentNs) {
        return barriers.doneAfter(sentNs);
    }

    int missingCount() {
        return missing.size();
    }

    /**
     * Whether an end with unconfirmed bytes, of a connection that there was when a call ended, was
     * reported in that time.
     */
    boolean hasToldBetween(long fromNs, long sentNs, long toNs) {
        return ends.stream()
                .anyMatch(end -> end.atNs() - fromNs >= 0 && end.atNs() - toNs <= 0 && isAfterBegin(sentNs, end));
    }

    private boolean isAfterBegin(long sentNs, EventBook.End end) {
        return sentNs - end.sinceNs() >= -reportSlackNs;
    }

    /** Whether a rejection was reported in that time. */
    boolean hasRejectedBetween(long fromNs, long toNs) {
        return rejections.stream().anyMatch(each -> each.atNs() - fromNs >= 0 && each.atNs() - toNs <= 0);
    }

    /**
     * Finds the messages that no report covers. From the latest to the earliest, each by the end
     * whose connection was made last: the earlier ones can cover earlier messages.
     */
    List<Missing> uncovered() {
        List<Missing> uncovered = new ArrayList<>();
        missing.sort(Comparator.comparingLong(Missing::beginNs).reversed());
        ends.sort(Comparator.comparingLong(EventBook.End::sinceNs).reversed());
        rejections.sort(Comparator.comparingLong(EventBook.Rejected::atNs).reversed());
        long[] credits =
                ends.stream().mapToLong(EventBook.End::unconfirmedBytes).toArray();
        long rejected = 0;
        int nextRejection = 0;
        for (Missing message : missing) {
            while (nextRejection < rejections.size()
                    && rejections.get(nextRejection).atNs() - message.beginNs() > 0) {
                rejected += rejections.get(nextRejection++).count();
            }
            if (rejected > 0) {
                rejected--;
            } else if (!isCovered(message, credits)) {
                uncovered.add(message);
            }
        }
        return uncovered.reversed();
    }

    /**
     * Its bytes may be of several ends: which messages an end has, is not known, so that the rest
     * of each may be too short for a whole one.
     */
    private boolean isCovered(Missing message, long[] credits) {
        long left = message.wireBytes();
        for (int i = 0; i < credits.length && left > 0; i++) {
            left -= covers(ends.get(i), message) ? Math.min(left, credits[i]) : 0;
        }
        if (left > 0) {
            return false;
        }
        left = message.wireBytes();
        for (int i = 0; left > 0; i++) {
            long used = covers(ends.get(i), message) ? Math.min(left, credits[i]) : 0;
            credits[i] -= used;
            left -= used;
        }
        return true;
    }

    private boolean covers(EventBook.End end, Missing message) {
        return end.atNs() - message.beginNs() > 0 && isAfterBegin(message.endNs(), end);
    }
}
