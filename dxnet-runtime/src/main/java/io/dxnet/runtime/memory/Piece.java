package io.dxnet.runtime.memory;

import io.dxnet.Response;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What one message carries. */
final class Piece {
    private final Route route;
    private final @Nullable Chain chain; // null: it is all of an operation that a thread waits for
    private final Progress progress;
    private int bytes;
    private PieceRequest<?> request;
    private @Nullable ReadRequest read; // where the piece before was one, as the next
    private @Nullable WriteRequest write;
    private @Nullable AtomicRequest atomic;
    private volatile @Nullable Exception detached; // why it ends; before it is abandoned
    private @Nullable Exception failure;

    /** The next one of a chain. */
    Piece(
            Route route,
            @Nullable Chain chain,
            Progress progress,
            MemoryOperation operation,
            long position,
            int bytes,
            @Nullable MemoryOperation notification) {
        this.route = route;
        this.chain = chain;
        this.progress = progress;
        this.bytes = bytes;
        this.request = requestOf(operation, position, bytes, notification);
    }

    /** It is all of another operation now: the one before was carried out. */
    void begin(MemoryOperation operation, int length, @Nullable MemoryOperation notification) {
        bytes = length;
        request = requestOf(operation, 0, length, notification);
    }

    private PieceRequest<?> requestOf(
            MemoryOperation operation, long position, int length, @Nullable MemoryOperation notification) {
        long attachment = route.attachment();
        long offset = operation.offset();
        return switch (operation.kind()) {
            case READ -> reading().read(attachment, offset + position, local(operation, position, length));
            case WRITE -> {
                WriteRequest writing =
                        writing().write(attachment, offset + position, local(operation, position, length));
                yield notification == null ? writing : notifying(writing, notification);
            }
            case NOTIFY -> notifying(writing().write(attachment, offset, local(operation, 0, 0)), operation);
            case FETCH_ADD -> changing().add(attachment, offset, operation.value());
            case COMPARE_AND_SWAP ->
                changing().compareAndSet(attachment, offset, operation.value(), operation.expected());
        };
    }

    private ReadRequest reading() {
        ReadRequest kept = read == null ? new ReadRequest(route.owner()) : read;
        read = kept;
        return kept;
    }

    private WriteRequest writing() {
        WriteRequest kept = write == null ? new WriteRequest(route.owner()) : write;
        write = kept;
        return kept;
    }

    private AtomicRequest changing() {
        AtomicRequest kept = atomic == null ? new AtomicRequest(route.owner()) : atomic;
        atomic = kept;
        return kept;
    }

    private static MemorySegment local(MemoryOperation operation, long position, int length) {
        MemorySegment local = operation.local();
        return length == local.byteSize() ? local : local.asSlice(position, length);
    }

    private static WriteRequest notifying(WriteRequest writing, MemoryOperation notification) {
        return writing.notify(notification.offset(), notification.length(), (int) notification.value());
    }

    @SuppressWarnings("NullAway") // called of one that a chain has sent
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

    long deadlineNs() {
        return progress.operation().deadlineNs();
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
