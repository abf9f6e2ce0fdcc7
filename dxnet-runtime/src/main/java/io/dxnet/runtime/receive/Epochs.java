package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.PeerConnection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The epochs of a connection's incoming stream: each barrier ends one. Handlers count the bytes
 * that they have handled by the parity of the epoch ({@link PeerConnection#handled(int, int)}),
 * because they handle messages in any order. An epoch is handled when they have counted as many
 * bytes of its parity as the coordinator has read. Two parities suffice, because the next barrier
 * comes after the answer to the one before it.
 */
final class Epochs {
    private static final VarHandle ANSWERED;

    static {
        try {
            ANSWERED = MethodHandles.lookup().findVarHandle(Epochs.class, "answered", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] bytes =
            new long[2]; // of each parity, in epochs that have ended: the coordinator, before answered
    private long begin; // where in the stream the current epoch begins: the coordinator
    private int current; // its parity: the coordinator
    private boolean answered = true; // the coordinator clears it, the control thread sets it

    /** {@return the parity of the current epoch, 0 or 1; the coordinator} */
    int current() {
        return current;
    }

    /**
     * Ends the current epoch. The coordinator.
     *
     * @param position where in the stream, bytes
     * @return false when the last barrier is not answered
     */
    boolean end(long position) {
        if (!(boolean) ANSWERED.getAcquire(this)) {
            return false;
        }
        bytes[current] += position - begin;
        begin = position;
        current ^= 1;
        answered = false; // the event that follows publishes it
        return true;
    }

    /**
     * {@return the bytes of that parity in epochs that have ended; the control
     * thread, between barrier and answer}
     */
    long bytes(int epoch) {
        return bytes[epoch];
    }

    /** The answer to the last barrier is about to be sent. The control thread. */
    void answer() {
        ANSWERED.setRelease(this, true);
    }
}
