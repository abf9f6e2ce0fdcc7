package io.dxnet.tools.bench;

import io.dxnet.DXNetException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Sends requests and waits for each response before the next. */
final class RequestSender extends TimedSender {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final EchoRequest[] requests;
    private final VerifiedRequest[] verifiedRequests;
    private final Sample sample;
    private final long[] keys;

    RequestSender(Round round, int thread) {
        super(round, thread);
        int count = destinations.length;
        requests = new EchoRequest[count];
        verifiedRequests = new VerifiedRequest[count];
        sample = new Sample(round.payload());
        keys = round.keys(thread, destinations);
        for (int i = 0; i < count; i++) {
            int id = spec.ids()[destinations[i]];
            requests[i] = new EchoRequest(id, round.payload());
            verifiedRequests[i] = new VerifiedRequest(id, thread, spec.size());
        }
    }

    @Override
    void send(int destinationIndex, int destinationId, long sequence) throws DXNetException {
        if (spec.pauseNs() > 0) {
            pause();
        }
        long start;
        if (spec.verify()) {
            VerifiedRequest request = verifiedRequests[destinationIndex];
            request.next(keys[destinationIndex], sequence);
            start = System.nanoTime();
            VerifiedResponse response = net.sendSync(request, TIMEOUT);
            if (!response.answers(spec.size(), keys[destinationIndex], sequence)) {
                addCorrupted();
            }
        } else if (spec.api() == Api.RECORDS) {
            start = System.nanoTime();
            net.call(destinationId, Sample.ECHO, sample, TIMEOUT);
        } else {
            start = System.nanoTime();
            net.sendSync(requests[destinationIndex], TIMEOUT);
        }
        record(start);
    }

    /** A permit that a response has left ends a park at once. */
    private void pause() {
        long untilNs = System.nanoTime() + spec.pauseNs();
        for (long leftNs = spec.pauseNs(); leftNs > 0; leftNs = untilNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
