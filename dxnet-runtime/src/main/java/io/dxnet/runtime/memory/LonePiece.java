package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.Response;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.Requester;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * An operation of one piece that the calling thread waits for: one after the other, as long as they
 * succeed, so that they are without garbage. One thread at a time.
 */
final class LonePiece {
    private final Route route;
    private final PendingRequest pending = PendingRequest.reusable();
    private @Nullable Progress progress; // of the first operation on
    private @Nullable Piece piece; // the same

    /** One of an attachment. */
    LonePiece(Route route) {
        this.route = route;
    }

    /** {@return whether the operations are one piece} */
    static boolean isOne(MemoryOperation[] operations, int pieceMax) {
        MemoryOperation first = operations[0];
        return first.length() <= pieceMax && (operations.length == 1 || notification(operations) != null);
    }

    private static @Nullable MemoryOperation notification(MemoryOperation[] operations) {
        boolean notifies =
                operations.length == 2 && operations[0].kind() == Kind.WRITE && operations[1].kind() == Kind.NOTIFY;
        return notifies ? operations[1] : null;
    }

    /** {@return the piece that the operations are} */
    Piece begin(MemoryOperation[] operations) {
        PostedOperation first = (PostedOperation) operations[0];
        MemoryOperation notification = notification(operations);
        int bytes = Chain.isCopy(first) ? (int) first.length() : 0;
        Progress of = progress;
        Piece next = piece;
        if (of == null || next == null) {
            of = new Progress(first);
            next = new Piece(route, null, of, first, 0, bytes, notification);
            progress = of;
            piece = next;
        } else {
            of.begin(first);
            next.begin(first, bytes, notification);
        }
        of.notification((PostedOperation) notification);
        return next;
    }

    /** Keeps nothing alive that the operation used, which was carried out. */
    void forget() {
        if (progress != null && piece != null) {
            progress.forget();
            piece.request().forget();
        }
    }

    /** {@return the answer, which is read before the next request is sent} */
    Response send(Requester requester, Piece begun) throws DXNetException {
        return requester.sendSync(begun.request(), pending, begun.deadlineNs());
    }
}
