package io.dxnet.ibverbs;

import io.dxnet.ibverbs.spi.LocalVerbs;
import io.dxnet.ibverbs.spi.VerbsCalls;

/** The hot verbs of one context, each called at its address by a {@link VerbsCalls}. */
final class CalledVerbs implements LocalVerbs {
    private final VerbsCalls calls;
    private final long pollCq;
    private final long requestNotification;
    private final long postSend;
    private final long postReceive;
    private final long postSharedReceive;

    CalledVerbs(
            VerbsCalls calls,
            long pollCq,
            long requestNotification,
            long postSend,
            long postReceive,
            long postSharedReceive) {
        this.calls = calls;
        this.pollCq = pollCq;
        this.requestNotification = requestNotification;
        this.postSend = postSend;
        this.postReceive = postReceive;
        this.postSharedReceive = postSharedReceive;
    }

    @Override
    public int pollCq(long queue, int entries, long completions) {
        return calls.poll(pollCq, queue, entries, completions);
    }

    @Override
    public int requestNotification(long queue, int solicitedOnly) {
        return calls.requestNotification(requestNotification, queue, solicitedOnly);
    }

    @Override
    public int postSend(long queuePair, long request, long badRequest) {
        return calls.post(postSend, queuePair, request, badRequest);
    }

    @Override
    public int postReceive(long queuePair, long request, long badRequest) {
        return calls.post(postReceive, queuePair, request, badRequest);
    }

    @Override
    public int postSharedReceive(long queue, long request, long badRequest) {
        return calls.post(postSharedReceive, queue, request, badRequest);
    }
}
