package io.dxnet.jmh;

/** What is called from C: it stores its arguments, so that the call cannot be left out. */
final class Callee {
    private static long last;

    private Callee() {}

    static void called(long a, long b, long c) {
        last = a + b + c;
    }

    static long last() {
        return last;
    }
}
