package io.dxnet.runtime.memory;

import io.dxnet.transport.memory.MemoryOperation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations that were posted together, and which of them are sent. Under the monitor of
 * their access.
 */
final class Chain {
    private final MemoryOperation[] operations;
    private final Route route;
    private int at; // the operation that is sent
    private long position; // in that one
    private @Nullable Progress progress; // of that one; null: it has not begun
    private boolean isFirst = true;

    Chain(MemoryOperation[] operations, Route route) {
        this.operations = operations;
        this.route = route;
        for (MemoryOperation each : operations) {
            each.deadlineNs(); // other threads read it
        }
    }

    long deadlineNs() {
        return operations[0].deadlineNs();
    }

    boolean isExhausted() {
        return at == operations.length;
    }

    long nextBytes() {
        MemoryOperation operation = operations[at];
        return isCopy(operation) ? Math.min(route.pieceMax(), operation.length() - position) : 0;
    }

    static boolean isCopy(MemoryOperation operation) {
        return operation.kind() == MemoryOperation.Kind.READ || operation.kind() == MemoryOperation.Kind.WRITE;
    }

    /** The notification that the last piece of a write carries; null: none does. */
    private @Nullable MemoryOperation notification() {
        boolean isWrite = operations[at].kind() == MemoryOperation.Kind.WRITE;
        MemoryOperation next = isWrite && at + 1 < operations.length ? operations[at + 1] : null;
        return next != null && next.kind() == MemoryOperation.Kind.NOTIFY ? next : null;
    }

    private boolean isLast(long bytes) {
        return !isCopy(operations[at]) || position + bytes == operations[at].length();
    }

    /**
     * Whether the next piece waits until nothing is in flight: a listener must find all bytes.
     */
    boolean isFenced() {
        MemoryOperation operation = operations[at];
        boolean notifies =
                operation.kind() == MemoryOperation.Kind.NOTIFY || notification() != null && isLast(nextBytes());
        return operation.isFenced() && position == 0 || notifies && !isFirst;
    }

    Piece next() {
        MemoryOperation operation = operations[at];
        long bytes = nextBytes();
        boolean isLast = isLast(bytes);
        MemoryOperation notification = isLast ? notification() : null;
        Progress of = progress == null ? new Progress((PostedOperation) operation) : progress;
        progress = of;
        if (!isLast) {
            of.add(); // else the last piece has the place of those that follow
        }
        of.notification((PostedOperation) notification);
        Piece piece = new Piece(route, this, of, operation, position, (int) bytes, notification);
        isFirst = false;
        position += bytes;
        if (isLast) {
            at += notification == null ? 1 : 2;
            position = 0;
            progress = null;
        }
        return piece;
    }

    /**
     * Nothing more of it is sent.
     *
     * @param over gets the operation that has begun, where none of its pieces is in flight
     * @return the operations that have not begun
     */
    Collection<PostedOperation> stop(Exception cause, Collection<Progress> over) {
        Progress begun = progress;
        if (begun != null) {
            MemoryOperation notification = notification();
            begun.notification((PostedOperation) notification);
            begun.stopped(cause);
            if (begun.remove()) {
                over.add(begun);
            }
            at += notification == null ? 1 : 2;
            progress = null;
        }
        Collection<PostedOperation> rest = unbegun();
        at = operations.length;
        return rest;
    }

    Collection<PostedOperation> unbegun() {
        List<PostedOperation> rest = new ArrayList<>();
        for (int i = at; i < operations.length; i++) {
            rest.add((PostedOperation) operations[i]);
        }
        return rest;
    }
}
