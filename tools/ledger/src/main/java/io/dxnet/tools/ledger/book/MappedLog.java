package io.dxnet.tools.ledger.book;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An append-only file of records of fixed size, mapped into memory: what a process has written
 * stays when the process is killed. Any thread may append.
 *
 * <pre>
 *   0    records claimed (a record that was claimed by a thread that was killed then is all zero)
 *   64   first record
 * </pre>
 */
public final class MappedLog implements AutoCloseable {
    private static final int HEADER_BYTES = 64;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Path file;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final int recordBytes;

    private MappedLog(Path file, int recordBytes, long bytes, FileChannel channel, FileChannel.MapMode mode)
            throws IOException {
        this.file = file;
        this.recordBytes = recordBytes;
        this.memory = channel.map(mode, 0, bytes, arena);
    }

    /**
     * Makes a new file; it uses disk space only for the records that are written.
     *
     * @param file must not exist
     * @param recordBytes the size of a record, a multiple of 8
     * @param recordsMax the most records
     * @return the log
     */
    public static MappedLog create(Path file, int recordBytes, long recordsMax) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new MappedLog(
                    file,
                    recordBytes,
                    HEADER_BYTES + recordBytes * recordsMax,
                    channel,
                    FileChannel.MapMode.READ_WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the book " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Opens a file to read it.
     *
     * @param file the file
     * @param recordBytes the size of a record
     * @return the log
     */
    public static MappedLog open(Path file, int recordBytes) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new MappedLog(file, recordBytes, Files.size(file), channel, FileChannel.MapMode.READ_ONLY);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the book " + file + ": " + e.getMessage(), e);
        }
    }

    /** {@return the offset of a new record, all zero} */
    long claim() {
        long index = (long) LONG.getAndAdd(memory, 0L, 1L);
        long offset = offset(index);
        if (offset + recordBytes > memory.byteSize()) {
            throw new IllegalStateException(
                    "the book " + file + " is full: choose shorter rounds (--round) or less traffic (--rate)");
        }
        return offset;
    }

    /** {@return the number of records} */
    public long count() {
        long claimed = (long) LONG.getVolatile(memory, 0L);
        return Math.min(claimed, (memory.byteSize() - HEADER_BYTES) / recordBytes);
    }

    long offset(long index) {
        return HEADER_BYTES + index * recordBytes;
    }

    void put(long offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    long at(long offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    /** Ends the mapping; the file stays. */
    @Override
    public void close() {
        arena.close();
    }
}
