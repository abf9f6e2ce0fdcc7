package io.dxnet.tools.bench;

import java.util.Map;
import java.util.TreeMap;

/**
 * Checks one stream of verified messages: those of one sending thread to this node, in one round.
 * It records each gap in the sequence, which distinguishes a late message from a duplicate. A
 * sequence number of fewer than 64 bits is completed to the value nearest to the expected one; a
 * loss of a whole multiple of its range leaves no gap and is found by the counts.
 *
 * <p>Thread safe: a message type that should come on one thread at a time is what is being checked.
 */
final class StreamChecker {
    private final long key;
    private final int size;
    private final int bits;
    /** First missing sequence number → the one behind the last missing one. */
    private final TreeMap<Long, Long> gaps = new TreeMap<>();

    private long next;
    private long received;
    private long unique;
    private long duplicated;
    private long reordered;
    private long corrupted;

    StreamChecker(long key, int size) {
        this.key = Payload.truncate(key, Payload.keyBits(size));
        this.size = size;
        this.bits = Payload.sequenceBits(size);
    }

    /** Records a message with the values that {@link Payload} read from it. */
    synchronized void onMessage(int messageSize, long sequence, long messageKey, boolean intact) {
        received++;
        if (messageSize != size || !intact || messageKey != key) {
            corrupted++;
            return;
        }
        long number = complete(sequence);
        if (number == next) {
            next++;
            unique++;
        } else if (number > next) {
            gaps.put(next, number);
            next = number + 1;
            unique++;
        } else if (fill(number)) {
            reordered++;
            unique++;
        } else {
            duplicated++;
        }
    }

    /** The messages recorded so far, good and bad. */
    synchronized long received() {
        return received;
    }

    /** The faults of the stream, given the number of messages that its sender reports as sent. */
    synchronized Faults faults(long sent) {
        long missing = sent - unique - corrupted;
        long surplus = Math.max(0, -missing);
        return new Faults(Math.max(0, missing), duplicated + surplus, reordered, corrupted);
    }

    /** The number nearest to {@link #next} whose low bits are {@code low}. */
    private long complete(long low) {
        if (bits == 64) {
            return low;
        }
        int unused = 64 - bits;
        return next + ((low - next) << unused >> unused);
    }

    /** Removes a number from the gaps; returns whether it was in one. */
    private boolean fill(long number) {
        Map.Entry<Long, Long> gap = gaps.floorEntry(number);
        if (gap == null || number >= gap.getValue()) {
            return false;
        }
        gaps.remove(gap.getKey());
        if (gap.getKey() < number) {
            gaps.put(gap.getKey(), number);
        }
        if (number + 1 < gap.getValue()) {
            gaps.put(number + 1, gap.getValue());
        }
        return true;
    }
}
