package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.transport.ib.qp.AddressBlock;
import java.lang.System.Logger.Level;

/** The accessing side's queue pair and its completion queue. Under the access' lock. */
final class AccessPair {
    private static final System.Logger LOG = System.getLogger(AccessPair.class.getName());
    private static final int REQUESTS = 128;

    private final MemoryDevice device;
    private final int psn = AddressBlock.randomPsn();
    private final int depth;
    private final CompletionQueue queue;
    private final QueuePair pair;
    private final AccessRequest request;
    private boolean isGone;
    private boolean isArmed;

    AccessPair(MemoryDevice device, ProtectionDomain domain, CompletionChannel channel) {
        this.device = device;
        this.depth = device.requests(REQUESTS);
        this.queue = device.context()
                .createCompletionQueue(CompletionQueue.options(depth).channel(channel));
        try {
            this.pair = domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue)
                    .send(depth, 1)
                    .receive(1, 1)
                    .inline(Requests.INLINE_BYTES));
            this.request = new AccessRequest(device.address(pair, psn), device.mtuBytes(), device.readsInitiated());
        } catch (VerbsException e) {
            queue.close(); // and the queue pair
            throw e;
        }
    }

    AccessRequest request() {
        return request;
    }

    /** {@return the requests that fit into it} */
    int depth() {
        return depth;
    }

    QueuePair queuePair() {
        return pair;
    }

    CompletionQueue completionQueue() {
        return queue;
    }

    /** Connects. It lets the other side access nothing here. */
    void connect(AccessRequest peer) {
        pair.connect(
                device.gid(),
                psn,
                peer.address(),
                device.connecting()
                        .apply(peer.mtuBytes())
                        .maxReadAtomic(Math.min(device.readsInitiated(), peer.reads())));
    }

    int poll(WorkCompletion into) {
        return isGone ? 0 : queue.poll(into);
    }

    boolean isArmed() {
        return isArmed;
    }

    void arm() {
        if (!isArmed && !isGone) {
            queue.requestNotification(false);
            isArmed = true;
        }
    }

    void fired() {
        isArmed = false;
    }

    /** Ends what is under way: what was complete by then can still be polled. */
    void toError() {
        try {
            pair.modify(QpAttributes.to(QpState.ERR));
        } catch (VerbsException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "a queue pair for one-sided access was gone before its end", e);
        }
    }

    boolean isGone() {
        return isGone;
    }

    /** Frees it: the device accesses no local memory of requests afterwards. */
    void destroy() {
        if (!isGone) {
            isGone = true;
            try {
                pair.close();
                queue.close();
            } catch (VerbsException e) {
                LOG.log(Level.WARNING, "a queue pair for one-sided access could not be destroyed", e);
            }
        }
    }
}
