package io.dxnet.runtime.receive;

import io.dxnet.DXNetConfig;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides which connection gets receive memory, so that incomplete messages of many
 * connections can't keep each other from becoming whole.
 *
 * <pre>
 *   0                  shared                 general                                    maximum (incomingBytesMax)
 *   |-------------------|----------------------|------------------------------------------|
 *    every connection    connections without    the connection of the oldest incomplete
 *                        an incomplete message  message, for the bytes of that message
 * </pre>
 *
 * <p>Every incomplete message becomes whole, or its connection ends:
 *
 * <ol>
 *   <li>Memory in use is unparsed data, messages that wait for handlers, and incomplete
 *       messages. The coordinator parses all that is queued, in whichever order the connections'
 *       buffers are in: it waits for handlers only, never for data. Handlers drain what is whole.
 *       So what is left, when nothing else happens, belongs to incomplete messages.
 *   <li>If that is less than {@code general}, all connections receive. If not, the connection
 *       of the oldest one does: the reserve, from {@code general} to the maximum, is as large as
 *       the largest message and two buffers. It is used for bytes of that message only (a read ends
 *       where the message ends), and these are packed, so that it suffices whatever the pieces are.
 *   <li>When that message is whole, handlers drain it, the reserve is free again,
 *       and the next one is the oldest.
 *   <li>An oldest message that does not grow, while others are refused memory and
 *       the fault is not this node's, is ended with its connection: by a sixteenth of its
 *       length it must grow in each half of {@code sendTimeoutMs}.
 * </ol>
 *
 * <p>A transport that can stop reading (TCP, loopback) leaves refused data where it is.
 * InfiniBand can't: what comes is in its own pool already. There, the sender's window bounds it:
 * as long as memory is low, only the oldest incomplete message is confirmed to its sender,
 * the others get one window each. While the transport's pool is short, the coordinator copies
 * pieces out of it, the oldest message's into the reserve, the others' below {@code general},
 * and waits for handlers that have the memory still.
 *
 * <p>A connection for which there is no room even then is ended. Where half of {@code general}
 * holds a window of each connection, that happens only to one that exceeds its window,
 * as handlers' answers may. So the transport's pool holds no incomplete message for good.
 *
 * <p>A callback that waits for a response may wait for data that gets no memory before
 * the callback returns: its time limit ends that. The part up to {@code general}
 * keeps small messages moving meanwhile.
 * <p>{@link #allowance} and {@link #refused}: any thread; the others: the coordinator's.
 */
public final class ReceiveBudget implements IncomingBufferPool.Admission {
    /** Receives the reports of ended connections. */
    interface Events {
        void stalled(PeerConnection connection, String detail);
    }

    private static final int LARGE = DXNetConfig.LARGE_BUFFER_BYTES;
    private static final int SMALL = DXNetConfig.SMALL_BUFFER_BYTES;
    /** An oldest message has to be whole after so many time limits. */
    private static final int PARTS = 16;

    private static final long LOOK_NS_MIN = 1_000_000;
    /** A pause of this process is no fault of others. */
    private static final long LOOK_NS_MAX = 100_000_000;

    private final IncomingBufferPool pool;
    private final Events events;
    private final long bytesMax;
    private final long general;
    private final long low;
    private final long patienceNs;
    private final AtomicLong refusals = new AtomicLong(); // threads that were refused add
    // Whole messages: the coordinator adds, handlers subtract.
    private final AtomicLong unhandled = new AtomicLong();

    private volatile @Nullable PeerConnection privileged; // the coordinator
    private volatile boolean privilegedRefused; // refused threads set it, the coordinator clears it

    // The coordinator, as all below:
    private @Nullable SplitMessage oldest;
    private @Nullable SplitMessage newest;
    private boolean hasUnconfirmed; // messages that are not the oldest wait for their confirmation
    private long refusalsSeen;
    private long lookedNs;
    private @Nullable SplitMessage watched;
    private int watchedMissing;
    private long waitedNs;

    public ReceiveBudget(DXNetConfig config, IncomingBufferPool pool, Events events) {
        this.pool = pool;
        this.events = events;
        this.bytesMax = config.incomingBytesMax();
        // The trailer of a streamed message, and rounding to whole buffers.
        long reserve = config.maxMessageBytes() / SMALL * SMALL + SMALL + 2L * LARGE;
        this.general = bytesMax - reserve;
        long shared = general - general / 4;
        this.low = shared / 2;
        this.patienceNs = config.sendTimeoutMs() * 1_000_000L / 2;
        pool.admission(shared, this);
    }

    /**
     * Whether pieces are to be packed, and messages that are not the oldest have
     * to wait for confirmations.
     */
    private boolean isLow() {
        return pool.bytesInUse() > low;
    }

    /** {@return how much memory connections get that are not the oldest incomplete message's} */
    long general() {
        return general;
    }

    /** {@return the connection that may exceed {@link #general}; null for none} */
    @Nullable
    PeerConnection oldestConnection() {
        return privileged;
    }

    // ---------------------------------------------------------------- admission: any thread

    @Override
    public long allowance(Connection from, long bytesInUse) {
        PeerConnection connection = (PeerConnection) from;
        if (connection == privileged) {
            long bytes = StreamState.of(connection).splitEnd()
                    - connection.bytesReceived().get();
            if (connection == privileged) { // else the end may be another message's
                return bytes;
            }
        }
        // With nothing in the queue, what the coordinator knows of the connection is all.
        boolean isBetweenMessages = connection.queuedBuffers().get() == 0 && StreamState.of(connection).split == null;
        return isBetweenMessages && bytesInUse <= general ? Long.MAX_VALUE : 0;
    }

    @Override
    public void refused(@Nullable Connection from) {
        if (from != null) {
            ((PeerConnection) from).readingRefused();
        }
        if (from != null && from == privileged) {
            privilegedRefused = true;
        } else {
            refusals.incrementAndGet();
        }
    }

    // ---------------------------------------------------------------- incomplete messages

    /** A message begins that is not whole. */
    void begin(SplitMessage split, long end) {
        PeerConnection connection = split.connection;
        StreamState.of(connection).splitEnd(end);
        split.later = null;
        split.earlier = newest;
        if (newest == null) {
            oldest = split;
            privileged = connection;
        } else {
            newest.later = split;
        }
        newest = split;
    }

    /** A message is whole, and will be handed over. */
    void whole(SplitMessage split) {
        end(split);
        split.countAs(unhandled);
    }

    /** A message is not to be received any further. */
    void end(SplitMessage split) {
        SplitMessage earlier = split.earlier;
        SplitMessage later = split.later;
        split.earlier = null;
        split.later = null;
        if (later == null) {
            newest = earlier;
        } else {
            later.earlier = earlier;
        }
        if (earlier != null) {
            earlier.later = later;
            return;
        }
        oldest = later;
        privileged = later == null ? null : later.connection;
        watched = null;
        if (later != null) {
            later.confirm();
        }
    }

    /** No incomplete message is received any further: returns their buffers. */
    @SuppressWarnings("NullAway") // where there is an oldest, there is a newest
    void discard() {
        while (oldest != null) {
            SplitMessage split = newest;
            StreamState.of(split.connection).split = null;
            end(split);
            split.discard();
        }
    }

    /**
     * Adds a piece to an incomplete message.
     *
     * @return how many bytes: fewer when the coordinator has to wait for the handlers;
     *     -1 when the connection was ended
     */
    int add(SplitMessage split, IncomingBuffer buffer, int offset, int bytes) {
        int added = bytes;
        if (buffer.isHomeShort()) {
            added = copy(split, buffer, offset, bytes);
        } else if (isLow()) {
            split.addPacked(buffer, offset, bytes);
        } else {
            split.add(buffer, offset, bytes);
        }
        // The last piece is confirmed when the message was handled.
        if (split.missing() > 0 && added > 0) {
            if (split == oldest || !isLow()) {
                split.confirm();
            } else {
                hasUnconfirmed = true;
            }
        }
        return added;
    }

    private int copy(SplitMessage split, IncomingBuffer buffer, int offset, int bytes) {
        int copied = split.addToTail(buffer, offset, bytes);
        while (copied < bytes) {
            int left = bytes - copied;
            // Before the search: a handler may return its memory just after it.
            boolean handlersHold = unhandled.get() > 0;
            IncomingBuffer own;
            String ended = null;
            try {
                split.ensureRoom();
                own = takeFor(split, left);
                if (own == null && split != oldest && !handlersHold) {
                    ended = noRoom(split);
                }
            } catch (OutOfMemoryError e) {
                if (copied == 0) {
                    throw e;
                }
                return copied; // else it would be copied again
            }
            if (ended != null) {
                StreamState.of(split.connection).ended = true; // first: what hears of it may call back
                events.stalled(split.connection, ended);
                return -1;
            }
            if (own == null) {
                return copied; // handlers have the memory, or some of it
            }
            copied += split.addCopy(buffer, offset + copied, left, own);
        }
        return copied;
    }

    /**
     * A buffer for what is in a transport's own: all but the oldest message together
     * get what is below the reserve.
     */
    @SuppressWarnings("NullAway") // called for an incomplete message: there is an oldest
    private @Nullable IncomingBuffer takeFor(SplitMessage split, int bytes) {
        IncomingBuffer own = pool.takeAny(bytes);
        if (own != null && split != oldest && pool.bytesInUse() - (oldest.length - oldest.missing()) > general) {
            own.giveBack();
            return null;
        }
        return own;
    }

    // ---------------------------------------------------------------- once per duty cycle

    /**
     * Confirms what had to wait, and ends an oldest message that keeps others
     * waiting and does not grow.
     *
     * @param blocked whether the coordinator waits for handlers
     */
    void look(boolean blocked) {
        if (oldest == null) {
            return;
        }
        if (hasUnconfirmed && !isLow()) {
            hasUnconfirmed = false;
            for (SplitMessage split = oldest; split != null; split = split.later) {
                split.confirm();
            }
        }
        if (hasUnconfirmed || refusals.get() != refusalsSeen) {
            long nowNs = System.nanoTime();
            long elapsedNs = nowNs - lookedNs;
            if (elapsedNs >= LOOK_NS_MIN) {
                lookedNs = nowNs;
                refusalsSeen = refusals.get();
                watch(blocked, Math.min(elapsedNs, LOOK_NS_MAX));
            }
        }
    }

    @SuppressWarnings("NullAway") // called where there is an oldest message
    private void watch(boolean blocked, long elapsedNs) {
        SplitMessage split = oldest;
        if (split != watched || watchedMissing - split.missing() >= Math.max(1, split.length / PARTS)) {
            watched = split;
            watchedMissing = split.missing();
            waitedNs = 0;
        } else if (blocked
                || privilegedRefused
                || split.connection.queuedBuffers().get() > 0) {
            privilegedRefused = false; // its sender can't help it
        } else {
            waitedNs += elapsedNs;
            if (waitedNs > patienceNs) {
                waitedNs = 0;
                events.stalled(split.connection, noProgress(split));
            }
        }
    }

    /** {@return how long the coordinator may sleep: memory that is returned wakes no thread up} */
    long limit(long timeoutNs) {
        return oldest != null && (hasUnconfirmed || isLow()) ? Math.min(timeoutNs, LOOK_NS_MIN) : timeoutNs;
    }

    // ---------------------------------------------------------------- texts

    private String noProgress(SplitMessage split) {
        return of(split) + " did not grow by a " + PARTS + "th within " + patienceNs / 1_000_000
                + " ms (half of sendTimeoutMs), while others wait for receive memory (incomingBytesMax=" + bytesMax
                + ")";
    }

    private String noRoom(SplitMessage split) {
        return of(split) + " has no room left in the receive memory (incomingBytesMax=" + bytesMax
                + "), and the transport's own is short";
    }

    private static String of(SplitMessage split) {
        return "node " + split.connection.nodeId() + " sent " + (split.length - split.missing())
                + " bytes of a message of " + split.length + " bytes, which hold " + split.held()
                + " bytes of receive memory: it";
    }

    /** The memory that this node may use for what it receives. */
    public String describe() {
        return "receive memory up to " + bytesMax + " bytes (incomingBytesMax), of these " + (bytesMax - general)
                + " for the oldest incomplete message";
    }
}
