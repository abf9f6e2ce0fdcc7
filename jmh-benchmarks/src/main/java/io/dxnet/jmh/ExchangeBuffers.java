package io.dxnet.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Setup;

/** The kinds of memory that the exchanges of 64 bytes compare. */
public abstract class ExchangeBuffers extends NanosPerCall {
    static final int WORDS = 8;
    static final int BYTES = WORDS * Long.BYTES;
    static final VarHandle ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    @SuppressWarnings("restricted")
    static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    byte[] array;
    ByteBuffer buffer;
    MemorySegment heap;
    MemorySegment confined;
    MemorySegment shared;
    MemorySegment global;
    long address;
    long value;

    @Setup
    public void allocate() {
        array = new byte[BYTES];
        buffer = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        heap = MemorySegment.ofArray(new byte[BYTES]);
        confined = Arena.ofConfined().allocate(BYTES, Long.BYTES);
        shared = Arena.ofShared().allocate(BYTES, Long.BYTES);
        global = Arena.global().allocate(BYTES, Long.BYTES);
        address = Arena.global().allocate(BYTES, Long.BYTES).address();
    }
}
