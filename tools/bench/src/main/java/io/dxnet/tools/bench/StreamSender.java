package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/** Sends plain messages: one object per thread, sent again and again. */
final class StreamSender extends Sender {
    private final StreamMessage message;

    StreamSender(Round round, int thread) {
        super(round, thread);
        this.message = new StreamMessage(spec.ids()[destinations[0]], spec.api() == Api.REUSABLE, round.payload());
    }

    @Override
    void send(int destinationIndex, int destinationId, long sequence) throws DXNetException {
        message.setDestination(destinationId);
        net.sendMessage(message);
    }
}
