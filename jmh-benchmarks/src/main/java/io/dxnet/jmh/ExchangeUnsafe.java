package io.dxnet.jmh;

import java.lang.foreign.Arena;
import java.lang.reflect.Field;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import sun.misc.Unsafe;

/**
 * As {@link ExchangeMemory} and {@link ExchangeCall}, with {@code sun.misc.Unsafe};
 * skipped where the JDK has it no more.
 */
@SuppressWarnings({"removal", "deprecation"})
public class ExchangeUnsafe extends NanosPerCall {
    private static final Unsafe UNSAFE = find();

    private long address;
    private long value;

    private static Unsafe find() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    /** Whether this JDK still lets Unsafe access memory. */
    static boolean works() {
        try {
            long address = UNSAFE.allocateMemory(Long.BYTES);
            UNSAFE.putLong(address, 1);
            UNSAFE.freeMemory(address);
            return true;
        } catch (UnsupportedOperationException | LinkageError e) {
            return false;
        }
    }

    @Setup
    public void allocate() {
        address = Arena.global().allocate(ExchangeMemory.BYTES, Long.BYTES).address();
    }

    @Benchmark
    public long unsafe() {
        write();
        long sum = 0;
        for (int i = 0; i < ExchangeMemory.BYTES; i += Long.BYTES) {
            sum += UNSAFE.getLong(address + i);
        }
        return sum;
    }

    /** What Ibdxnet did: C structures written with Unsafe, their address passed through JNI. */
    @Benchmark
    public long jniUnsafe() {
        write();
        return Jni.sumAddress(address);
    }

    private void write() {
        long v = value++;
        for (int i = 0; i < ExchangeMemory.BYTES; i += Long.BYTES) {
            UNSAFE.putLong(address + i, v);
        }
    }
}
