package io.dxnet.tools.ycsb;

/**
 * Records on the heap of which clients find a copy in shared memory. One lock covers both: a client
 * that got a new row from memory never gets the older one by a message after that.
 */
final class PublishedStore implements RecordStore {
    /** A power of two: more than threads of a storage node write at a time. */
    private static final int LOCKS = 1024;

    private final RecordStore records = new HeapStore();
    private final PublishedSlots slots;
    private final Object[] locks = new Object[LOCKS];

    PublishedStore(PublishedSlots slots) {
        this.slots = slots;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    private Object lock(String key) {
        return locks[SlotIndex.mix(key.hashCode()) & LOCKS - 1];
    }

    @Override
    public byte[] get(String key) {
        synchronized (lock(key)) {
            return records.get(key);
        }
    }

    @Override
    public void put(String key, byte[] row) {
        synchronized (lock(key)) {
            records.put(key, row);
            slots.put(key, row);
        }
    }

    @Override
    public byte[] update(String key, byte[] changed) {
        synchronized (lock(key)) {
            byte[] row = records.update(key, changed);
            if (row != null) {
                slots.put(key, row);
            }
            return row;
        }
    }

    @Override
    public boolean remove(String key) {
        synchronized (lock(key)) {
            slots.remove(key);
            return records.remove(key);
        }
    }
}
