package io.dxnet.tools.ycsb;

/**
 * How much memory a storage node shares for its records.
 *
 * @param slots 1 or more; half of them in use is a good measure
 * @param slotBytes room for key and row of a record, 7 or more
 */
record Publication(long slots, int slotBytes) {
    private static final int SLOTS_MIN = 64;
    private static final int SLOTS_PER_RECORD = 2;
    /** Names, lengths, and a key as YCSB makes them. */
    private static final int AROUND_VALUE = 64;

    /**
     * For YCSB's records.
     *
     * @param records of all storage nodes
     * @param servers storage nodes
     * @param size of a record's one field, bytes
     */
    static Publication of(int records, int servers, int size) {
        long each = (records + servers - 1L) / servers;
        return new Publication(SLOTS_MIN + SLOTS_PER_RECORD * each, AROUND_VALUE + size);
    }

    /** {@return the bytes of all slots, with what {@link io.dxnet.memory.VersionedRegion} adds} */
    long bytes() {
        long header = 16; // version and checksum
        long aligned = (header + slotBytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        return slots * aligned;
    }
}
