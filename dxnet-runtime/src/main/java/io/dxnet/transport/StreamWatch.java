package io.dxnet.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends for the connections that are being streamed to. A post for each batch would be a wake-up for each batch; so after a post
 * the ring is looked at regularly, until there is nothing new, and meanwhile nobody has to post. The transport's agent only,
 * where nothing else is said.
 */
public final class StreamWatch {
    /** How long a watched ring may gather: enough for a batch. */
    private static final long INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** The same while callers write full batches themselves: then only the rest of a stream that ended is the agent's. */
    private static final long INTERVAL_NS_MAX = TimeUnit.MICROSECONDS.toNanos(800);

    /** The direction from this node of a connection. */
    public abstract static class Stream {
        private volatile boolean watched; // the agent
        private long visited; // what was posted at the last visit; the agent

        /** Not watched. */
        protected Stream() {}

        /**
         * Whether the agent looks at the ring regularly, so that nobody has to post. Any thread.
         *
         * @return false: who commits data posts
         */
        public final boolean isWatched() {
            return watched;
        }

        /**
         * Where the data is.
         *
         * @return always the same
         */
        protected abstract OutgoingRingBuffer ring();

        /**
         * Sends what the ring holds as far as the wire takes it now; what it does not take is posted, or sent when it can be.
         *
         * @return whether anything was sent
         */
        protected abstract boolean sendByAgent();

        /**
         * Whether it is closed or broken.
         *
         * @return true: nothing will be sent any more
         */
        protected abstract boolean isOver();

        private boolean isWrittenByCallers() {
            return ring().postedPosition() != visited; // of another holder: old at the worst
        }

        /**
         * One look: sends what is there.
         *
         * @return false when there was nothing: then it is not watched any more, and data that is committed is posted again
         */
        private boolean visit() {
            if (isOver()) {
                watched = false;
                return false;
            }
            long posted = ring().postedPosition();
            if (posted != visited) {
                visited = posted; // the callers write full batches themselves: what is left is young
                return true;
            }
            if (sendByAgent()) {
                visited = ring().postedPosition();
                return true;
            }
            watched = false;
            // Whoever committed before it could see that has posted nothing: look once more.
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

    private StreamWatch(long intervalNsMax) {
        this.intervalNsMax = intervalNsMax;
    }

    /**
     * Looks every 100 microseconds.
     *
     * @return watches nothing yet
     */
    public static StreamWatch steady() {
        return new StreamWatch(INTERVAL_NS);
    }

    /**
     * Looks every 100 microseconds, and the less often, up to 800, the longer the callers write full batches themselves.
     *
     * @return watches nothing yet
     */
    public static StreamWatch adaptive() {
        return new StreamWatch(INTERVAL_NS_MAX);
    }

    /**
     * Begins to watch a stream: call it when something was sent after a post.
     *
     * @param stream whichever
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

    /** Looks at all of them. It does not count as work: the streams are to gather while the agent waits. */
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

    /**
     * Whether there is nothing to look at.
     *
     * @return true: {@link #intervalNs} does not matter
     */
    public boolean isEmpty() {
        return streams.isEmpty();
    }

    /**
     * The longest wait until the next {@link #visit}.
     *
     * @return nanoseconds
     */
    public long intervalNs() {
        return intervalNs;
    }
}
