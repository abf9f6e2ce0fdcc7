package io.dxnet.tools.verbs.endpoints;

/**
 * The six ways of sharing communication resources between threads (paper, section VI). The paper's
 * driver accepts a request for independence with each thread domain. The verbs of rdma-core have no
 * such request: their driver assigns the two halves of a page to two domains in turn. Where the
 * paper requests independence, a spacer domain, which nothing uses, occupies the second half.
 */
enum Category {
    /** A context for each thread, as if each were a process. */
    MPI_EVERYWHERE("MPI everywhere", 0, 1),
    /**
     * One context, two queue pairs for each thread, each
     * with a page of its own; one of the two is used.
     */
    TWO_X_DYNAMIC("2xDynamic", 4, 2),
    /** One context, a queue pair for each thread with a page of its own. */
    DYNAMIC("Dynamic", 2, 1),
    /** One context, a queue pair for each thread, two threads on a page. */
    SHARED_DYNAMIC("Shared Dynamic", 1, 1),
    /**
     * One context, a queue pair for each thread, no thread
     * domains: the driver deals out what the context has.
     */
    STATIC("Static", 0, 1),
    /** One queue pair for all threads. */
    MPI_THREADS("MPI+threads", 0, 1);

    private final String label;
    private final int threadDomainsPerThread;
    private final int queuePairsPerUsed;

    Category(String label, int threadDomainsPerThread, int queuePairsPerUsed) {
        this.label = label;
        this.threadDomainsPerThread = threadDomainsPerThread;
        this.queuePairsPerUsed = queuePairsPerUsed;
    }

    String label() {
        return label;
    }

    boolean hasContextPerThread() {
        return this == MPI_EVERYWHERE;
    }

    boolean sharesQueuePair() {
        return this == MPI_THREADS;
    }

    boolean wantsThreadDomains() {
        return threadDomainsPerThread > 0;
    }

    /** Spacers included. */
    int threadDomainsPerThread() {
        return threadDomainsPerThread;
    }

    /**
     * Thread domains for each set of queue pairs that is
     * made: the first is used, others are spacers.
     */
    int threadDomainsPerSet() {
        return threadDomainsPerThread / queuePairsPerUsed;
    }

    /** Sets of queue pairs made for each one that is used. */
    int setsPerUsed() {
        return queuePairsPerUsed;
    }

    @Override
    public String toString() {
        return label;
    }
}
