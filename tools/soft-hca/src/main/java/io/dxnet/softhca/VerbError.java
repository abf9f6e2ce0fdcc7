package io.dxnet.softhca;

import java.io.Serial;

/**
 * A verb of the control plane fails with this error number; the
 * stub around it turns it into the verb's own convention.
 */
final class VerbError extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A number of {@code errno.h}. */
    private final int errno;

    VerbError(int errno) {
        super("errno " + errno, null, false, false);
        this.errno = errno;
    }

    int errno() {
        return errno;
    }

    /** Fails with {@code EINVAL} unless {@code condition} holds. */
    static void require(boolean condition) {
        if (!condition) {
            throw new VerbError(Ibv.EINVAL);
        }
    }

    /**
     * Returns the object, or fails with {@code EINVAL} for
     * null: the address was not that of a live object.
     */
    static <T> T live(T object) {
        if (object == null) {
            throw new VerbError(Ibv.EINVAL);
        }
        return object;
    }
}
