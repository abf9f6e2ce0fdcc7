package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Response;
import io.dxnet.runtime.request.ServiceRequest;
import io.dxnet.spi.MessageAccess;

/**
 * Carries a piece. Its local memory is accessed under its monitor, and not any more once it is
 * abandoned. Any thread.
 */
abstract class PieceRequest<R extends Response> extends ServiceRequest<R> {
    private static final MessageAccess ACCESS = MessageAccess.get();

    private volatile boolean abandoned; // changed under the monitor

    /** One to be received. */
    PieceRequest() {}

    /** An outgoing one. */
    PieceRequest(int owner, int type) {
        super(owner, type);
    }

    /** The operation ends: the request is not exported, nor local memory accessed, after this. */
    final synchronized void abandon() {
        abandoned = true;
    }

    /** Keeps nothing alive that it used: it was answered, and is to be used again. */
    void forget() {
        ACCESS.forgetOrigin(emptyResponse());
    }

    final boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Exports the request, with its local memory.
     *
     * @throws IllegalStateException when it is abandoned
     */
    @Override
    public final synchronized void exportObject(Exporter exporter) {
        if (abandoned) {
            throw new IllegalStateException("the operation on remote memory has ended");
        }
        exportPiece(exporter);
    }

    /** Exports it; holds the monitor. */
    abstract void exportPiece(Exporter exporter);
}
