package io.dxnet.softhca;

import io.dxnet.softhca.roce.RetryTimes;

/**
 * How often the oldest request of a send queue was tried, and
 * when it is tried again. Used under the requester lock.
 */
final class Retries {
    private static final int WAITING = -1;
    private static final int FOR_EVER = 7;

    /** The time between two attempts of a requester without a timeout. */
    private static final long LOOK_AGAIN_NS = 1_000_000;

    private final SoftQueuePair qp;

    /**
     * Retries so far because no responder answered, and the time of
     * the next; 0 where it does not wait for an answer.
     */
    private int unanswered;

    private long answerDueNs;

    /** Retries so far because the receiver was not ready, and the time of the next. */
    private int notReady;

    private long readyDueNs;

    /** Whether the timer comes then; if not, a post to the empty receive queue resumes it. */
    private boolean readyTimed;

    /** When the timer comes for a delayed request. */
    private long wakeAtNs;

    Retries(SoftQueuePair qp) {
        this.qp = qp;
    }

    /** The request got somewhere. */
    void reset() {
        unanswered = 0;
        answerDueNs = 0;
        notReady = 0;
        readyDueNs = 0;
        readyTimed = false;
    }

    /** Whether the time for an answer is running: the request is in flight, as it were. */
    boolean isWaitingForAnswer() {
        return answerDueNs != 0 && answerDueNs - System.nanoTime() > 0;
    }

    /** Lets the timer run {@code progress} at a time, once for each time. */
    void wakeAt(long timeNs, long delayNs, Runnable progress) {
        if (wakeAtNs != timeNs) {
            wakeAtNs = timeNs;
            Fabric.schedule(progress, delayNs);
        }
    }

    /**
     * Decides whether a request that could not be executed is tried again.
     *
     * @return -1 if it is tried again, else the status that it fails with
     */
    int waitFor(int outcome, Requester requester, Runnable progress) {
        return outcome == Outcome.NOT_READY
                ? waitUntilReady(requester.notReadyDelayNs(), progress)
                : waitForAnswer(progress);
    }

    private int waitForAnswer(Runnable progress) {
        long timeoutNs = RetryTimes.ackNs(qp.timeout());
        if (timeoutNs == 0) {
            Fabric.schedule(progress, LOOK_AGAIN_NS);
            return WAITING;
        }
        long now = System.nanoTime();
        if (answerDueNs != 0) {
            unanswered++;
        }
        // The last retry gets its time too: (retries + 1) timeouts in all.
        if (unanswered > qp.retryCount()) {
            return Ibv.IBV_WC_RETRY_EXC_ERR;
        }
        answerDueNs = now + timeoutNs;
        Fabric.schedule(progress, timeoutNs);
        return WAITING;
    }

    private int waitUntilReady(long delayNs, Runnable progress) {
        // It answered.
        unanswered = 0;
        answerDueNs = 0;
        boolean counts = qp.notReadyRetries() != FOR_EVER;
        long now = System.nanoTime();
        if (readyDueNs != 0 && readyDueNs - now > 0) {
            // A fault: it waits at no receive queue.
            if (!readyTimed && qp.device().faults().active()) {
                readyTimed = true;
                Fabric.schedule(progress, readyDueNs - now);
            }
            return WAITING;
        }
        if (counts && notReady++ >= qp.notReadyRetries()) {
            return Ibv.IBV_WC_RNR_RETRY_EXC_ERR;
        }
        readyDueNs = now + delayNs;
        readyTimed = counts || qp.device().faults().active();
        if (readyTimed) {
            Fabric.schedule(progress, delayNs);
        }
        return WAITING;
    }
}
