package io.dxnet.runtime.handle;

import io.dxnet.Message;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.MessageAccess;
import io.dxnet.spi.Valued;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The call of a handler that an executor runs. Until it has returned, its message
 * counts as not handled: its bytes are in the sender's window, and the orderly
 * end of the connection waits for it.
 */
final class DeferredCall implements Runnable {
    /** A handler with its arguments. */
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }

    private final PeerConnection connection;
    private final int bytes;
    private final int epoch;
    private final Body body;
    private final AtomicBoolean done = new AtomicBoolean();
    private final BiConsumer<PeerConnection, Throwable> onFailure;

    /**
     * Discounts the bytes of a message, which its handler thread counts as handled
     * when the callback returns.
     *
     * @param message a {@link Valued}, received
     * @param epoch the {@link Epochs epoch} that it belongs to
     */
    @SuppressWarnings("NullAway") // a received message has an origin
    DeferredCall(Message message, int epoch, Body body, BiConsumer<PeerConnection, Throwable> onFailure) {
        this.connection = (PeerConnection) MessageAccess.get().origin(message);
        this.bytes = HeaderDescriptor.BYTES + ((Valued<?>) message).bytes();
        this.body = body;
        this.epoch = epoch;
        this.onFailure = onFailure;
        connection.handled(epoch, -bytes);
        connection.takeBack(bytes);
    }

    PeerConnection connection() {
        return connection;
    }

    @Override
    public void run() {
        if (isFirst()) {
            try {
                body.run();
            } catch (Throwable e) {
                report(e);
            } finally {
                handled();
            }
        }
    }

    /** Calls after this one wait for its return, so it throws nothing. */
    private void report(Throwable error) {
        try {
            onFailure.accept(connection, error);
        } catch (Throwable _) {
            // Not even reported, for want of memory: a requester has its time limit.
        }
    }

    /** The executor did not accept it, and another thread than the handler's found that. */
    void refused(Throwable error) {
        if (isFirst()) {
            try {
                report(new RefusedByExecutor(error));
            } finally {
                handled();
            }
        }
    }

    /**
     * The executor did not accept it: the handler thread counts the message, and reports.
     *
     * @return false when it has run all the same
     */
    boolean undo() {
        boolean isFirst = isFirst();
        if (isFirst) {
            handled();
        }
        return isFirst;
    }

    private void handled() {
        connection.handled(epoch, bytes);
        connection.processed(bytes);
    }

    /** An executor may run a call and then throw, or run it twice. */
    private boolean isFirst() {
        return done.compareAndSet(false, true);
    }
}
