package io.dxnet.tools.ledger.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The account of one run of a node with one other node. On one side are messages
 * that were accepted and not handled; on the other, bytes that ends of
 * connections reported as unconfirmed, and messages that were reported as
 * rejected. A report covers only messages whose call began before it.
 */
final class Account {
    /** What each message has beside its payload, at least (a streamed one has a byte more). */
    private static final int HEADER_BYTES = 10;

    private final List<Missing> missing = new ArrayList<>();
    private final List<EventBook.End> ends = new ArrayList<>();
    private final List<EventBook.Rejected> rejections = new ArrayList<>();
    private final Barriers barriers = new Barriers();

    /** A message that was accepted and not handled. */
    record Missing(int lane, Kind kind, int sequence, int bytes, long beginNs) {
        private long wireBytes() {
            return (long) bytes + HEADER_BYTES;
        }
    }

    void missing(int lane, Kind kind, int sequence, int bytes, long beginNs) {
        missing.add(new Missing(lane, kind, sequence, bytes, beginNs));
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

    /** Whether an end with unconfirmed bytes was reported in that time. */
    boolean hasToldBetween(long fromNs, long toNs) {
        return ends.stream().anyMatch(end -> end.atNs() - fromNs >= 0 && end.atNs() - toNs <= 0);
    }

    /** Whether a rejection was reported in that time. */
    boolean hasRejectedBetween(long fromNs, long toNs) {
        return rejections.stream().anyMatch(each -> each.atNs() - fromNs >= 0 && each.atNs() - toNs <= 0);
    }

    /**
     * Finds the messages that no report covers. From the latest to the earliest: an end can cover
     * all messages before it, so those that come late are covered first, by the few ends that can.
     */
    List<Missing> uncovered() {
        List<Missing> uncovered = new ArrayList<>();
        missing.sort(Comparator.comparingLong(Missing::beginNs).reversed());
        ends.sort(Comparator.comparingLong(EventBook.End::atNs).reversed());
        rejections.sort(Comparator.comparingLong(EventBook.Rejected::atNs).reversed());
        long credit = 0;
        int next = 0;
        long rejected = 0;
        int nextRejection = 0;
        for (Missing message : missing) {
            while (next < ends.size() && ends.get(next).atNs() - message.beginNs() > 0) {
                credit += ends.get(next++).unconfirmedBytes();
            }
            while (nextRejection < rejections.size()
                    && rejections.get(nextRejection).atNs() - message.beginNs() > 0) {
                rejected += rejections.get(nextRejection++).count();
            }
            if (rejected > 0) {
                rejected--;
            } else if (credit >= message.wireBytes()) {
                credit -= message.wireBytes();
            } else {
                uncovered.add(message);
            }
        }
        return uncovered.reversed();
    }
}
