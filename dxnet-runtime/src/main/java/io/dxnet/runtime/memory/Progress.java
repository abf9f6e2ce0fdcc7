package io.dxnet.runtime.memory;

import io.dxnet.transport.memory.MemoryOperation;
import org.jspecify.annotations.Nullable;

/** One operation of which pieces are in flight. */
final class Progress {
    private @Nullable PostedOperation operation; // null: none is begun
    private int use; // of the operation, which a waiting thread uses again once it has ended
    private @Nullable PostedOperation notification; // that the last piece carries
    private int notificationUse; // the same of that one
    private int left; // pieces in flight, and one while more are to be sent; under the access's monitor
    private long previous;
    private volatile boolean anyDone;
    private volatile boolean anyUnknown; // may have been carried out, or will be
    private volatile @Nullable Exception failure; // of one of its pieces

    Progress(PostedOperation operation) {
        begin(operation);
    }

    /** It stands for another operation now: the one before was carried out. */
    void begin(PostedOperation next) {
        operation = next;
        use = next.use();
        notification = null;
        left = 1;
        previous = 0;
        anyDone = false;
    }

    /** It stands for none: the one before was carried out. */
    void forget() {
        operation = null;
        notification = null;
    }

    @SuppressWarnings("NullAway") // called of one that is begun
    PostedOperation operation() {
        return operation;
    }

    void notification(@Nullable PostedOperation carried) {
        notification = carried;
        notificationUse = carried == null ? 0 : carried.use();
    }

    /** One more piece is in flight. */
    void add() {
        left++;
    }

    /** {@return whether none of its pieces is in flight or to be sent, now that one has ended} */
    boolean remove() {
        return --left == 0;
    }

    /** A piece was carried out. */
    void done(long before) {
        previous = before;
        anyDone = true;
    }

    /** A piece failed. */
    void failed(Exception cause) {
        if (Failures.mayBeDone(cause)) {
            anyUnknown = true;
        }
        stopped(cause);
    }

    /** No more pieces are sent. */
    void stopped(Exception cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** All its pieces have ended. */
    void end() {
        Exception cause = failure;
        if (cause == null) {
            operation().done(use, previous);
            if (notification != null) {
                notification.done(notificationUse, 0);
            }
        } else {
            boolean isPartial = (anyDone || anyUnknown) && operation().kind() != MemoryOperation.Kind.READ;
            failAll(isPartial ? Failures.partly(cause) : cause);
        }
    }

    void failAll(Exception cause) {
        operation().fail(use, cause);
        if (notification != null) {
            notification.fail(notificationUse, cause);
        }
    }
}
