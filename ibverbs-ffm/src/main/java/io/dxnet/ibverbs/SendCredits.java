package io.dxnet.ibverbs;

/**
 * Counts the room of one send queue, so that its owner never posts into a full one. A device may
 * answer that with {@code ENOMEM}, or keep fewer requests than it promised. Requests complete in
 * order, and an unsignaled one completes with the next signaled one; the counter remembers where
 * the signaled ones are. One thread at a time; allocates nothing after construction.
 */
public final class SendCredits {
    private final int depth;
    /** Position after each signaled request under way, in order; a ring. */
    private final long[] signaled;

    private final int ringMask;
    private long posted;
    private long retired;
    private long signaledPosted;
    private long signaledDone;

    /**
     * Starts with an empty queue.
     *
     * @param depth the requests the queue holds
     */
    public SendCredits(int depth) {
        if (depth < 1) {
            throw new IllegalArgumentException("a send queue holds at least one request, not " + depth);
        }
        this.depth = depth;
        int ring = Integer.highestOneBit(depth) == depth ? depth : Integer.highestOneBit(depth) << 1;
        this.signaled = new long[ring];
        this.ringMask = ring - 1;
    }

    /**
     * Returns the room.
     *
     * @return how many requests can be posted now
     */
    public int free() {
        return depth - (int) (posted - retired);
    }

    /**
     * Acquires room for a request.
     *
     * @param isSignaled whether it will have a completion
     * @return false where the queue is full: nothing was acquired
     */
    public boolean take(boolean isSignaled) {
        if (posted - retired == depth) {
            return false;
        }
        posted++;
        if (isSignaled) {
            signaled[(int) signaledPosted & ringMask] = posted;
            signaledPosted++;
        }
        return true;
    }

    /**
     * Returns whether the next request must be signaled, so
     * that each half of the queue has one that is.
     *
     * @return whether an unsignaled request would leave no completion in sight
     */
    public boolean mustSignal() {
        long lastSignaled = signaledPosted == 0 ? 0 : signaled[(int) (signaledPosted - 1) & ringMask];
        return posted - Math.max(lastSignaled, retired) + 1 >= Math.max(1, depth / 2);
    }

    /**
     * Returns the room of a successful completion and of the unsignaled requests before it. Once a
     * completion failed, the queue pair is dead and the room means nothing any more.
     *
     * @throws IllegalStateException if no signaled request is under way
     */
    public void complete() {
        if (signaledDone == signaledPosted) {
            throw new IllegalStateException("a completion without a signaled request");
        }
        retired = signaled[(int) signaledDone & ringMask];
        signaledDone++;
    }
}
