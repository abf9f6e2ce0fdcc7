package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.Agent;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.idle.ThreadSignal;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The MCC (DXNet §VI-A): polls received buffers in order, finds the messages in them,
 * and hands batches of messages to the handlers' stores. It reads headers only; payloads are
 * the handlers' work. A message that is cut by the end of a buffer is collected piece by piece
 * and handed over when it is whole, so that no handler ever waits for the network.
 *
 * <p>Performance sketch: per message 2 loads of a header that the handler reads again
 * from the cache; per batch (up to {@code headerBatch} messages) one atomic add on
 * the buffer's references and one store entry.
 *
 * <p>It has more than 400 lines: one parser, whose steps share the place in the stream.
 */
public final class MessageCreationCoordinator implements Agent {
    private static final int BUFFERS_PER_CYCLE = 16;
    private static final int SHARED = 0;
    private static final int RESPONSE = 1;
    private static final int EXCLUSIVE = 2;
    /** What a message may have that needs no care of its own. */
    private static final int USUAL_FLAGS = HeaderDescriptor.EXCLUSIVE | HeaderDescriptor.SERVICE;

    /** What the coordinator reports. */
    public interface Events extends ReceiveBudget.Events {
        void protocolError(PeerConnection connection, String what);

        void handover(PeerConnection connection);

        void goodbye(PeerConnection connection);

        void barrier(PeerConnection connection, int epoch);
    }

    private final IncomingBufferQueue queue;
    private final HeaderStores stores;
    private final IntPredicate isExclusive; // of the key of a type
    private final Events events;
    private final ReceiveBudget budget;
    private final int batchMax;
    private final int payloadMax;
    private final long blockedNs;
    private final ThreadSignal threadSignal = new ThreadSignal(this::hasWork);
    private final Queue<SplitMessage> splits;
    private final Queue<PeerConnection> ended = new ConcurrentLinkedQueue<>();

    private @Nullable IncomingBuffer current; // the agent's thread, as all below
    private int position;
    private final StoreOverflow responses;
    private final StoreOverflow shared;
    private final StoreOverflow[] exclusive; // of each handler; not used where there is one
    private boolean overflowing; // whether one of them may have entries

    public MessageCreationCoordinator(
            IncomingBufferQueue queue,
            HeaderStores stores,
            IntPredicate isExclusive,
            Queue<SplitMessage> splits,
            Events events,
            ReceiveBudget budget,
            int batchMax,
            int payloadMax,
            long blockedNs) {
        this.queue = queue;
        this.stores = stores;
        this.isExclusive = isExclusive;
        this.splits = splits;
        this.events = events;
        this.budget = budget;
        this.batchMax = batchMax;
        this.payloadMax = payloadMax;
        this.blockedNs = blockedNs;
        this.responses = new StoreOverflow(stores.responses);
        this.shared = new StoreOverflow(stores.shared);
        this.exclusive = new StoreOverflow[stores.handlers()];
        for (int i = 0; i < exclusive.length; i++) {
            exclusive[i] = new StoreOverflow(stores.exclusive(i));
        }
    }

    @Override
    public String role() {
        return "mcc";
    }

    @Override
    public int doWork() {
        int work = overflowing ? drain() : 0;
        while (work < BUFFERS_PER_CYCLE) {
            if (current == null) {
                current = queue.poll();
                if (current == null) {
                    break;
                }
                position = 0;
            }
            if (!parse()) {
                break; // a store is full: the handlers come first
            }
            work++;
        }
        if (!ended.isEmpty()) {
            work += letGoOfEnded();
        }
        budget.look(isBlocked());
        return work;
    }

    @Override
    public void await(long timeoutNs) {
        if (isBlocked()) {
            LockSupport.parkNanos(this, limit(timeoutNs)); // handlers that made room don't ring
        } else {
            threadSignal.park(limit(timeoutNs));
        }
    }

    /**
     * {@return how long to sleep at most: handlers that made room, in a store or
     * in memory, wake no thread up}
     */
    public long limit(long timeoutNs) {
        return isBlocked() ? Math.min(timeoutNs, blockedNs) : budget.limit(timeoutNs);
    }

    @Override
    public void wakeup() {
        threadSignal.wakeup();
    }

    /** A buffer is in the queue. Any thread. */
    public void received() {
        threadSignal.raise();
    }

    private boolean hasWork() {
        return !queue.isEmpty() || !ended.isEmpty();
    }

    /**
     * Whether a buffer waits for room, in a store or in memory: then only the handlers can help.
     */
    boolean isBlocked() {
        return current != null || overflowing;
    }

    /**
     * A connection is over and its transport is done: what is left of it will
     * be released. Any thread.
     */
    public void ended(PeerConnection connection) {
        ended.add(connection);
        threadSignal.raise();
    }

    /** Continues to read the current buffer; false when a store is full. */
    @SuppressWarnings("NullAway") // called where there is a current buffer
    private boolean parse() {
        IncomingBuffer buffer = current;
        PeerConnection connection = (PeerConnection) buffer.connection();
        StreamState stream = StreamState.of(connection);
        int limit = buffer.length();
        while (position < limit
                || stream.split != null && stream.split.missing() == 0
                || stream.headerBytes == HeaderDescriptor.BYTES) {
            if (stream.ended) {
                break;
            }
            if (stream.split != null) {
                if (!continueSplit(connection, stream, buffer, limit)) {
                    return false;
                }
            } else if (stream.headerBytes > 0 || limit - position < HeaderDescriptor.BYTES) {
                continueHeader(connection, stream, buffer, limit);
            } else if (!parseRun(connection, stream, buffer, limit)) {
                return false;
            }
        }
        current = null;
        stream.finished.add(limit);
        connection.queuedBuffers().decrementAndGet();
        buffer.release();
        return true;
    }

    @SuppressWarnings("NullAway") // called where there is a split message
    private boolean continueSplit(PeerConnection connection, StreamState stream, IncomingBuffer buffer, int limit) {
        SplitMessage split = stream.split;
        int bytes = Math.min(split.missing(), limit - position);
        if (bytes > 0) {
            int added = budget.add(split, buffer, position, bytes);
            if (added < 0) {
                return true;
            }
            position += added;
            if (added < bytes) {
                return false;
            }
        }
        if (split.missing() > 0) {
            return true;
        }
        int kind = kindOf(split.headerWord);
        StoreOverflow store = storeOf(kind, connection);
        if (!hasRoom(store)) {
            return false;
        }
        stream.split = null;
        budget.whole(split);
        countResponses(kind, connection);
        store.offerSplit(split);
        wake(kind, connection);
        return true;
    }

    private void continueHeader(PeerConnection connection, StreamState stream, IncomingBuffer buffer, int limit) {
        int bytes = Math.min(HeaderDescriptor.BYTES - stream.headerBytes, limit - position);
        MemorySegment header = stream.header;
        MemorySegment.copy(buffer.segment(), position, header, stream.headerBytes, bytes);
        position += bytes;
        stream.headerBytes += bytes;
        if (stream.headerBytes == HeaderDescriptor.BYTES) {
            begin(connection, stream, HeaderDescriptor.word(header, 0), HeaderDescriptor.length(header, 0), position);
        }
    }

    /**
     * Starts a message whose payload is not in one piece with its header. Where there is no memory
     * for it, the header is read again in the next duty cycle.
     *
     * @param end where the header ends in the buffer
     */
    private void begin(PeerConnection connection, StreamState stream, long word, int length, int end) {
        if (!isValid(connection, stream, word, length)) {
            return;
        }
        int category = HeaderDescriptor.category(word);
        SplitMessage split = HeaderDescriptor.isOfStream(category) ? null : newSplit();
        position = end;
        stream.headerBytes = 0;
        if (category == HeaderDescriptor.GOODBYE) {
            goodbye(connection, stream);
            return;
        }
        if (split != null) {
            split.begin(connection, word, length, stream.epochs.current());
            stream.split = split;
            budget.begin(split, stream.finished.get() + position + length);
        }
        connection.processed(HeaderDescriptor.BYTES);
        if (category == HeaderDescriptor.HANDOVER) {
            connection.handled(stream.epochs.current(), HeaderDescriptor.BYTES);
            events.handover(connection);
        } else if (category == HeaderDescriptor.BARRIER) {
            barrier(connection, stream);
        }
    }

    private SplitMessage newSplit() {
        SplitMessage split = splits.poll();
        return split != null ? split : new SplitMessage();
    }

    /**
     * Hands over the messages that lie whole in the buffer, up to a change of store
     * or a full batch.
     */
    private boolean parseRun(PeerConnection connection, StreamState stream, IncomingBuffer buffer, int limit) {
        MemorySegment segment = buffer.segment();
        int start = position;
        int at = start;
        int count = 0;
        int kind = SHARED;
        while (limit - at >= HeaderDescriptor.BYTES && count < batchMax) {
            long word = HeaderDescriptor.word(segment, at);
            int length = HeaderDescriptor.length(segment, at);
            if (length < 0 || length > limit - at - HeaderDescriptor.BYTES || isUnusual(word, length)) {
                if (count > 0) {
                    break; // the run before it comes first
                }
                begin(connection, stream, word, length, at + HeaderDescriptor.BYTES);
                return true;
            }
            int kindOfThis = kindOf(word);
            if (count == 0) {
                kind = kindOfThis;
            } else if (kindOfThis != kind) {
                break;
            }
            count++;
            at += HeaderDescriptor.BYTES + length;
        }
        StoreOverflow store = storeOf(kind, connection);
        if (!hasRoom(store)) {
            return false;
        }
        buffer.retain();
        countResponses(kind, connection);
        store.offerRun(buffer, start, at, stream.epochs.current());
        position = at;
        wake(kind, connection);
        return true;
    }

    private boolean isUnusual(long word, int length) {
        int control = HeaderDescriptor.control(word);
        return (control & ~USUAL_FLAGS) > HeaderDescriptor.RESPONSE || length > payloadMax;
    }

    private boolean isValid(PeerConnection connection, StreamState stream, long word, int length) {
        int control = HeaderDescriptor.control(word);
        int streamed = control & HeaderDescriptor.STREAMED;
        // A streamed message is one byte longer: its trailer.
        int max = HeaderDescriptor.isOfStream(HeaderDescriptor.category(word))
                ? 0
                : streamed == 0 ? payloadMax : payloadMax + 1;
        if (HeaderDescriptor.isKnown(control) && length >= 0 && length <= max && (streamed == 0 || length > 0)) {
            return true;
        }
        String what = HeaderDescriptor.isKnown(control)
                ? "a header announces " + length + " payload bytes; 0 to " + (max == 0 ? 0 : payloadMax)
                        + " are allowed (maxMessageBytes)"
                : "a header has the unknown control byte 0x" + Integer.toHexString(control);
        stream.ended = true; // after it: where there is no memory for the text, the header is read again
        events.protocolError(connection, what);
        return false;
    }

    private void goodbye(PeerConnection connection, StreamState stream) {
        stream.ended = true;
        events.goodbye(connection);
    }

    /**
     * The header is handled when it is read, as a handover's, and belongs to
     * the epoch that it ends.
     */
    private void barrier(PeerConnection connection, StreamState stream) {
        int epoch = stream.epochs.current();
        connection.handled(epoch, HeaderDescriptor.BYTES);
        if (stream.epochs.end(stream.finished.get() + position)) {
            try {
                events.barrier(connection, epoch);
            } catch (Throwable e) { // the heap is full
                stream.ended = true;
                events.stalled(connection, "the answer to a barrier was lost");
                throw e;
            }
        } else {
            stream.ended = true;
            events.protocolError(connection, "it sent a barrier before it had the answer to its last one");
        }
    }

    private int kindOf(long word) {
        int control = HeaderDescriptor.control(word);
        if (HeaderDescriptor.isResponding(control)) {
            return RESPONSE;
        }
        if (stores.handlers() == 1) {
            return SHARED;
        }
        // The receiver's registration counts too: a sender need not have
        // registered what it only sends.
        return (control & HeaderDescriptor.EXCLUSIVE) != 0 || isExclusive.test(HeaderDescriptor.key(word))
                ? EXCLUSIVE
                : SHARED;
    }

    private StoreOverflow storeOf(int kind, PeerConnection connection) {
        return switch (kind) {
            case RESPONSE -> responses;
            case EXCLUSIVE -> exclusive[stores.handlerOf(connection.nodeId())];
            default -> shared;
        };
    }

    private boolean hasRoom(StoreOverflow store) {
        if (overflowing) {
            drain(); // handlers may have made room in this duty cycle
        }
        if (store.hasRoom(false)) {
            return true;
        }
        boolean mayGrow = stores.isHandlerWaiting();
        overflowing |= mayGrow;
        return store.hasRoom(mayGrow);
    }

    /** Moves on what was kept for full stores; returns the number of entries. */
    private int drain() {
        int moved = shared.drain() + responses.drain();
        boolean empty = shared.isEmpty() && responses.isEmpty();
        for (StoreOverflow each : exclusive) {
            moved += each.drain();
            empty &= each.isEmpty();
        }
        overflowing = !empty;
        if (moved > 0) {
            VarHandle.fullFence(); // the entries, then the checks for a sleeper
            for (int i = 0; i < exclusive.length; i++) {
                stores.wake(i);
            }
        }
        return moved;
    }

    /** Before they are in the store: a handler subtracts. */
    private static void countResponses(int kind, PeerConnection connection) {
        if (kind == RESPONSE) {
            connection.unhandledResponses().incrementAndGet();
        }
    }

    private void wake(int kind, PeerConnection connection) {
        VarHandle.fullFence(); // the entry, then the check for a sleeper
        if (kind == EXCLUSIVE) {
            stores.wake(stores.handlerOf(connection.nodeId()));
            if (!stores.shared.isEmpty()) {
                stores.wakeAny(); // the same handler may have been woken for it, and handles this one first
            }
        } else {
            stores.wakeAny();
        }
    }

    /**
     * Returns the buffers of all that no handler gets any more. After the threads
     * of the stages have ended.
     */
    public void discard() {
        IncomingBuffer buffer = current != null ? current : queue.poll();
        current = null;
        while (buffer != null) {
            ((PeerConnection) buffer.connection()).queuedBuffers().decrementAndGet();
            buffer.release();
            buffer = queue.poll();
        }
        shared.discard();
        responses.discard();
        for (StoreOverflow each : exclusive) {
            each.discard();
        }
        ended.clear();
        budget.discard();
    }

    private int letGoOfEnded() {
        int work = 0;
        for (Iterator<PeerConnection> each = ended.iterator(); each.hasNext(); ) {
            PeerConnection connection = each.next();
            if (connection.queuedBuffers().get() > 0) {
                continue; // its last buffers come first
            }
            each.remove();
            SplitMessage split = StreamState.of(connection).split;
            if (split != null) {
                StreamState.of(connection).split = null;
                budget.end(split);
                split.discard();
            }
            work++;
        }
        return work;
    }
}
