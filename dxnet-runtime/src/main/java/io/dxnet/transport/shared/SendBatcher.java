package io.dxnet.transport.shared;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends for the connections that are being streamed to. One post a batch would be
 * one wake-up a batch: so after a post the transport's agent polls the ring regularly
 * until there is nothing new, and meanwhile the committing threads need not post.
 * The transport's agent only, except where a method states otherwise.
 *
 * <p>A committing thread posts nothing where it reads that the agent will send: an interest is
 * posted, the stream is watched, or the wire is full. The agent clears that first, then sends. A
 * commit has no fence, so the agent may not find it then; but it finds the claim. Where it has sent
 * nothing, and more is claimed than posted, it polls the ring in each duty cycle until what was
 * claimed then is posted.
 */
public final class SendBatcher {
    /** How long a watched ring may gather data: enough for a batch. */
    private static final long INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /**
     * The same while callers write full batches themselves: then the agent sends
     * only the rest of a stream that ended.
     */
    private static final long INTERVAL_NS_MAX = TimeUnit.MICROSECONDS.toNanos(800);

    /**
     * The longest wait while a claimed region is not committed: more than what selectors and
     * completion channels wait at least, so that the agent sleeps where events end that.
     */
    private static final long UNFINISHED_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** How many polls in a row find nothing before a patient watch ends. */
    private static final int EMPTY_VISITS_MAX = 4;

    /** The direction from this node of a connection. */
    public abstract static class Stream {
        private volatile boolean watched; // the agent
        private long visited; // the position that was posted at the last visit; the agent
        private int emptyVisits; // in a row; the agent
        private boolean listed; // it is in the list of the watched ones; the agent
        private boolean unfinished; // it is in the list of the unfinished ones; the agent
        private long claimed; // the position up to which it was claimed then; the agent
        private boolean left; // committed up to there, and another thread was sending; the agent
        private @Nullable Stream nextListed;
        private @Nullable Stream nextUnfinished;

        /** A stream that is not watched. */
        protected Stream() {}

        /**
         * {@return whether the agent polls the ring regularly; if false,
         * the committing thread must post} Any thread.
         */
        public final boolean isWatched() {
            return watched;
        }

        /** {@return the ring with the data, always the same} */
        protected abstract OutgoingRingBuffer ring();

        /**
         * Sends as much of the ring's content as the wire accepts. The rest is posted,
         * or is sent when the wire accepts it.
         *
         * @return whether anything was sent
         */
        protected abstract boolean sendByAgent();

        /** {@return whether it is closed or broken, so that nothing will be sent any more} */
        protected abstract boolean isOver();

        /**
         * {@return whether the wire is full: the agent sends what is committed when there is room,
         * and afterwards a WRITE interest is posted where more is claimed}
         */
        protected abstract boolean isFull();

        /** Whether the agent has yet to send what was claimed. */
        private boolean isLeft() {
            return !ring().hasPosted(claimed) && !isFull() && !isOver();
        }

        private boolean isFinished() {
            return ring().hasCommitted(claimed);
        }

        /** Sends what was claimed, once it is committed; true when that is over. */
        private boolean finish() {
            if (isLeft() && isFinished()) {
                left = true;
                if (sendByAgent()) {
                    visited = ring().postedPosition();
                }
            }
            return !isLeft();
        }

        private boolean isWrittenByCallers() {
            return ring().postedPosition() != visited; // of another holder: old at the worst
        }

        /**
         * Polls the ring once, and sends what it holds.
         *
         * @param emptyVisitsMax how many polls in a row find nothing before the watch ends
         * @return false when it has ended: the stream is not watched any more, its threads
         *     post again, and what is claimed already has to be awaited
         */
        private boolean visit(int emptyVisitsMax) {
            if (isOver()) {
                watched = false;
                return false;
            }
            long posted = ring().postedPosition();
            if (posted != visited) {
                // The callers write full batches themselves: what is left is young.
                return found(posted);
            }
            if (sendByAgent()) {
                return found(ring().postedPosition());
            }
            if (++emptyVisits < emptyVisitsMax) {
                return true;
            }
            watched = false;
            // A thread that committed before it could read the change has posted nothing: mostly
            // its region is found now.
            if (!sendByAgent()) {
                return false;
            }
            watched = true;
            return found(ring().postedPosition());
        }

        private boolean found(long posted) {
            visited = posted;
            emptyVisits = 0;
            return true;
        }
    }

    // Linked, because a list that could not grow, where memory is exhausted, would lose them.
    private @Nullable Stream firstListed;
    private @Nullable Stream firstUnfinished;
    private final long intervalNsMax;
    private final int emptyVisitsMax;
    private long intervalNs = INTERVAL_NS;

    private SendBatcher(long intervalNsMax, int emptyVisitsMax) {
        this.intervalNsMax = intervalNsMax;
        this.emptyVisitsMax = emptyVisitsMax;
    }

    /** {@return a watch of no stream yet, which polls every 100 microseconds} */
    public static SendBatcher steady() {
        return new SendBatcher(INTERVAL_NS, 1);
    }

    /**
     * {@return a watch of no stream yet, which polls every 100 microseconds, and less often,
     * up to 800, the longer the callers write full batches themselves}
     */
    public static SendBatcher adaptive() {
        return new SendBatcher(INTERVAL_NS_MAX, 1);
    }

    /**
     * {@return the same, which watches a stream until several polls in a row find nothing: for a
     * wire whose posts are expensive, and whose driver may keep the senders from their processor
     * meanwhile}
     */
    public static SendBatcher patient() {
        return new SendBatcher(INTERVAL_NS_MAX, EMPTY_VISITS_MAX);
    }

    /**
     * The agent has removed a WRITE interest, then sent. Where there was anything, the stream is
     * watched; else regions that are claimed and not committed are awaited.
     *
     * @param stream of a connection of this transport
     * @param anything whether anything was sent
     */
    public void sent(Stream stream, boolean anything) {
        if (anything) {
            add(stream);
        } else {
            await(stream);
        }
    }

    /** Begins to watch a stream; false when it is watched already. */
    boolean add(Stream stream) {
        if (stream.watched) {
            return false;
        }
        if (!stream.listed) {
            stream.listed = true;
            stream.nextListed = firstListed;
            firstListed = stream;
        }
        stream.emptyVisits = 0;
        stream.watched = true;
        return true;
    }

    private void await(Stream stream) {
        stream.claimed = stream.ring().claimedBytes();
        stream.left = false;
        if (!stream.unfinished && stream.isLeft()) {
            stream.unfinished = true;
            stream.nextUnfinished = firstUnfinished;
            firstUnfinished = stream;
        }
    }

    /**
     * Polls all of them. It does not count as work: the streams are to gather
     * while the agent waits. Sending must not lead back here or to {@link #sent}.
     */
    public void visit() {
        visitUnfinished();
        boolean callersWrite = firstListed != null;
        Stream before = null;
        for (Stream stream = firstListed; stream != null; ) {
            Stream following = stream.nextListed;
            callersWrite &= stream.isWrittenByCallers();
            if (stream.visit(emptyVisitsMax)) {
                before = stream;
            } else {
                await(stream);
                stream.listed = false;
                stream.nextListed = null;
                if (before == null) {
                    firstListed = following;
                } else {
                    before.nextListed = following;
                }
            }
            stream = following;
        }
        intervalNs = callersWrite ? Math.min(2 * intervalNs, intervalNsMax) : INTERVAL_NS;
    }

    private void visitUnfinished() {
        Stream before = null;
        for (Stream stream = firstUnfinished; stream != null; ) {
            Stream following = stream.nextUnfinished;
            if (!stream.finish()) {
                before = stream;
            } else {
                stream.unfinished = false;
                stream.nextUnfinished = null;
                if (before == null) {
                    firstUnfinished = following;
                } else {
                    before.nextUnfinished = following;
                }
            }
            stream = following;
        }
    }

    /** {@return whether regions that are awaited are committed: the agent must not wait} */
    public boolean hasWork() {
        for (Stream stream = firstUnfinished; stream != null; stream = stream.nextUnfinished) {
            if (!stream.left && stream.isLeft() && stream.isFinished()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether no stream is watched: the agent may wait for any event} */
    public boolean isEmpty() {
        return firstListed == null;
    }

    /**
     * {@return the longest wait until the next {@link #visit}, nanoseconds}
     *
     * @param timeoutNs the longest one where nothing is watched or awaited
     */
    public long limitNs(long timeoutNs) {
        if (firstListed != null) {
            return Math.min(timeoutNs, intervalNs);
        }
        return firstUnfinished == null ? timeoutNs : Math.min(timeoutNs, UNFINISHED_NS);
    }
}
