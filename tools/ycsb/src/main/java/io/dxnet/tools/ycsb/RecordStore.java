package io.dxnet.tools.ycsb;

/** The records of one storage node: by key, a {@link Row}. Any thread. */
interface RecordStore {
    /** {@return the row, or null} */
    byte[] get(String key);

    /** Puts a whole row in the place of the one that is there, if any. */
    void put(String key, byte[] row);

    /**
     * Replaces some fields.
     *
     * @return the new row; null: there is no such record
     */
    byte[] update(String key, byte[] changed);

    /** {@return whether there was such a record} */
    boolean remove(String key);
}
