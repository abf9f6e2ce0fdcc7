package io.dxnet.transport.shm;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The words of a shared ring, as another process may write them: whatever they are, nothing is
 * read or written beyond the ring, and the two sides use only what their own positions allow.
 */
public final class SharedWordsTarget implements FuzzTarget {
    private static final int CAPACITY = RingLayout.CAPACITY_MIN;
    private static final long[] WORDS = {
        RingLayout.TAIL_OFFSET, RingLayout.HEAD_OFFSET, RingLayout.STEPS_OFFSET, RingLayout.SIGNALS_OFFSET
    };

    private final MemorySegment source = MemorySegment.ofArray(new byte[CAPACITY]);
    private final MemorySegment target = MemorySegment.ofArray(new byte[CAPACITY]);

    /** Creates the target. */
    public SharedWordsTarget() {}

    @Override
    public String name() {
        return "shared-words";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                step(0, 100),
                step(1, -1),
                step(2, 7),
                step(3, 0xFF),
                ByteBuffer.allocate(18).put(step(0, 4096)).put(step(1, 4096)).array());
    }

    private static byte[] step(int word, long value) {
        return ByteBuffer.allocate(9).put((byte) word).putLong(value).array();
    }

    @Override
    public void run(byte[] input) {
        MemorySegment memory = MemorySegment.ofArray(new long[(int) (RingLayout.bytes(CAPACITY) / Long.BYTES)]);
        RingWriter writer = new RingWriter(memory, CAPACITY);
        RingReader reader = new RingReader(memory, CAPACITY);
        ByteBuffer steps = ByteBuffer.wrap(input);
        while (steps.remaining() > Long.BYTES) {
            byte choice = steps.get();
            memory.set(ValueLayout.JAVA_LONG, WORDS[choice & 3], steps.getLong());
            try {
                int written = writer.write(source, 0, 1 + (choice & 0xFC) * 16);
                int available = reader.available();
                check(written, CAPACITY);
                check(available, CAPACITY);
                reader.read(target, available);
                check(writer.takeSteps(), Integer.MAX_VALUE);
                check(writer.takeSignals(), 0xFF);
            } catch (IOException e) {
                return; // as documented: the connection ends
            }
        }
    }

    private static void check(int value, int max) {
        if (value < 0 || value > max) {
            throw new AssertionError(value + " is not in 0 to " + max);
        }
    }
}
