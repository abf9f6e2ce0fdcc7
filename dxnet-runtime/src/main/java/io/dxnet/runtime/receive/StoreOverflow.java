package io.dxnet.runtime.receive;

import io.dxnet.transport.IncomingBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a full {@link MessageHeaderStore} has no room for while a handler waits
 * inside a callback. The response that the callback waits for may lie behind it.
 * Keeps the order; bounded. The message creation coordinator's.
 *
 * <p>{@link #hasRoom} allocates what the next entry needs, and an offer allocates nothing.
 * So a heap that is full leaves no retained buffer behind.
 */
final class StoreOverflow {
    /** Entries beyond those of the store, as a multiple of these. */
    private static final int FACTOR = 64;

    /** An entry, and the one behind it. */
    private static final class Entry {
        final Batch batch = new Batch();

        @Nullable
        Entry next;
    }

    private final MessageHeaderStore store;
    private final int entriesMax;
    private @Nullable Entry first;
    private @Nullable Entry last;
    private int entries;
    private @Nullable Entry spare; // for the next offer

    StoreOverflow(MessageHeaderStore store) {
        this.store = store;
        this.entriesMax = FACTOR * store.capacity();
    }

    boolean isEmpty() {
        return first == null;
    }

    /**
     * Whether one more entry can be appended, to the store or here.
     *
     * @param mayGrow whether a handler waits inside a callback
     */
    boolean hasRoom(boolean mayGrow) {
        if (isEmpty() && store.hasRoom()) {
            return true;
        }
        if (!mayGrow || entries == entriesMax) {
            return false;
        }
        if (spare == null) {
            spare = new Entry();
        }
        return true;
    }

    /** Appends a run, where {@link #hasRoom}. The run must have been retained. */
    void offerRun(IncomingBuffer buffer, int start, int end, int epoch) {
        if (!isEmpty() || !store.offerRun(buffer, start, end, epoch)) {
            Batch entry = append();
            entry.buffer = buffer;
            entry.start = start;
            entry.end = end;
            entry.epoch = epoch;
        }
    }

    /** Appends a split message, where {@link #hasRoom}. */
    void offerSplit(SplitMessage message) {
        if (!isEmpty() || !store.offerSplit(message)) {
            append().split = message;
        }
    }

    private Batch append() {
        Entry entry = Objects.requireNonNull(spare);
        spare = null;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
        entries++;
        return entry.batch;
    }

    private void removeFirst(Entry entry) {
        first = entry.next;
        if (first == null) {
            last = null;
        }
        entries--;
    }

    /**
     * Moves to the store what it has room for; returns the number of entries, for which handlers
     * have to be woken.
     */
    int drain() {
        int moved = 0;
        for (Entry entry = first; entry != null && store.hasRoom(); entry = first) {
            removeFirst(entry);
            Batch batch = entry.batch;
            if (batch.split != null) {
                store.offerSplit(batch.split);
            } else {
                store.offerRun(batch.buffer, batch.start, batch.end, batch.epoch);
            }
            moved++;
        }
        return moved;
    }

    /** Releases the buffers of all entries. After the handlers' threads have ended. */
    void discard() {
        for (Entry entry = first; entry != null; entry = first) {
            removeFirst(entry);
            entry.batch.discard();
        }
    }
}
