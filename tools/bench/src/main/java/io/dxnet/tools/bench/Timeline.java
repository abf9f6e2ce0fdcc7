package io.dxnet.tools.bench;

import java.util.Arrays;

/**
 * How many messages one node has processed at which time of a round. Any thread
 * may read what one thread adds.
 */
final class Timeline {
    /** Samples are at least this far apart, nanoseconds. */
    static final long SAMPLE_NS = 20_000_000;

    /** Times since the start, nanoseconds, and counts, alternately. Guarded by this. */
    private long[] samples = new long[64];

    private int length;

    /** Notes a count, unless the last one is too young. */
    synchronized void add(long ns, long processed) {
        if (length > 0 && ns - samples[length - 2] < SAMPLE_NS) {
            return;
        }
        if (length == samples.length) {
            samples = Arrays.copyOf(samples, 2 * length);
        }
        samples[length++] = ns;
        samples[length++] = processed;
    }

    /** For {@link Course#of}. */
    synchronized long[] encode() {
        return Arrays.copyOf(samples, length);
    }
}
