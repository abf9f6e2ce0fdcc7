package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/** Sends records: one object per thread, sent again and again. */
final class SampleSender extends Sender {
    private final Sample sample;

    SampleSender(Round round, int thread) {
        super(round, thread);
        this.sample = new Sample(round.payload());
    }

    @Override
    void send(int destinationIndex, int destinationId, long sequence) throws DXNetException {
        net.send(destinationId, Sample.STREAM, sample);
    }
}
