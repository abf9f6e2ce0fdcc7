package io.dxnet.tools.ycsb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records on the heap. */
final class HeapStore implements RecordStore {
    private final Map<String, byte[]> records = new ConcurrentHashMap<>();

    @Override
    public byte[] get(String key) {
        return records.get(key);
    }

    @Override
    public void put(String key, byte[] row) {
        records.put(key, row);
    }

    @Override
    public byte[] update(String key, byte[] changed) {
        return records.computeIfPresent(key, (k, old) -> Row.merge(old, changed));
    }

    @Override
    public boolean remove(String key) {
        return records.remove(key) != null;
    }
}
