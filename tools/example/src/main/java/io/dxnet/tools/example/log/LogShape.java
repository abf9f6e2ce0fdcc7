package io.dxnet.tools.example.log;

/**
 * How the log is laid out in a follower's memory: a ring of slots, each for one entry. Equal on all
 * nodes.
 *
 * @param slots entries that a follower may have before it consumed them, 1 or more
 * @param contentMax bytes of the largest entry, 0 or more
 */
record LogShape(int slots, int contentMax) {
    /** The region of the slots. Only the writer writes. */
    static final String RING = "log";

    /** The region of {@link LogPosition}. Only the writer reads. */
    static final String POSITION = "log-position";

    LogShape {
        if (slots < 1 || contentMax < 0 || contentMax > Integer.MAX_VALUE - LogEntry.HEADER_BYTES - Long.BYTES) {
            throw new IllegalArgumentException("a log of " + slots + " entries of " + contentMax + " bytes");
        }
    }

    /** {@return the bytes of a slot} */
    long slotBytes() {
        long entry = LogEntry.HEADER_BYTES + (long) contentMax;
        return (entry + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    /** {@return the bytes of the ring} */
    long bytes() {
        return slots * slotBytes();
    }

    /** {@return where the slot of an entry begins} */
    long offset(long sequence) {
        return sequence % slots * slotBytes();
    }
}
