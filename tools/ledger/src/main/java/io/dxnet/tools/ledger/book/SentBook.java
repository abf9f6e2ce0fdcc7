package io.dxnet.tools.ledger.book;

import java.nio.file.Path;

/**
 * What one run of a node sent: a record is written before the call and gets its outcome after it.
 *
 * <pre>
 *   0   outcome (8) | lane (8) | receiver (8) | kind (8) | sequence (32)
 *   8   the call's time, milliseconds (32) | payload bytes (32)
 *   16  begin of the call, {@link System#nanoTime}
 * </pre>
 */
public final class SentBook implements AutoCloseable {
    private static final int RECORD_BYTES = 24;
    private static final long RECORDS_MAX = 150_000_000;

    private final MappedLog log;

    private SentBook(MappedLog log) {
        this.log = log;
    }

    /** Is called for each record. */
    @FunctionalInterface
    public interface Reader {
        /**
         * One message.
         *
         * @param lane of the sending thread
         * @param receiver the receiving node
         * @param kind of the message
         * @param sequence in its stream
         * @param outcome as far as it was written
         * @param bytes of its payload
         * @param beginNs when the call began
         * @param durationMs of the call; 0 where it did not return
         */
        void sent(
                int lane,
                int receiver,
                Kind kind,
                int sequence,
                Outcome outcome,
                int bytes,
                long beginNs,
                int durationMs);
    }

    /**
     * Makes a new book.
     *
     * @param file must not exist
     * @return the book
     */
    public static SentBook create(Path file) {
        return new SentBook(MappedLog.create(file, RECORD_BYTES, RECORDS_MAX));
    }

    /**
     * Opens a book to read it.
     *
     * @param file the book
     * @return the book
     */
    public static SentBook open(Path file) {
        return new SentBook(MappedLog.open(file, RECORD_BYTES));
    }

    /**
     * Books a message that is about to be sent. Any thread.
     *
     * @param lane of the sending thread
     * @param receiver the receiving node
     * @param kind of the message
     * @param sequence in its stream
     * @param bytes of its payload
     * @param beginNs now
     * @return the record
     */
    public long intent(int lane, int receiver, Kind kind, int sequence, int bytes, long beginNs) {
        long record = log.claim();
        log.put(record + 16, beginNs);
        log.put(record + 8, bytes);
        log.put(
                record,
                (long) Outcome.INTENT.ordinal() << 56
                        | (long) lane << 48
                        | (long) receiver << 40
                        | (long) kind.ordinal() << 32
                        | sequence & 0xffffffffL);
        return record;
    }

    /**
     * Books what the sender learnt. Any thread, once for each record.
     *
     * @param record of {@link #intent}
     * @param outcome of the call
     * @param durationMs of the call
     */
    public void outcome(long record, Outcome outcome, int durationMs) {
        log.put(record + 8, log.at(record + 8) & 0xffffffffL | (long) durationMs << 32);
        log.put(record, log.at(record) & 0x00ffffffffffffffL | (long) outcome.ordinal() << 56);
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
            long word = log.at(offset);
            if (word != 0) {
                long sizes = log.at(offset + 8);
                reader.sent(
                        (int) (word >>> 48) & 0xff,
                        (int) (word >>> 40) & 0xff,
                        Kind.of((int) (word >>> 32) & 0xff),
                        (int) word,
                        Outcome.of((int) (word >>> 56)),
                        (int) sizes,
                        log.at(offset + 16),
                        (int) (sizes >>> 32));
            }
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
