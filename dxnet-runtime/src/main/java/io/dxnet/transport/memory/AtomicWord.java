package io.dxnet.transport.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Atomic operations on 8 bytes of memory that another process may have mapped. Any thread. */
public final class AtomicWord {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private AtomicWord() {}

    /**
     * Stores a value where another one is. Not by {@code compareAndExchange}: beyond the end of a
     * file that another process has made shorter it ends the JVM, where its code is not compiled by
     * C2 (JDK 25). The load throws before.
     *
     * @param memory where the word is
     * @param offset of the word, a multiple of 8
     * @param expected what is replaced
     * @param value what it is replaced by
     * @return what was there
     */
    public static long compareAndSwap(MemorySegment memory, long offset, long expected, long value) {
        while (true) {
            long previous = (long) LONG.getVolatile(memory, offset);
            if (previous != expected || LONG.compareAndSet(memory, offset, expected, value)) {
                return previous;
            }
            Thread.onSpinWait();
        }
    }
}
