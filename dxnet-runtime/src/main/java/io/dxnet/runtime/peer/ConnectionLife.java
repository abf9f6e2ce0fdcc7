package io.dxnet.runtime.peer;

import io.dxnet.Disconnect.Reason;
import io.dxnet.transport.idle.RunningTime;
import org.jspecify.annotations.Nullable;

/**
 * The life of one connection as a state machine (DXNet §IX-3): no threads, no clock, no wire. The
 * connection manager reports events to it and calls {@link #step}; the simulation in the tests
 * drives it with virtual time.
 *
 * <pre>
 *   state      OPEN ------------------> ENDING ----------------------------> ENDED
 *                   end() here,                both directions are done,
 *                   ENDING or handover         or broken, or no progress
 *                   of the other node          for the close timeout
 *
 *   outgoing   UNOPENED -> OPEN -> HANDOVER -> SEEN -> GOODBYE -> HANDLED
 *              (this node's stream; after the handover only responses follow; the goodbye is
 *              its last message; the other node confirms that its coordinator has reached the
 *              handover, then that all messages before the goodbye are handled)
 *
 *   incoming   UNOPENED -> OPEN -> HANDOVER -> GOODBYE -> HANDLED
 *              (the other node's stream; on HANDOVER this node sends SEEN, on HANDLED it
 *              sends HANDLED)
 * </pre>
 *
 * <p>An end is orderly only on evidence: the outgoing stream was never opened,
 * or the other node has confirmed with {@link #HANDLED} that it handled everything.
 * What the device or the kernel accepted is no evidence.
 *
 * <p>A successor's stream may begin when this one's handover was {@link #SEEN}: the messages keep
 * their order, and no message handler has to return for it, nor a response to come.
 *
 * <p>Outstanding requests get their responses first. A node sends its goodbye when its
 * own requests are answered, the other node has signalled {@link #IDLE}, and all that came
 * before the other node's handover is handled (what cannot be, is reported in the stream).
 * It does not wait for that when nothing makes progress for half of the close timeout,
 * or when less than that is left until the deadline.
 *
 * <p>Any thread; the monitor is held for some instructions.
 *
 * <p>It has more than 400 lines: one state machine, which is simulated as a whole.
 */
public final class ConnectionLife {
    /** Signal: this node sends no new messages or requests on the connection; end it. */
    public static final int ENDING = 1;
    /** Signal: this node expects no more responses on the connection. */
    static final int IDLE = 1 << 1;
    /**
     * Signal: the other node's handover was reached, so all messages before it are
     * in this node's hands, in order.
     */
    public static final int SEEN = 1 << 2;
    /** Signal: all messages before the other node's goodbye are handled. */
    public static final int HANDLED = 1 << 3;
    /** Signal: this node has made progress since the last such signal; the end needs more time. */
    static final int PROGRESS = 1 << 4;

    /** Signal: all messages before the other node's barrier are handled. */
    public static final int PASSED = 1 << 5;

    private static final int KNOWN = ENDING | IDLE | SEEN | HANDLED | PROGRESS | PASSED;

    /** What {@link #step} wants: signals are to be sent. */
    public static final int SEND_SIGNALS = 1;
    /**
     * What {@link #step} wants: the handover is to be written, then
     * {@link #handoverWritten} to be called.
     */
    public static final int WRITE_HANDOVER = 1 << 1;
    /**
     * What {@link #step} wants: the goodbye is to be written, then {@link #goodbyeWritten}
     * to be called.
     */
    public static final int WRITE_GOODBYE = 1 << 2;
    /**
     * What {@link #step} wants: the connection has ended; {@link #detail} and
     * {@link #reason} describe how. Once.
     */
    public static final int END = 1 << 3;

    /**
     * How long a stream without a counterpart stays. The other node may be opening its own at the
     * same time. From the goodbye on it is refused: requests that came by it would not be answered.
     */
    private static final long COUNTERPART_NS_MAX = 500_000_000;

    /** Progress signals in the time after which the other node ends the connection. */
    private static final int PROGRESS_PART = 8;

    /** What a pause counts as, at least. The control thread steps far more often. */
    private static final long GAP_NS_MIN = 50_000_000;

    /**
     * Close timeouts in which a connection may have no progress of its own, while
     * what is ahead of it proceeds.
     */
    private static final int AHEAD_TIMEOUTS = 4;

    enum State {
        OPEN,
        ENDING,
        ENDED
    }

    enum Outgoing {
        UNOPENED,
        OPEN,
        HANDOVER,
        SEEN,
        GOODBYE,
        HANDLED
    }

    enum Incoming {
        UNOPENED,
        OPEN,
        HANDOVER,
        GOODBYE,
        HANDLED
    }

    /** What the machine asks of its connection. Snapshots; any thread. */
    interface Streams {
        /** Whether requests that were sent on this connection have no response yet. */
        boolean hasRequests();

        /** Whether anything arrived on this connection. */
        boolean hasReceived();

        /** Whether the message creation coordinator has parsed all received bytes. */
        boolean isParsed();

        /** Whether all messages before the other node's goodbye are handled. */
        boolean isHandled();

        /**
         * Whether all messages that were received so far are handled, the other
         * node's goodbye not being among them.
         */
        boolean isAllHandled();

        /** A count that grows with every message of this connection that this node handles. */
        long handledMark();

        /**
         * A count that changes with the progress that this connection waits for: of other
         * connections' messages, while its own wait for a message handler, or this node does not
         * read them for want of room, and of the ends that its streams wait for.
         */
        long aheadMark();

        /** A count that changes when the other node or the device accepts or confirms something. */
        long sentMark();

        /** Bytes sent that the other node has not confirmed. */
        long unconfirmedBytes();

        /**
         * Refuses claims from now on, so that {@link #unconfirmedBytes} counts
         * all that is ever sent.
         */
        void closeRing();
    }

    private final long timeoutNs;
    private final RunningTime running; // all times but the deadline are of it
    private volatile State state = State.OPEN; // under the monitor, as all below
    private volatile Outgoing outgoing = Outgoing.UNOPENED;
    private volatile Incoming incoming = Incoming.UNOPENED;
    private boolean isOneWay; // the goodbye is written without a counterpart, which is too late now
    private boolean isRefused; // the other node has ended it, and refuses this node's stream for good
    private boolean endsByRefusal; // that began its end here
    private volatile boolean opening; // an attempt to open the outgoing stream is under way
    private volatile @Nullable Reason reason;
    private volatile boolean delivered;
    private volatile boolean orderly;
    private volatile @Nullable String detail;
    private int sent; // signals that were sent, or are being sent
    private int unsent; // signals that takeSignals() returns
    private boolean peerIdle;
    private volatile long progressSignals; // received
    private long beganNs; // of ENDING
    private long progressNs; // when progress was last seen
    private long ownNs; // when the connection's own was last seen
    private long ownMark;
    private long aheadMark; // the last one that counted
    private long signalsMark;
    private long signalledNs; // when PROGRESS was last sent
    private long signalledMark;
    private boolean hasDeadline;
    private long deadlineNs;
    private volatile @Nullable String broken; // what the transport reported
    private long brokenNs;

    /**
     * An open connection without streams.
     *
     * @param timeoutNs the longest time without progress in an end, while this process runs
     */
    ConnectionLife(long timeoutNs) {
        this.timeoutNs = timeoutNs;
        this.running = new RunningTime(gapNsMax(timeoutNs));
    }

    /**
     * Returns what a pause of this process counts as.
     *
     * @param timeoutNs the close timeout
     * @return an eighth of it, at least 50 ms and at most 250 ms, in nanoseconds
     */
    public static long gapNsMax(long timeoutNs) {
        return Math.max(Math.min(timeoutNs / PROGRESS_PART, COUNTERPART_NS_MAX / 2), GAP_NS_MIN);
    }

    // ---------------------------------------------------------------- snapshots

    /** For errors: the state of the machine. */
    @Override
    public synchronized String toString() {
        return state + " " + (reason == null ? "" : reason + " ") + "outgoing " + outgoing + (opening ? " opening" : "")
                + " incoming " + incoming + " signalled " + sent + (peerIdle ? " peer idle" : "")
                + (broken == null ? "" : " broken: " + broken);
    }

    State state() {
        return state;
    }

    /** Changes with every sign of progress of the other node. */
    long progressSignals() {
        return progressSignals;
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }

    public boolean isEnded() {
        return state == State.ENDED;
    }

    /**
     * Whether its stream accepts messages, at once or when it is open:
     * until the handover. A snapshot.
     */
    public boolean acceptsMessages() {
        return switch (state) {
            case OPEN -> broken == null;
            case ENDING -> broken == null && (outgoing == Outgoing.OPEN || outgoing == Outgoing.UNOPENED && opening);
            case ENDED -> false;
        };
    }

    /**
     * Whether its stream accepts responses to what came by this connection, at once or
     * when it is open: until the goodbye. A snapshot.
     */
    public boolean acceptsResponses() {
        return acceptsMessages() || state == State.ENDING && broken == null && isAnswerable();
    }

    private boolean isAnswerable() {
        return switch (outgoing) {
            case UNOPENED -> isOpeningOfUse();
            case OPEN, HANDOVER, SEEN -> true;
            case GOODBYE, HANDLED -> false;
        };
    }

    /** Whether the response to a request that is in the request map would be waited for. */
    public synchronized boolean acceptsRequests() {
        return acceptsMessages() && (sent & IDLE) == 0;
    }

    boolean isOutgoingOpen() {
        return outgoing != Outgoing.UNOPENED;
    }

    public boolean isIncomingOpen() {
        return incoming != Incoming.UNOPENED;
    }

    /** Whether the coordinator has reached the other node's goodbye. */
    boolean isGoodbyeReached() {
        return incoming.compareTo(Incoming.GOODBYE) >= 0;
    }

    public boolean isBothWays() {
        return outgoing != Outgoing.UNOPENED && incoming != Incoming.UNOPENED;
    }

    public boolean isOpening() {
        return opening;
    }

    /** Why it ends; null while it is open. */
    public @Nullable Reason reason() {
        return reason;
    }

    /** How it ended, in words. */
    public @Nullable String detail() {
        return detail;
    }

    /** Whether it has ended and the other node has handled all that was sent. */
    public boolean isDelivered() {
        return delivered;
    }

    /** Whether it has ended after both streams were handled. */
    public boolean isOrderly() {
        return orderly;
    }

    /**
     * Whether the outgoing stream of a later connection to the same node keeps the order
     * of messages, as far as this one is concerned.
     */
    public synchronized boolean allowsSuccessor() {
        return switch (state) {
            case OPEN -> false;
            case ENDED -> true;
            case ENDING -> outgoing.compareTo(Outgoing.SEEN) >= 0 || outgoing == Outgoing.UNOPENED && !opening;
        };
    }

    /** Whether messages of the other node may follow, which precede those of later connections. */
    public boolean mayBringMessages() {
        return state != State.ENDED && incoming == Incoming.OPEN;
    }

    // ---------------------------------------------------------------- opening

    /**
     * Begins an attempt to open the outgoing stream; false when it is open,
     * being opened, or not to be opened any more.
     */
    public synchronized boolean startOpening() {
        if (opening || outgoing != Outgoing.UNOPENED || !isOpeningOfUse()) {
            return false;
        }
        opening = true;
        return true;
    }

    /**
     * Whether an attempt is worth it: for new messages, or for responses that
     * the other node waits for.
     */
    public synchronized boolean isOpeningOfUse() {
        return state == State.OPEN
                || state == State.ENDING && !isRefused && (incoming == Incoming.OPEN || incoming == Incoming.HANDOVER);
    }

    /**
     * The attempt succeeded; false when the connection has ended. While it ends the
     * stream is opened, for the goodbye.
     */
    synchronized boolean outgoingOpened() {
        opening = false;
        if (state == State.ENDED || outgoing != Outgoing.UNOPENED) {
            return false;
        }
        outgoing = Outgoing.OPEN;
        return true;
    }

    public synchronized void openingFailed() {
        opening = false;
    }

    /**
     * The attempt failed: the other node has answered that it has ended the connection, or lost it.
     * What has arrived by it is still read.
     *
     * @return whether that begins its end; false where it has no stream of the other node, or ends
     *     already
     */
    public synchronized boolean refused(long nowNs) {
        opening = false;
        isRefused = outgoing == Outgoing.UNOPENED && incoming != Incoming.UNOPENED;
        endsByRefusal = isRefused && broken == null && end(Reason.CLOSED_BY_PEER, nowNs);
        return endsByRefusal;
    }

    /**
     * The other node opens its stream; false when there is one, or the connection has ended,
     * or this node's goodbye is being written without a counterpart.
     */
    public synchronized boolean incomingOpened() {
        if (state == State.ENDED || isOneWay || incoming != Incoming.UNOPENED) {
            return false;
        }
        incoming = Incoming.OPEN;
        return true;
    }

    /** Undoes {@link #incomingOpened}: nothing came. */
    public synchronized void incomingFailed() {
        if (incoming == Incoming.OPEN) {
            incoming = Incoming.UNOPENED;
        }
    }

    // ---------------------------------------------------------------- ending

    /** This node wants to end it; true for the first one that does. */
    public synchronized boolean end(Reason why, long nowNs) {
        if (state != State.OPEN) {
            return false;
        }
        state = State.ENDING;
        reason = why;
        long timeNs = running.at(nowNs);
        beganNs = timeNs;
        progressNs = timeNs;
        ownNs = timeNs;
        signalledNs = timeNs;
        return true;
    }

    /** The end must be over by then, progress or not. */
    public synchronized void deadline(long untilNs) {
        hasDeadline = true;
        deadlineNs = untilNs;
    }

    /**
     * The other node sent signals.
     *
     * @return false when no node that follows the protocol sends these in this state
     */
    public synchronized boolean received(int signals, long nowNs) {
        if (state == State.ENDED) {
            return true;
        }
        if ((signals & ~KNOWN) != 0
                || (signals & SEEN) != 0 && outgoing.compareTo(Outgoing.HANDOVER) < 0
                || (signals & HANDLED) != 0 && outgoing.compareTo(Outgoing.GOODBYE) < 0) {
            return false;
        }
        if ((signals & ENDING) != 0) {
            end(Reason.CLOSED_BY_PEER, nowNs);
        }
        if ((signals & IDLE) != 0) {
            peerIdle = true;
        }
        if ((signals & SEEN) != 0 && outgoing == Outgoing.HANDOVER) {
            outgoing = Outgoing.SEEN;
        }
        if ((signals & HANDLED) != 0) {
            outgoing = Outgoing.HANDLED;
        }
        if ((signals & PROGRESS) != 0) {
            progressSignals++;
        }
        return true;
    }

    /**
     * The coordinator has reached the other node's handover.
     *
     * @return false when no node that follows the protocol sends it in this state
     */
    public synchronized boolean handoverReached(long nowNs) {
        if (state == State.ENDED) {
            return true;
        }
        if (incoming != Incoming.OPEN) {
            return false;
        }
        incoming = Incoming.HANDOVER;
        end(Reason.CLOSED_BY_PEER, nowNs);
        signal(SEEN);
        return true;
    }

    /**
     * The coordinator has reached the other node's goodbye.
     *
     * @return false when no node that follows the protocol sends it in this state
     */
    public synchronized boolean goodbyeReached() {
        if (state == State.ENDED) {
            return true;
        }
        if (incoming != Incoming.HANDOVER) {
            return false;
        }
        incoming = Incoming.GOODBYE;
        return true;
    }

    /** The handover is about to be committed. */
    public synchronized void handoverWritten() {
        if (state == State.ENDING && outgoing == Outgoing.OPEN) {
            outgoing = Outgoing.HANDOVER;
        }
    }

    /** The goodbye is about to be committed. */
    public synchronized void goodbyeWritten() {
        if (state == State.ENDING && outgoing == Outgoing.SEEN) {
            outgoing = Outgoing.GOODBYE;
        }
    }

    /**
     * The transport reports that it broke, or that the other node hung up;
     * what arrived before is still read.
     */
    public synchronized void broken(String what, long nowNs) {
        if (broken == null && state != State.ENDED) {
            broken = what;
            brokenNs = running.at(nowNs);
        }
    }

    /** Ends it now; false when it had ended before. */
    public synchronized boolean abort(Reason why, String what, Streams streams) {
        if (state == State.ENDED) {
            return false;
        }
        ended(why, what, streams);
        return true;
    }

    /**
     * Ends it where neither node uses it; false where one does, where an attempt to open it is
     * under way, or where it has ended before.
     */
    public synchronized boolean abandon(@Nullable String what) {
        boolean isUnused = outgoing == Outgoing.UNOPENED && incoming == Incoming.UNOPENED && !opening;
        if (state == State.ENDED || !isUnused) {
            return false;
        }
        delivered = true;
        reason = Reason.LOST;
        detail = what;
        state = State.ENDED;
        return true;
    }

    /**
     * Proceeds as far as possible.
     *
     * @return what the caller has to do: {@link #SEND_SIGNALS}, {@link #WRITE_HANDOVER},
     *     {@link #WRITE_GOODBYE}, {@link #END}
     */
    public synchronized int step(long nowNs, Streams streams) {
        if (state == State.ENDED) {
            return 0;
        }
        long timeNs = running.at(nowNs);
        if (broken != null) {
            if (!streams.isParsed() && timeNs - brokenNs < timeoutNs) {
                return 0;
            }
            ended(reasonOfBroken(streams), broken, streams);
            return END;
        }
        return state == State.ENDING
                ? stepEnding(timeNs, hasDeadline ? deadlineNs - nowNs : Long.MAX_VALUE, streams)
                : 0;
    }

    @SuppressWarnings("NullAway") // an ending connection has a reason
    private Reason reasonOfBroken(Streams streams) {
        // A refusal does not show that the other node has ended it in order.
        boolean isEvidence = !endsByRefusal || incoming.compareTo(Incoming.GOODBYE) >= 0;
        if (state == State.ENDING && isEvidence && isConfirmed(streams)) {
            return reason;
        }
        // The other node opened a stream for a connection that was over there
        // when the stream was ready.
        boolean unused = outgoing == Outgoing.UNOPENED && !streams.hasReceived();
        return unused ? Reason.CLOSED_BY_PEER : Reason.LOST;
    }

    @SuppressWarnings("NullAway") // an ending connection has a reason
    private int stepEnding(long timeNs, long leftNs, Streams streams) {
        if (incoming == Incoming.GOODBYE && streams.isHandled()) {
            incoming = Incoming.HANDLED;
            signal(HANDLED);
        }
        boolean overdue = isOverdue(timeNs, streams) || leftNs <= 0;
        boolean isDone = isOutgoingDone() && (incoming == Incoming.UNOPENED || incoming == Incoming.HANDLED);
        if (isDone || overdue) {
            int effects = signalEffects();
            orderly = isDone;
            ended(
                    reason,
                    isDone
                            ? "closed in order"
                            : "was not closed in order: no progress for " + timeoutNs / 1_000_000
                                    + " ms (closeTimeoutMs)",
                    streams);
            return effects | END;
        }
        boolean noMoreWaiting = timeNs - progressNs > timeoutNs / 2 || leftNs < timeoutNs / 2;
        boolean oneWay = incoming == Incoming.UNOPENED
                && timeNs - beganNs > Math.min(COUNTERPART_NS_MAX, timeoutNs / PROGRESS_PART);
        // Before the handover a message handler may have further requests.
        boolean idle = outgoing != Outgoing.OPEN
                && (noMoreWaiting || incoming.compareTo(Incoming.GOODBYE) >= 0 || !streams.hasRequests());
        if (incoming != Incoming.UNOPENED) {
            signal(idle ? ENDING | IDLE : ENDING);
            signalProgress(timeNs, streams);
        }
        // What a handler cannot deliver, it reports in this stream.
        boolean answered = switch (incoming) {
            case UNOPENED -> oneWay;
            case OPEN -> false;
            case HANDOVER -> peerIdle && streams.isAllHandled();
            case GOODBYE -> streams.isHandled();
            case HANDLED -> true;
        };
        boolean isLast = outgoing == Outgoing.SEEN && idle && (answered || noMoreWaiting);
        isOneWay |= isLast && incoming == Incoming.UNOPENED;
        return signalEffects()
                | switch (outgoing) {
                    case OPEN -> WRITE_HANDOVER;
                    case SEEN -> isLast ? WRITE_GOODBYE : 0;
                    case UNOPENED, HANDOVER, GOODBYE, HANDLED -> 0;
                };
    }

    private boolean isOutgoingDone() {
        return outgoing == Outgoing.HANDLED
                || outgoing == Outgoing.UNOPENED && (!opening || incoming == Incoming.UNOPENED);
    }

    private boolean isOverdue(long timeNs, Streams streams) {
        long own = streams.handledMark() + streams.sentMark();
        long ahead = streams.aheadMark();
        if (own != ownMark) {
            ownMark = own;
            ownNs = timeNs;
            progressNs = timeNs;
        }
        // Not a signal: two nodes would keep each other's time from running.
        if (ahead != aheadMark && timeNs - ownNs < AHEAD_TIMEOUTS * timeoutNs) {
            aheadMark = ahead;
            progressNs = timeNs;
        }
        if (progressSignals != signalsMark) {
            signalsMark = progressSignals;
            progressNs = timeNs;
        }
        return timeNs - progressNs >= timeoutNs;
    }

    private void signalProgress(long timeNs, Streams streams) {
        long mark = streams.handledMark() + aheadMark;
        if (mark != signalledMark && timeNs - signalledNs >= timeoutNs / PROGRESS_PART) {
            signalledMark = mark;
            signalledNs = timeNs;
            unsent |= PROGRESS;
        }
    }

    /** Each of the others is sent once. */
    private void signal(int signals) {
        unsent |= signals & ~sent;
        sent |= signals;
    }

    private int signalEffects() {
        return unsent == 0 ? 0 : SEND_SIGNALS;
    }

    /** Removes and returns the signals to be sent. Called once after {@link #SEND_SIGNALS}. */
    public synchronized int takeSignals() {
        int signals = unsent;
        unsent = 0;
        return signals;
    }

    private boolean isConfirmed(Streams streams) {
        return outgoing == Outgoing.UNOPENED || outgoing == Outgoing.HANDLED || streams.unconfirmedBytes() == 0;
    }

    private void ended(Reason why, String what, Streams streams) {
        streams.closeRing(); // a message claimed after the next line would be lost without a report
        delivered = isConfirmed(streams);
        reason = why;
        detail = what;
        state = State.ENDED;
    }
}
