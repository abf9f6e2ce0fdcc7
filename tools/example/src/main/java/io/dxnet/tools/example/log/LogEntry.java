package io.dxnet.tools.example.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * One entry, in a slot:
 *
 * <pre>
 *   0        4          8          16         24
 *   +--------+----------+----------+----------+-----------+
 *   | length | checksum | term     | sequence | content   |   little endian
 *   +--------+----------+----------+----------+-----------+
 *
 *   checksum  CRC-32C of all the rest
 * </pre>
 *
 * @param term of the writer
 * @param sequence 0 for the first entry of the log
 * @param content of the application
 */
record LogEntry(long term, long sequence, byte[] content) {
    static final int HEADER_BYTES = 24;

    private static final int CHECKSUM_AT = 4;
    private static final int TERM_AT = 8;
    private static final int SEQUENCE_AT = 16;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** {@return what the writer puts into a slot} */
    byte[] encode() {
        byte[] bytes = new byte[HEADER_BYTES + content.length];
        MemorySegment slot = MemorySegment.ofArray(bytes);
        slot.set(INT, 0, content.length);
        slot.set(LONG, TERM_AT, term);
        slot.set(LONG, SEQUENCE_AT, sequence);
        System.arraycopy(content, 0, bytes, HEADER_BYTES, content.length);
        slot.set(INT, CHECKSUM_AT, checksum(bytes));
        return bytes;
    }

    /**
     * {@return a copy of the entry in a slot}
     *
     * @throws IllegalStateException when it is not whole
     */
    static LogEntry decode(MemorySegment slot) {
        int length = slot.get(INT, 0);
        if (length < 0 || length > slot.byteSize() - HEADER_BYTES) {
            throw new IllegalStateException("an entry of " + length + " bytes");
        }
        byte[] bytes = slot.asSlice(0, HEADER_BYTES + length).toArray(ValueLayout.JAVA_BYTE);
        MemorySegment copy = MemorySegment.ofArray(bytes);
        if (copy.get(INT, 0) != length || copy.get(INT, CHECKSUM_AT) != checksum(bytes)) {
            throw new IllegalStateException("the checksum of an entry is wrong");
        }
        byte[] content = copy.asSlice(HEADER_BYTES).toArray(ValueLayout.JAVA_BYTE);
        return new LogEntry(copy.get(LONG, TERM_AT), copy.get(LONG, SEQUENCE_AT), content);
    }

    private static int checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, CHECKSUM_AT);
        sum.update(bytes, TERM_AT, bytes.length - TERM_AT);
        return (int) sum.getValue();
    }
}
