package io.dxnet.tools.ledger.node;

import io.dxnet.Exporter;
import io.dxnet.Message;
import io.dxnet.tools.ledger.book.Kind;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A message whose {@code exportObject} throws after a while. It must not be handled; what other
 * threads send behind it meanwhile must be.
 */
final class FailingMessage extends Message {
    /** What it throws. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Failure() {
            super("of a message that fails", null, false, false);
        }
    }

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Payload payload = new Payload();

    FailingMessage(Kind kind, int receiver, long word, int bytes) {
        super(receiver, Types.DATA, kind.ordinal());
        payload.set(word, bytes, receiver);
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeLong(payload.word());
        LockSupport.parkNanos(PAUSE_NS);
        throw new Failure();
    }

    @Override
    public int sizeOfObject() {
        return payload.bytes();
    }
}
