package io.dxnet.ibverbs;

/** What a queue pair is made with. Not thread-safe. */
public final class QpOptions {
    private static final int DEFAULT_REQUESTS = 128;

    final QpType type;
    final CompletionQueue sendQueue;
    final CompletionQueue receiveQueue;
    SharedReceiveQueue sharedReceiveQueue;
    int maxSendRequests = DEFAULT_REQUESTS;
    int maxReceiveRequests = DEFAULT_REQUESTS;
    int maxSendSge = 1;
    int maxReceiveSge = 1;
    int maxInline;
    boolean signalAll;

    QpOptions(QpType type, CompletionQueue sendQueue, CompletionQueue receiveQueue) {
        this.type = type;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
    }

    /**
     * Uses receives of a shared queue instead of an own one.
     *
     * @param queue the shared queue
     * @return this
     */
    public QpOptions shared(SharedReceiveQueue queue) {
        this.sharedReceiveQueue = queue;
        return this;
    }

    /**
     * Sets the send queue's size; default 128 requests of one element.
     *
     * @param requests the requests it holds at least
     * @param sge the elements of one request at least
     * @return this
     */
    public QpOptions send(int requests, int sge) {
        this.maxSendRequests = requests;
        this.maxSendSge = sge;
        return this;
    }

    /**
     * Sets the own receive queue's size; default 128 requests of one element.
     * Without meaning with a shared queue.
     *
     * @param requests the receives it holds at least
     * @param sge the elements of one receive at least
     * @return this
     */
    public QpOptions receive(int requests, int sge) {
        this.maxReceiveRequests = requests;
        this.maxReceiveSge = sge;
        return this;
    }

    /**
     * Allows inline data; default none.
     *
     * @param bytes the bytes of one request
     * @return this
     */
    public QpOptions inline(int bytes) {
        this.maxInline = bytes;
        return this;
    }

    /**
     * Completes every request of the send queue as if it were signaled.
     *
     * @return this
     */
    public QpOptions signalAll() {
        this.signalAll = true;
        return this;
    }
}
