package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/** Sends numbered messages with generated payloads. */
final class VerifiedSender extends Sender {
    private final VerifiedMessage message;
    private final long[] keys;

    VerifiedSender(Round round, int thread) {
        super(round, thread);
        this.message = new VerifiedMessage(spec.ids()[destinations[0]], thread, spec.size());
        this.keys = round.keys(thread, destinations);
    }

    @Override
    void send(int destinationIndex, int destinationId, long sequence) throws DXNetException {
        message.setDestination(destinationId);
        message.next(keys[destinationIndex], sequence);
        net.sendMessage(message);
    }
}
