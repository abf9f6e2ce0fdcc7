package io.dxnet.softhca;

import java.util.ArrayDeque;

/**
 * The queue pairs that have received what is to be answered, and when that is. A thread that polls
 * acknowledges a lone message with its second poll: what its application answers, and its next
 * request, leave before. Used under the receive lock.
 */
final class Answering {
    /** The poll that acknowledges a lone message. */
    private static final int ACKNOWLEDGING_POLL = 2;

    private final ArrayDeque<SoftQueuePair> queue = new ArrayDeque<>();
    private int pollsLeft;

    /**
     * A queue pair has received a packet.
     *
     * @param isLoneMessage whether it is of a send or a write, and packets come one by one
     */
    void add(SoftQueuePair qp, boolean isLoneMessage) {
        int poll = isLoneMessage ? ACKNOWLEDGING_POLL : 1;
        pollsLeft = queue.isEmpty() ? poll : Math.min(pollsLeft, poll);
        enqueue(qp);
    }

    private void enqueue(SoftQueuePair qp) {
        if (qp.wire().enqueue()) {
            queue.add(qp);
        }
    }

    /** {@return whether this poll is the one that sends what waits} */
    boolean isDue() {
        if (pollsLeft > 0) {
            pollsLeft--;
        }
        return pollsLeft == 0;
    }

    /** Sends what waits, and returns whether more is left. */
    boolean send() {
        boolean isLeft = false;
        for (int left = queue.size(); left > 0; left--) {
            SoftQueuePair qp = queue.poll();
            qp.wire().dequeue();
            if (qp.wire().answer()) {
                enqueue(qp);
                isLeft = true;
            }
        }
        return isLeft;
    }
}
