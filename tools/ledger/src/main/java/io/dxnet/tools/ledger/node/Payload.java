package io.dxnet.tools.ledger.node;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.util.Arrays;
import java.util.Random;

/**
 * The payload of a message: its name, its size, its receiver, then bytes that follow from these.
 *
 * <pre>
 *   0   the message, see {@link io.dxnet.tools.ledger.book.Stream}
 *   8   bytes of the payload
 *   12  the receiving node
 *   16  bytes of a table of random bytes, from an offset that is a hash of the message's name
 * </pre>
 */
final class Payload {
    /** The smallest payload that has a name. */
    static final int BYTES_MIN = 16;

    /** The largest payload. */
    static final int BYTES_MAX = 8 << 20;

    private static final int OFFSETS = 1 << 16;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final byte[] TABLE = new byte[BYTES_MAX + OFFSETS];
    private static final ThreadLocal<byte[]> CHUNK = ThreadLocal.withInitial(() -> new byte[CHUNK_BYTES]);

    static {
        new Random(42).nextBytes(TABLE);
    }

    private long word;
    private int bytes;
    private int receiver;
    private boolean intact;

    void set(long newWord, int newBytes, int newReceiver) {
        word = newWord;
        bytes = newBytes;
        receiver = newReceiver;
    }

    long word() {
        return word;
    }

    int bytes() {
        return bytes;
    }

    boolean isIntactAt(int node) {
        return intact && receiver == node;
    }

    void write(Exporter exporter) {
        exporter.writeLong(word);
        exporter.writeInt(bytes);
        exporter.writeInt(receiver);
        exporter.writeBytes(TABLE, offset(word), bytes - BYTES_MIN);
    }

    /** Reads and compares everything. */
    void read(Importer importer) {
        word = importer.readLong();
        bytes = importer.readInt();
        receiver = importer.readInt();
        int rest = importer.remaining();
        intact = rest == bytes - BYTES_MIN;
        int offset = offset(word);
        byte[] chunk = CHUNK.get();
        while (rest > 0) {
            int length = Math.min(rest, CHUNK_BYTES);
            importer.readBytes(chunk, 0, length);
            intact = intact
                    && offset + length <= TABLE.length
                    && Arrays.equals(chunk, 0, length, TABLE, offset, offset + length);
            offset += length;
            rest -= length;
        }
    }

    /** What follows after the first {@link #BYTES_MIN} bytes. */
    static byte[] content(long word, int bytes) {
        return Arrays.copyOfRange(TABLE, offset(word), offset(word) + bytes - BYTES_MIN);
    }

    private static int offset(long word) {
        return (int) (word * 0x9e3779b97f4a7c15L >>> 48);
    }
}
