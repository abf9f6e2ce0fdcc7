package io.dxnet.tools.ledger.book;

import java.nio.file.Path;

/**
 * What one run of a node handled, in the order in which the callbacks began.
 *
 * <pre>
 *   0   the message, see {@link Stream}; of an empty one, run is the sender's modulo 64 and sequence its node
 *   8   begin of the callback, {@link System#nanoTime}
 *   16  its end; 0: it has not returned
 * </pre>
 */
public final class HandledBook implements AutoCloseable {
    private static final int RECORD_BYTES = 24;
    private static final long RECORDS_MAX = 200_000_000;

    private final MappedLog log;

    private HandledBook(MappedLog log) {
        this.log = log;
    }

    /** Is called for each record. */
    @FunctionalInterface
    public interface Reader {
        /**
         * One message.
         *
         * @param word its name
         * @param atNs when its callback began
         * @param endNs when it was about to return; 0: it never was
         */
        void handled(long word, long atNs, long endNs);
    }

    /**
     * Makes a new book.
     *
     * @param file must not exist
     * @return the book
     */
    public static HandledBook create(Path file) {
        return new HandledBook(MappedLog.create(file, RECORD_BYTES, RECORDS_MAX));
    }

    /**
     * Opens a book to read it.
     *
     * @param file the book
     * @return the book
     */
    public static HandledBook open(Path file) {
        return new HandledBook(MappedLog.open(file, RECORD_BYTES));
    }

    /**
     * Books a message whose callback begins. Any thread.
     *
     * @param word its name
     * @param atNs now
     * @return the record
     */
    public long handled(long word, long atNs) {
        long record = log.claim();
        log.put(record, word);
        log.put(record + 8, atNs);
        return record;
    }

    /**
     * Books that the callback is about to return. Any thread, once for each record.
     *
     * @param record of {@link #handled}
     * @param endNs now
     */
    public void returned(long record, long endNs) {
        log.put(record + 16, endNs);
    }

    /** {@return the number of records} */
    public long count() {
        return log.count();
    }

    /**
     * Reads all records.
     *
     * @param reader gets each in turn
     */
    public void read(Reader reader) {
        long count = log.count();
        for (long i = 0; i < count; i++) {
            long offset = log.offset(i);
            long atNs = log.at(offset + 8);
            if (atNs != 0) {
                reader.handled(log.at(offset), atNs, log.at(offset + 16));
            }
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
