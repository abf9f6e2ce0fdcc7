package io.dxnet.jmh;

import java.nio.ByteBuffer;

/**
 * The JNI side. Methods whose name ends in {@code InC} make the call many times in a C loop, and
 * cost one crossing for all of them. Pointers are {@code long}, as in Ibdxnet.
 */
public final class Jni {
    static {
        System.load(NativeLibrary.file());
    }

    private Jni() {}

    /**
     * One of {@code post_send}, {@code post_recv} and
     * {@code post_srq_recv}, through its function pointer.
     */
    public static native int post(long function, long queue, long request, long bad);

    /** {@code poll_cq} through its function pointer. */
    public static native int poll(long function, long queue, int entries, long into);

    /**
     * As {@link #poll}, but C calls {@code static int received(long completions, int count)} of the
     * prepared class where it polled at least one, and returns what that returns. What the method
     * throws is thrown here.
     */
    public static native int pollWithUpcall(long function, long queue, int entries, long into);

    /**
     * Chooses the class that {@link #pollWithUpcall} calls, and looks up its method; to be called
     * before the first of these polls.
     */
    public static native void prepareUpcall(Class<?> receiver);

    /** {@code req_notify_cq} through its function pointer. */
    public static native int requestNotification(long function, long queue, int solicitedOnly);

    /**
     * Any function of up to six integers and pointers, which are at {@code arguments}, 64 bits
     * each; {@code errno} is written right after it.
     */
    public static native long call(long function, long arguments, int count, long errno);

    public static native long postInC(long function, long queue, long request, long bad, int times);

    public static native long pollInC(long function, long queue, int entries, long into, int times);

    /** As {@link #pollInC}, and reads id and status of each completion. */
    public static native long pollAndReadInC(long function, long queue, int entries, long into, int times);

    /**
     * Fills {@code count} requests, {@code stride} bytes apart, with a send of 64 bytes
     * each, and posts them as one chain.
     */
    public static native long fillAndPostInC(
            long function, long queue, long requests, int count, int stride, long data, int key, long bad, int times);

    /**
     * Receives, sends, and all their completions; {@code arguments} points to
     * eleven pointers, see the C source.
     */
    public static native long exchangeInC(long arguments, int count, int times);

    public static native void nothing();

    public static native int threeLongs(long a, long b, long c);

    public static native long threeLongsInC(int times);

    /**
     * A loop in C polls, and calls {@link CompletionReceiver} where it found completions, as
     * Ibdxnet's receive thread does. Returns 0 unless that threw.
     */
    public static native int pollAndCallJava(long function, long queue, int entries, long into, int times);

    /** To be called once before the calls from C to Java. */
    public static native void prepareCalls();

    public static native void callJava(int times);

    /** With {@code ExceptionCheck} after each call. */
    public static native int callJavaChecked(int times);

    /** From a thread of C, which is attached before and detached after each call. Returns 0. */
    public static native int callJavaAttaching(int times);

    public static native long sumAddress(long address);

    public static native long sumBuffer(ByteBuffer buffer);

    public static native long sumArrayRegion(byte[] array);

    public static native long sumArrayElements(byte[] array);

    public static native long sumArrayCritical(byte[] array);

    /** What C calls. */
    @SuppressWarnings("unused")
    private static void called(long a, long b, long c) {
        Callee.called(a, b, c);
    }

    @SuppressWarnings("unused")
    private static void received(long into, int count) {
        CompletionReceiver.receive(into, count);
    }
}
