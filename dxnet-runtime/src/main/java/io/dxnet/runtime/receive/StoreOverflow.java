package io.dxnet.runtime.receive;

import io.dxnet.transport.IncomingBuffer;
import java.util.ArrayDeque;

/**
 * Keeps what a full {@link MessageHeaderStore} has no room for while a handler waits
 * inside a callback. The response that the callback waits for may lie behind it.
 * Keeps the order; bounded. The message creation coordinator's.
 */
final class StoreOverflow {
    /** Entries beyond those of the store, as a multiple of these. */
    private static final int FACTOR = 64;

    private final MessageHeaderStore store;
    private final int entriesMax;
    private final ArrayDeque<Batch> entries = new ArrayDeque<>();

    StoreOverflow(MessageHeaderStore store) {
        this.store = store;
        this.entriesMax = FACTOR * store.capacity();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Whether one more entry can be appended, to the store or here.
     *
     * @param mayGrow whether a handler waits inside a callback
     */
    boolean hasRoom(boolean mayGrow) {
        drain();
        return entries.isEmpty() && store.hasRoom() || mayGrow && entries.size() < entriesMax;
    }

    /** Appends a run, where {@link #hasRoom}. The run must have been retained. */
    void offerRun(IncomingBuffer buffer, int start, int end, int epoch) {
        if (!entries.isEmpty() || !store.offerRun(buffer, start, end, epoch)) {
            Batch entry = new Batch();
            entry.buffer = buffer;
            entry.start = start;
            entry.end = end;
            entry.epoch = epoch;
            entries.add(entry);
        }
    }

    /** Appends a split message, where {@link #hasRoom}. */
    void offerSplit(SplitMessage message) {
        if (!entries.isEmpty() || !store.offerSplit(message)) {
            Batch entry = new Batch();
            entry.split = message;
            entries.add(entry);
        }
    }

    /** Moves to the store what it has room for; returns the number of entries. */
    int drain() {
        int moved = 0;
        for (Batch entry = entries.peek(); entry != null && store.hasRoom(); entry = entries.peek()) {
            entries.remove();
            if (entry.split != null) {
                store.offerSplit(entry.split);
            } else {
                store.offerRun(entry.buffer, entry.start, entry.end, entry.epoch);
            }
            moved++;
        }
        return moved;
    }

    /** Releases the buffers of all entries. After the handlers' threads have ended. */
    void discard() {
        for (Batch entry : entries) {
            entry.discard();
        }
        entries.clear();
    }
}
