package io.dxnet.softhca;

import io.dxnet.ibverbs.spi.LocalVerbs;

/** The hot verbs for a binding in this JVM: what is behind the upcall stubs, without them. */
final class DirectVerbs implements LocalVerbs {
    @Override
    public int pollCq(long queue, int entries, long completions) {
        return DataVerbs.poll_cq(queue, entries, completions);
    }

    @Override
    public int requestNotification(long queue, int solicitedOnly) {
        return DataVerbs.req_notify_cq(queue, solicitedOnly);
    }

    @Override
    public int postSend(long queuePair, long request, long badRequest) {
        return DataVerbs.post_send(queuePair, request, badRequest);
    }

    @Override
    public int postReceive(long queuePair, long request, long badRequest) {
        return DataVerbs.post_recv(queuePair, request, badRequest);
    }

    @Override
    public int postSharedReceive(long queue, long request, long badRequest) {
        return DataVerbs.post_srq_recv(queue, request, badRequest);
    }
}
