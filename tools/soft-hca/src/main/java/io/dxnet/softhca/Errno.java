package io.dxnet.softhca;

/**
 * The error number of the calling thread's last verb that failed: C's {@code errno}, kept where
 * the JVM does not overwrite it.
 */
final class Errno {
    private static final ThreadLocal<int[]> LAST = ThreadLocal.withInitial(() -> new int[1]);

    private Errno() {}

    static void set(int errno) {
        LAST.get()[0] = errno;
        LibC.setErrno(errno);
    }

    static int last() {
        return LAST.get()[0];
    }
}
