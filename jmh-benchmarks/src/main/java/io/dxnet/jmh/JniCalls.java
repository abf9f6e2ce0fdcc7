package io.dxnet.jmh;

import io.dxnet.ibverbs.spi.VerbsCalls;
import java.io.IOException;

/**
 * Calls each verb through JNI: one crossing for a call, pointers as {@code long}, nothing copied. A
 * chain of requests or a batch of completions is one call. {@code ./dxnet bench --binding jni} runs
 * the whole system on it.
 */
public final class JniCalls implements VerbsCalls {
    /** Creates the calls; {@link #prepare()} loads the C library. */
    public JniCalls() {}

    @Override
    public String name() {
        return "jni";
    }

    @Override
    public void prepare() {
        try {
            NativeLibrary.load();
        } catch (NativeLibrary.Unavailable | IOException e) {
            throw new UnsupportedOperationException("verbs cannot be called through JNI: " + e.getMessage(), e);
        }
    }

    @Override
    public int post(long function, long queue, long request, long badRequest) {
        return Jni.post(function, queue, request, badRequest);
    }

    @Override
    public int poll(long function, long queue, int entries, long completions) {
        return Jni.poll(function, queue, entries, completions);
    }

    @Override
    public int requestNotification(long function, long queue, int solicitedOnly) {
        return Jni.requestNotification(function, queue, solicitedOnly);
    }

    @Override
    public long call(long function, long arguments, int count, long errno) {
        return Jni.call(function, arguments, count, errno);
    }
}
