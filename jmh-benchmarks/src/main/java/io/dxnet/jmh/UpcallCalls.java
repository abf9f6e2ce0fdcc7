package io.dxnet.jmh;

import io.dxnet.ibverbs.spi.VerbsCalls;

/**
 * Calls each verb as {@link JniCalls} does, but completions reach Java by a call from C, as from
 * the receive thread of Ibdxnet (section 7.2.3): C polls, and where it found completions, it calls
 * a static method of this class, whose result is that of the poll. {@code ./dxnet bench --binding
 * upcall} runs the whole system on it.
 *
 * <p>The threads stay those of Java: each poll is a JNI call, also one that finds nothing.
 */
public final class UpcallCalls implements VerbsCalls {
    private final JniCalls jni = new JniCalls();

    /** Creates the calls; {@link #prepare()} loads the C library and looks up what C calls. */
    public UpcallCalls() {}

    @Override
    public String name() {
        return "upcall";
    }

    @Override
    public void prepare() {
        jni.prepare();
        Jni.prepareUpcall(UpcallCalls.class);
    }

    @Override
    public int post(long function, long queue, long request, long badRequest) {
        return jni.post(function, queue, request, badRequest);
    }

    @Override
    public int poll(long function, long queue, int entries, long completions) {
        return Jni.pollWithUpcall(function, queue, entries, completions);
    }

    @Override
    public int requestNotification(long function, long queue, int solicitedOnly) {
        return jni.requestNotification(function, queue, solicitedOnly);
    }

    @Override
    public long call(long function, long arguments, int count, long errno) {
        return jni.call(function, arguments, count, errno);
    }

    /** What C calls, in the polling thread. It stores nothing: any number of threads may poll. */
    @SuppressWarnings("unused")
    private static int received(long completions, int count) {
        return count;
    }
}
