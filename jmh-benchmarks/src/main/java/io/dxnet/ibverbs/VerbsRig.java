package io.dxnet.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A device with two connected queue pairs and what they need, and
 * the addresses for callers that do not use the binding.
 */
final class VerbsRig implements AutoCloseable {
    /**
     * Calls for one invocation of a benchmark. C, JNI and FFM each have a loop of their own, so the
     * harness's own nanosecond is in none of them.
     */
    static final int CALLS = 10_000;

    static final int MESSAGE_BYTES = 64;
    /** A power of two; the chains of the benchmarks are far shorter. */
    private static final int REQUESTS = 256;

    private static final int PORT = 1;

    final Context context;
    final ProtectionDomain domain;
    final CompletionQueue sent;
    final CompletionQueue received;
    final SharedReceiveQueue shared;
    final MemoryRegion region;
    final QueuePair sender;

    VerbsRig(String device) {
        context = Device.named(device).open();
        if (device.equals(NativeVerbsProvider.DEVICE)
                && !context.device().provider().equals(new NativeVerbsProvider().name())) {
            throw new IllegalStateException("another provider has " + device);
        }
        domain = context.allocateProtectionDomain();
        sent = context.createCompletionQueue(2 * REQUESTS);
        received = context.createCompletionQueue(2 * REQUESTS);
        shared = domain.createSharedReceiveQueue(REQUESTS, 1);
        region = domain.allocate(2L * REQUESTS * MESSAGE_BYTES, Access.LOCAL_WRITE);
        sender = pair();
        QueuePair receiver = pair();
        GidEntry gid = context.chooseGid(PORT);
        QpAddress senderAddress = sender.addressFor(gid, 1);
        sender.connect(gid, 1, receiver.addressFor(gid, 2), new ConnectOptions());
        receiver.connect(gid, 2, senderAddress, new ConnectOptions());
    }

    private QueuePair pair() {
        return domain.createQueuePair(
                QueuePair.options(QpType.RC, sent, received).send(REQUESTS, 1).shared(shared));
    }

    /**
     * The software device as C and JNI callers see it: each call
     * passes through C, which the binding would skip.
     */
    static VerbsRig throughC(String device) {
        String before = System.getProperty(DataPath.LOCAL_PROPERTY);
        System.setProperty(DataPath.LOCAL_PROPERTY, "never");
        try {
            return new VerbsRig(device);
        } finally {
            if (before == null) {
                System.clearProperty(DataPath.LOCAL_PROPERTY);
            } else {
                System.setProperty(DataPath.LOCAL_PROPERTY, before);
            }
        }
    }

    /**
     * The device of a benchmark's parameter: hot verbs that
     * return at once, or that touch what a driver touches.
     */
    static VerbsRig of(VerbsCallee callee) {
        return new VerbsRig(callee.device);
    }

    /** A chain of sends of one element each, the last one signaled. */
    SendChain sends(int count) {
        SendChain chain = new SendChain(count, 1);
        fill(chain, count);
        return chain;
    }

    void fill(SendChain chain, int count) {
        chain.clear();
        for (int i = 0; i < count; i++) {
            chain.send(i).sge(region, (long) i * MESSAGE_BYTES, MESSAGE_BYTES);
        }
        chain.signaled();
    }

    /** A chain of receives of one element each, in the other half of the memory. */
    ReceiveChain receives(int count) {
        ReceiveChain chain = new ReceiveChain(count, 1);
        for (int i = 0; i < count; i++) {
            chain.receive(i).sge(region, (long) (REQUESTS + i) * MESSAGE_BYTES, MESSAGE_BYTES);
        }
        return chain;
    }

    /** What {@code exchangeInC} wants to know. */
    MemorySegment arguments(ReceiveChain receives, SendChain sends, WorkCompletion into) {
        DataPath path = context.dataPath();
        return Arena.global()
                .allocateFrom(
                        ValueLayout.JAVA_LONG,
                        path.postSrqReceive,
                        shared.address(),
                        receives.request(0),
                        path.postSend,
                        sender.address(),
                        sends.request(0),
                        path.pollCq,
                        sent.address(),
                        received.address(),
                        into.base(),
                        receives.badRequest());
    }

    @Override
    public void close() {
        context.close();
    }
}
