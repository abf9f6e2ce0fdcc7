package io.dxnet.transport.shared;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends for the connections that are being streamed to. One post a batch would be
 * one wake-up a batch: so after a post the transport's agent polls the ring regularly
 * until there is nothing new, and meanwhile the committing threads need not post.
 * The transport's agent only, except where a method states otherwise.
 */
public final class SendBatcher {
    /** How long a watched ring may gather data: enough for a batch. */
    private static final long INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /**
     * The same while callers write full batches themselves: then the agent sends
     * only the rest of a stream that ended.
     */
    private static final long INTERVAL_NS_MAX = TimeUnit.MICROSECONDS.toNanos(800);

    /** The direction from this node of a connection. */
    public abstract static class Stream {
        private volatile boolean watched; // the agent
        private long visited; // the position that was posted at the last visit; the agent

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

        private boolean isWrittenByCallers() {
            return ring().postedPosition() != visited; // of another holder: old at the worst
        }

        /**
         * Polls the ring once, and sends what it holds.
         *
         * @return false when there was nothing: the stream is not watched any more,
         *     and data that is committed is posted again
         */
        private boolean visit() {
            if (isOver()) {
                watched = false;
                return false;
            }
            long posted = ring().postedPosition();
            if (posted != visited) {
                // The callers write full batches themselves: what is left is young.
                visited = posted;
                return true;
            }
            if (sendByAgent()) {
                visited = ring().postedPosition();
                return true;
            }
            watched = false;
            // A thread that committed before it could see the change has posted nothing:
            // poll once more.
            if (!sendByAgent()) {
                return false;
            }
            watched = true;
            return true;
        }
    }

    private final List<Stream> streams = new ArrayList<>();
    private final long intervalNsMax;
    private long intervalNs = INTERVAL_NS;

    private SendBatcher(long intervalNsMax) {
        this.intervalNsMax = intervalNsMax;
    }

    /** {@return a watch of no stream yet, which polls every 100 microseconds} */
    public static SendBatcher steady() {
        return new SendBatcher(INTERVAL_NS);
    }

    /**
     * {@return a watch of no stream yet, which polls every 100 microseconds, and less often,
     * up to 800, the longer the callers write full batches themselves}
     */
    public static SendBatcher adaptive() {
        return new SendBatcher(INTERVAL_NS_MAX);
    }

    /**
     * Begins to watch a stream: call it when something was sent after a post.
     *
     * @param stream of a connection of this transport
     * @return false when it is watched already
     */
    public boolean add(Stream stream) {
        if (stream.watched) {
            return false;
        }
        stream.watched = true;
        streams.add(stream);
        return true;
    }

    /**
     * Polls all of them. It does not count as work: the streams are to gather
     * while the agent waits.
     */
    public void visit() {
        boolean callersWrite = !streams.isEmpty();
        for (int i = streams.size() - 1; i >= 0; i--) {
            Stream stream = streams.get(i);
            callersWrite &= stream.isWrittenByCallers();
            if (!stream.visit()) {
                int last = streams.size() - 1;
                streams.set(i, streams.get(last));
                streams.remove(last);
            }
        }
        intervalNs = callersWrite ? Math.min(2 * intervalNs, intervalNsMax) : INTERVAL_NS;
    }

    /** {@return whether no stream is watched, so that {@link #intervalNs} does not matter} */
    public boolean isEmpty() {
        return streams.isEmpty();
    }

    /** {@return the longest wait until the next {@link #visit}, nanoseconds} */
    public long intervalNs() {
        return intervalNs;
    }
}
