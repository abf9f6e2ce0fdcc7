package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code ibv_post_send} of one request to the software device {@code soft0}: nanoseconds for one
 * call. The queue pair is in state {@code SQD}, where requests are queued and not executed:
 * hardware executes them beside the caller, the software device within the call.
 */
public class VerbsSoftPost extends NanosPerCall {
    /**
     * As deep as an application's queue, which stays in the
     * processor's second cache; ten thousand requests do not.
     */
    static final int CALLS = 1_000;

    private VerbsRig rig;
    private VerbsRig rigThroughC;
    private Sending sending;
    private Sending sendingThroughC;
    private long function;
    private long request;
    private long badRequest;

    /** A queue pair with room for all calls of an invocation. */
    private static final class Sending {
        final QueuePair pair;
        final SendChain chain;
        private final GidEntry gid;
        private final QpAddress peer;

        Sending(VerbsRig rig) {
            gid = rig.context.chooseGid(1);
            pair = pair(rig);
            peer = pair(rig).addressFor(gid, 2);
            chain = rig.sends(1);
        }

        private static QueuePair pair(VerbsRig rig) {
            return rig.domain.createQueuePair(QueuePair.options(QpType.RC, rig.sent, rig.received)
                    .send(CALLS, 1)
                    .shared(rig.shared));
        }

        void empty() {
            pair.modify(QpAttributes.to(QpState.RESET));
            pair.connect(gid, 1, peer, new ConnectOptions());
            pair.modify(QpAttributes.to(QpState.SQD));
        }
    }

    @Setup
    public void open() {
        rig = new VerbsRig("soft0");
        sending = new Sending(rig);
        rigThroughC = VerbsRig.throughC("soft0");
        sendingThroughC = new Sending(rigThroughC);
        function = rig.context.dataPath().postSend;
        request = sending.chain.request(0);
        badRequest = sending.chain.badRequest();
    }

    /** An invocation is a thousand calls: what JMH does around it is lost in them. */
    @Setup(Level.Invocation)
    public void empty() {
        sending.empty();
        sendingThroughC.empty();
    }

    @TearDown
    public void close() {
        rig.close();
        rigThroughC.close();
    }

    /**
     * As an application calls it: driver and binding are Java in one JVM, and no call leaves it.
     */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int ffm() {
        return post(sending);
    }

    /** A downcall and an upcall. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int ffmThroughC() {
        return post(sendingThroughC);
    }

    private static int post(Sending to) {
        int sum = 0;
        for (int i = 0; i < CALLS; i++) {
            sum += to.pair.postSend(to.chain);
        }
        return sum == CALLS ? sum : refused(sum);
    }

    private static int refused(int accepted) {
        throw new IllegalStateException("the device accepted " + accepted + " of " + CALLS + " requests");
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int jni() {
        int sum = 0;
        for (int i = 0; i < CALLS; i++) {
            sum += Jni.post(function, sending.pair.address(), request, badRequest);
        }
        return sum == 0 ? sum : refused(CALLS - sum);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long inC() {
        return Jni.postInC(function, sending.pair.address(), request, badRequest, CALLS);
    }
}
