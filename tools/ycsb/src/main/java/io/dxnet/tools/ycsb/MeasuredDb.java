package io.dxnet.tools.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.HdrHistogram.Histogram;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Measures the operations of one client thread that begin and end in the same run. It is a closed
 * loop: a slow operation delays those behind it and counts once.
 */
final class MeasuredDb extends DB {
    private final DB db;
    private final Window window;
    private final Histogram reads = Window.histogram();
    private final Histogram updates = Window.histogram();
    private long failed;
    private int run = Window.CLOSED;

    MeasuredDb(DB db, Window window) {
        this.db = db;
        this.window = window;
    }

    @Override
    public void init() throws DBException {
        db.setProperties(getProperties());
        db.init();
    }

    @Override
    public void cleanup() throws DBException {
        flush();
        db.cleanup();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        int runAtStart = window.current();
        long start = System.nanoTime();
        return measured(reads, db.read(table, key, fields, result), runAtStart, start);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        int runAtStart = window.current();
        long start = System.nanoTime();
        return measured(updates, db.update(table, key, values), runAtStart, start);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return db.insert(table, key, values);
    }

    @Override
    public Status delete(String table, String key) {
        return db.delete(table, key);
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int count,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return db.scan(table, startKey, count, fields, result);
    }

    private Status measured(Histogram into, Status status, int runAtStart, long start) {
        long ns = System.nanoTime() - start;
        int now = window.current();
        if (now != run) {
            flush();
            run = now;
        }
        if (now != Window.CLOSED && now == runAtStart) {
            into.recordValue(Window.inRange(ns));
            failed += status.isOk() ? 0 : 1;
        }
        return status;
    }

    private void flush() {
        if (run != Window.CLOSED) {
            window.add(run, reads, updates, failed);
        }
        reads.reset();
        updates.reset();
        failed = 0;
    }
}
