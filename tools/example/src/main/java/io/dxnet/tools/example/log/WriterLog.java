package io.dxnet.tools.example.log;

import io.dxnet.tools.example.log.LogException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The writer's own copy of the last entries, and what is known of each follower. Any thread; one
 * monitor.
 */
final class WriterLog {
    private final int slots;
    private final byte[][] kept; // entry s is at s modulo length
    private final long[] stored; // of each follower: the entries before it are in its memory
    private final long[] consumed; // of each follower, as last read
    private long end; // the next entry
    private long committed; // the entries before it
    private int waitingForRoom;
    private boolean closed;

    /**
     * Has no entries.
     *
     * @param keptMax entries for followers that are behind, {@code slots} or more
     */
    WriterLog(int followers, int slots, int keptMax) {
        if (followers < 1 || keptMax < slots) {
            throw new IllegalArgumentException(
                    followers + " followers; " + keptMax + " entries kept for " + slots + " slots");
        }
        this.slots = slots;
        kept = new byte[keptMax][];
        stored = new long[followers];
        consumed = new long[followers];
    }

    // ---------------------------------------------------------------- appending threads

    /** Appends, when a majority has room. {@return the number of the entry} */
    synchronized long append(long term, byte[] content, long deadlineNs) throws LogException, InterruptedException {
        waitingForRoom++;
        try {
            while (!closed && end - ofMajority(consumed) >= slots) {
                if (!await(deadlineNs)) {
                    throw new LogException(
                            Reason.FULL, "a majority of the followers has no room: entry " + end + " is not appended");
                }
            }
        } finally {
            waitingForRoom--;
        }
        checkOpen();
        kept[index(end)] = new LogEntry(term, end, content).encode();
        notifyAll();
        return end++;
    }

    /** Waits until an entry is committed. */
    synchronized void awaitCommitted(long sequence, long deadlineNs) throws LogException, InterruptedException {
        while (committed <= sequence) {
            checkOpen();
            if (!await(deadlineNs)) {
                throw new LogException(
                        Reason.NOT_COMMITTED, "entry " + sequence + " is not in the memory of a majority yet");
            }
        }
    }

    private boolean await(long deadlineNs) throws InterruptedException {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
            return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        return true;
    }

    private void checkOpen() throws LogException {
        if (closed) {
            throw new LogException(Reason.CLOSED, "the writer of the log is closed");
        }
    }

    // ---------------------------------------------------------------- threads of the followers

    /** {@return some entries from one on; none when there are none in time} */
    synchronized List<byte[]> awaitEntries(long from, int max, long timeoutNs) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (!closed && waitingForRoom == 0 && from >= end && await(deadlineNs)) {
            // until there is an entry, or something else to do
        }
        checkKept(from);
        List<byte[]> entries = new ArrayList<>();
        for (long sequence = from; sequence < Math.min(end, from + max); sequence++) {
            entries.add(kept[index(sequence)]);
        }
        return entries;
    }

    /** Fails where a follower cannot continue from an entry. */
    synchronized void checkKept(long from) {
        if (from < end - kept.length || from > end) {
            throw new IllegalStateException("it needs entries from " + from + " on, the writer has "
                    + Math.max(0, end - kept.length) + " to " + end);
        }
    }

    /** A follower has all entries before one in its memory. */
    synchronized void stored(int follower, long next) {
        stored[follower] = next;
        committed = Math.max(committed, ofMajority(stored)); // a follower may come back with less
        notifyAll();
    }

    /** A follower is lost, with what it has in its memory. */
    synchronized void lost(int follower) {
        stored[follower] = 0;
    }

    /** A follower has consumed all entries before one. */
    synchronized void consumed(int follower, long next) {
        consumed[follower] = next;
        notifyAll();
    }

    /** {@return whether a thread waits until followers have consumed entries} */
    synchronized boolean isRoomWanted() {
        return waitingForRoom > 0;
    }

    /** Waits. {@return false when the log was closed} */
    synchronized boolean pause(long ns) throws InterruptedException {
        long deadlineNs = System.nanoTime() + ns;
        while (!closed && await(deadlineNs)) {
            // others' wake-ups
        }
        return !closed;
    }

    // ---------------------------------------------------------------- all

    synchronized long committed() {
        return committed;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** {@return the highest number that a majority has reached} */
    private static long ofMajority(long[] numbers) {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }

    private int index(long sequence) {
        return (int) (sequence % kept.length);
    }
}
