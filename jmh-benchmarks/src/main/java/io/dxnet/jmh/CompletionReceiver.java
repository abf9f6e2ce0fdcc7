package io.dxnet.jmh;

/**
 * What C calls for completions. Apart from {@link Jni}, which the JNI binding of whole systems has
 * without it.
 */
public interface CompletionReceiver {
    /** {@code count} completions are at an address. */
    void received(long into, int count);

    /** Sets what {@link Jni#pollAndCallJava} calls. */
    static void set(CompletionReceiver receiver) {
        Chosen.receiver = receiver;
    }

    /** Calls it. */
    static void receive(long into, int count) {
        Chosen.receiver.received(into, count);
    }

    /** The one that is called. */
    final class Chosen {
        private static CompletionReceiver receiver = (into, count) -> {};

        private Chosen() {}
    }
}
