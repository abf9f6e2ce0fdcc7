package io.dxnet.runtime.memory;

import io.dxnet.Response;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.runtime.request.ServiceRequest;
import io.dxnet.transport.memory.MemoryOperation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What one message carries. */
final class Piece {
    private final Route route;
    private final Chain chain;
    private final Progress progress;
    private final int bytes;
    private final ServiceRequest<?> request;
    private final @Nullable ReadTarget target; // of a read
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
        this.target = operation.kind() == MemoryOperation.Kind.READ
                ? new ReadTarget(operation.local().asSlice(position, bytes))
                : null;
        this.request = switch (operation.kind()) {
            case READ -> new ReadRequest(owner, attachment, offset + position, requireTarget());
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

    @SuppressWarnings("NullAway") // a read has one
    private ReadTarget requireTarget() {
        return target;
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

    ServiceRequest<?> request() {
        return request;
    }

    Duration timeout() {
        return Duration.ofNanos(progress.operation().deadlineNs() - System.nanoTime());
    }

    Outcome outcomeIfSent() {
        return target == null ? Outcome.UNKNOWN : Outcome.NOT_DONE;
    }

    void abandon() {
        if (target != null) {
            target.abandon();
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
        abandon();
        failure = route.failures().of(error, outcomeIfSent());
        progress.failed(failure);
    }
}
