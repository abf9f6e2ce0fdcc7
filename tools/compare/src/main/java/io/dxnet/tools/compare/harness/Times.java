package io.dxnet.tools.compare.harness;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import org.HdrHistogram.Histogram;

/** The times of round trips, nanoseconds, and how they cross between processes. */
final class Times {
    static final long LONGEST_NS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private Times() {}

    static Histogram none() {
        return new Histogram(LONGEST_NS, DIGITS);
    }

    /** As one word. */
    static String encode(Histogram times) {
        ByteBuffer buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        int length = times.encodeIntoByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** What {@link #encode} wrote. */
    static Histogram decode(String word) throws PeerException {
        try {
            return Histogram.decodeFromByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(word)), 0);
        } catch (IllegalArgumentException e) {
            throw new PeerException("the times can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads times that a program printed, which has no histogram of this kind.
     *
     * @param words pairs of a time and its count, with a colon between
     */
    static Histogram ofPairs(Iterable<String> words) throws PeerException {
        Histogram times = none();
        for (String word : words) {
            int colon = word.indexOf(':');
            try {
                long ns = Long.parseLong(word, 0, Math.max(0, colon), 10);
                long count = Long.parseLong(word, colon + 1, word.length(), 10);
                times.recordValueWithCount(Math.min(ns, LONGEST_NS), count);
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw new PeerException("no time and count: '" + word + "'", e);
            }
        }
        return times;
    }
}
