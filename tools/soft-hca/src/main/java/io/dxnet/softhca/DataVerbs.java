package io.dxnet.softhca;

/**
 * The hot verbs, which the application calls through
 * {@code ibv_context.ops}. Any thread; nothing escapes.
 */
final class DataVerbs {
    private DataVerbs() {}

    static int poll_cq(long cq, int entries, long wc) {
        try {
            SoftCompletionQueue queue = Fabric.COMPLETION_QUEUES.at(cq);
            if (queue == null || entries < 0) {
                return -Ibv.EINVAL;
            }
            int count = queue.poll(entries, wc);
            return count != 0 || !queue.context.device().isWire() ? count : pollWire(queue, entries, wc);
        } catch (Throwable thrown) {
            Upcalls.report("poll_cq", thrown);
            return -Ibv.EIO;
        }
    }

    /** The thread that polls receives packets itself, which is faster than to wait for another. */
    private static int pollWire(SoftCompletionQueue queue, int entries, long wc) {
        WireEndpoint endpoint = queue.context.device().endpoint();
        try {
            if (endpoint == null || !endpoint.poll()) {
                return 0;
            }
        } catch (Throwable thrown) { // of packets of any queue pair: they are lost, and sent again
            Upcalls.report("poll_cq", thrown);
        }
        return queue.poll(entries, wc);
    }

    static int req_notify_cq(long cq, int solicitedOnly) {
        try {
            SoftCompletionQueue queue = Fabric.COMPLETION_QUEUES.at(cq);
            if (queue == null) {
                return Ibv.EINVAL;
            }
            int error = fault(queue, "ibv_req_notify_cq");
            if (error == 0) {
                queue.arm(solicitedOnly != 0);
                WireEndpoint endpoint = queue.context.device().endpoint();
                if (endpoint != null) {
                    endpoint.stopPolling();
                }
            }
            return error;
        } catch (Throwable thrown) {
            Upcalls.report("req_notify_cq", thrown);
            return Ibv.EIO;
        }
    }

    static int post_send(long qp, long wr, long badWr) {
        try {
            SoftQueuePair pair = Fabric.QUEUE_PAIRS.at(qp);
            int error = pair == null ? Ibv.EINVAL : fault(pair, "ibv_post_send");
            if (error != 0) {
                return refuse(error, wr, badWr);
            }
            error = pair.sends().post(wr, badWr);
            Fabric.runDeferred();
            return error;
        } catch (Throwable thrown) {
            Upcalls.report("post_send", thrown);
            return Ibv.EIO;
        }
    }

    static int post_recv(long qp, long wr, long badWr) {
        try {
            SoftQueuePair pair = Fabric.QUEUE_PAIRS.at(qp);
            int error = pair == null ? Ibv.EINVAL : fault(pair, "ibv_post_recv");
            if (error != 0) {
                return refuse(error, wr, badWr);
            }
            error = pair.postReceive(wr, badWr);
            Fabric.runDeferred();
            return error;
        } catch (Throwable thrown) {
            Upcalls.report("post_recv", thrown);
            return Ibv.EIO;
        }
    }

    static int post_srq_recv(long srq, long wr, long badWr) {
        try {
            SoftSharedReceiveQueue queue = Fabric.SHARED_RECEIVE_QUEUES.at(srq);
            int error = queue == null ? Ibv.EINVAL : fault(queue, "ibv_post_srq_recv");
            if (error != 0) {
                return refuse(error, wr, badWr);
            }
            error = queue.queue().post(wr, badWr);
            Fabric.runDeferred();
            return error;
        } catch (Throwable thrown) {
            Upcalls.report("post_srq_recv", thrown);
            return Ibv.EIO;
        }
    }

    private static int fault(SoftObject object, String verb) {
        SoftDevice device = object.context.device();
        if (!device.faults().active() && !device.isRemoved()) {
            return 0;
        }
        return device.isRemoved() ? Ibv.EIO : device.faults().onCall(verb);
    }

    private static int refuse(int error, long wr, long badWr) {
        if (badWr != 0) {
            Memory.putLong(badWr, wr);
        }
        return error;
    }
}
