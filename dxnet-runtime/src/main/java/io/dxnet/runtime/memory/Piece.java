package io.dxnet.runtime.memory;

import io.dxnet.Response;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What one message carries. */
final class Piece {
    private final Route route;
    private final Chain chain;
    private final Progress progress;
    private final int bytes;
    private final PieceRequest<?> request;
    private volatile @Nullable Exception detached; // why it ends; before it is abandoned
    private @Nullable Exception failure;

    Piece(
            Route route,
            Chain chain,
            Progress progress,
            MemoryOperation operation,
            long position,
            int bytes,
            @Nullable MemoryOperation notification) {
        this.route = route;
        this.chain = chain;
        this.progress = progress;
        this.bytes = bytes;
        int owner = route.owner();
        long attachment = route.attachment();
        long offset = operation.offset();
        this.request = switch (operation.kind()) {
            case READ ->
                new ReadRequest(
                        owner, attachment, offset + position, operation.local().asSlice(position, bytes));
            case WRITE ->
                new WriteRequest(
                        owner,
                        attachment,
                        offset + position,
                        operation.local().asSlice(position, bytes),
                        of(notification));
            case NOTIFY ->
                new WriteRequest(owner, attachment, offset, operation.local().asSlice(0, 0), of(operation));
            case FETCH_ADD -> new AtomicRequest(owner, attachment, offset, false, operation.value(), 0);
            case COMPARE_AND_SWAP ->
                new AtomicRequest(owner, attachment, offset, true, operation.value(), operation.expected());
        };
    }

    private static WriteRequest.@Nullable Notification of(@Nullable MemoryOperation notification) {
        return notification == null
                ? null
                : new WriteRequest.Notification(
                        notification.offset(), notification.length(), (int) notification.value());
    }

    Chain chain() {
        return chain;
    }

    Progress progress() {
        return progress;
    }

    int bytes() {
        return bytes;
    }

    /** {@return why it failed; null: it did not} */
    @Nullable
    Exception failure() {
        return failure;
    }

    PieceRequest<?> request() {
        return request;
    }

    Duration timeout() {
        return Duration.ofNanos(progress.operation().deadlineNs() - System.nanoTime());
    }

    private Outcome outcomeIfSent() {
        return progress.operation().kind() == MemoryOperation.Kind.READ ? Outcome.NOT_DONE : Outcome.UNKNOWN;
    }

    /** Its region is closed: its local memory is not accessed after this. */
    void detach() {
        detached = route.failures().of(MemoryOperation.Cause.CLOSED, outcomeIfSent(), "it was detached meanwhile");
        request.abandon();
    }

    /** The operation fails, all of whose pieces were detached. */
    void failDetached() {
        Exception cause = detached;
        if (cause != null) {
            progress.failAll(cause);
        }
    }

    void answered(Response response) {
        Status status = response instanceof StatusReply reply ? reply.status() : ((ReadReply) response).status();
        if (status != Status.OK) {
            failed(route.failures().of(status));
            return;
        }
        progress.done(response instanceof StatusReply reply ? reply.value() : 0);
    }

    void failed(Throwable error) {
        request.abandon();
        Exception end = detached;
        failure = end == null ? route.failures().of(error, outcomeIfSent()) : end;
        progress.failed(failure);
    }
}
