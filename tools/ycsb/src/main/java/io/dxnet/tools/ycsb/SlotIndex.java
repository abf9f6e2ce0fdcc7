package io.dxnet.tools.ycsb;

/**
 * The index of the published records, which each node computes: the slots in which a key may be are
 * {@value #PROBES_MAX} neighbours, from the one that its hash names on.
 *
 * @param slots of one storage node, 1 or more
 */
record SlotIndex(long slots) {
    /** A key with as many other ones in its slots is not published. */
    static final int PROBES_MAX = 8;

    /** {@return the slots in which a key may be} */
    int probes() {
        return (int) Math.min(PROBES_MAX, slots);
    }

    /**
     * {@return a slot of a key}
     *
     * @param probe from 0 to {@link #probes}, in which order it is searched and put there
     */
    long slot(String key, int probe) {
        long home = (mix(key.hashCode()) & 0xFFFF_FFFFL) * slots >>> Integer.SIZE;
        return (home + probe) % slots;
    }

    /**
     * The last step of MurmurHash3: keys of one storage node, which share some bits of their hash,
     * are spread over all of its slots.
     */
    static int mix(int hash) {
        int h = hash;
        h = (h ^ h >>> 16) * 0x85EB_CA6B;
        h = (h ^ h >>> 13) * 0xC2B2_AE35;
        return h ^ h >>> 16;
    }
}
