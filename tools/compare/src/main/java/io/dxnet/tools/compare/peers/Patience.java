package io.dxnet.tools.compare.peers;

import java.io.InterruptedIOException;

/** Waits in methods that can't throw {@link InterruptedException}. */
final class Patience {
    private Patience() {}

    /** A wait that ends with what was waited for, or without. */
    interface Wait {
        boolean done() throws InterruptedException;
    }

    static boolean on(Wait wait) throws InterruptedIOException {
        try {
            return wait.done();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
