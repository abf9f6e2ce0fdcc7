package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.ParentDomain;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ThreadDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.tools.verbs.Port;
import java.util.ArrayList;
import java.util.List;

/**
 * The endpoints of some threads of one process, made as a category specifies. One thread makes and
 * closes them; each lane belongs to a thread of its own.
 */
final class Endpoints implements AutoCloseable {
    private static final int EOPNOTSUPP = 95;

    private final Category category;
    private final int threads;
    private final Shape shape;
    private final Port port;
    private final List<Context> contexts = new ArrayList<>();
    private final List<GidEntry> gids = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final Arrivals arrivals;
    private int threadDomains;
    private int protectionDomains;
    private int completionQueues;
    private int queuePairs;
    private boolean threadDomainsMissing;

    /**
     * Makes them.
     *
     * @param category how resources are shared
     * @param threads that get a lane each
     * @param shape of each thread's
     * @param port whose
     */
    Endpoints(Category category, int threads, Shape shape, Port port) {
        this.category = category;
        this.threads = threads;
        this.shape = shape;
        this.port = port;
        this.arrivals = new Arrivals(threads);
        try {
            make();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void make() {
        if (category.sharesQueuePair()) {
            makeShared();
            return;
        }
        ProtectionDomain common = category.hasContextPerThread() ? null : openDomain();
        for (int thread = 0; thread < threads; thread++) {
            ProtectionDomain domain = common != null ? common : openDomain();
            for (int set = 0; set < category.setsPerUsed(); set++) {
                Lane lane = lane(thread, domain);
                if (set == 0) {
                    lanes.add(lane);
                }
            }
        }
    }

    private ProtectionDomain openDomain() {
        Context context = port.open();
        contexts.add(context);
        gids.add(port.gid(context));
        protectionDomains++;
        return context.allocateProtectionDomain();
    }

    private Lane lane(int thread, ProtectionDomain domain) {
        ProtectionDomain owner = category.wantsThreadDomains() ? parentDomain(domain) : domain;
        CompletionQueue queue = completionQueue(1);
        QueuePair[] pairs = pairs(owner, queue, 1);
        return new Lane(thread, domain, pairs, queue, shape.depth(), null, arrivals);
    }

    /** With a thread domain, and spacers behind it; without one where the device has none. */
    private ProtectionDomain parentDomain(ProtectionDomain domain) {
        if (threadDomainsMissing) {
            return domain;
        }
        Context context = contexts.getLast();
        try {
            ParentDomain parent = domain.createParentDomain(context.allocateThreadDomain());
            threadDomains++;
            for (int spacer = 1; spacer < category.threadDomainsPerSet(); spacer++) {
                ThreadDomain unused = context.allocateThreadDomain();
                threadDomains += unused == null ? 0 : 1;
            }
            return parent;
        } catch (VerbsException e) {
            if (e.errno() != EOPNOTSUPP) {
                throw e;
            }
            threadDomainsMissing = true;
            return domain;
        }
    }

    private void makeShared() {
        ProtectionDomain domain = openDomain();
        CompletionQueue queue = completionQueue(threads);
        QueuePair[] pairs = pairs(domain, queue, threads);
        SharedQueue shared = new SharedQueue(threads, pairs.length, shape.depth() * threads);
        for (int thread = 0; thread < threads; thread++) {
            lanes.add(new Lane(thread, domain, pairs, queue, shape.depth(), shared, arrivals));
        }
    }

    private CompletionQueue completionQueue(int users) {
        completionQueues++;
        // A queue pair in error completes everything that was posted.
        return contexts.getLast()
                .createCompletionQueue(shape.queuePairs() * users * (shape.depth() + shape.receives()));
    }

    private QueuePair[] pairs(ProtectionDomain domain, CompletionQueue queue, int users) {
        QueuePair[] pairs = new QueuePair[shape.queuePairs()];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = domain.createQueuePair(QueuePair.options(QpType.RC, queue, queue)
                    .send(shape.depth() * users, 1)
                    .receive(Math.max(1, shape.receives() * users), 1)
                    .inline(shape.inline()));
            queuePairs++;
        }
        return pairs;
    }

    Category category() {
        return category;
    }

    int threads() {
        return threads;
    }

    Lane lane(int thread) {
        return lanes.get(thread);
    }

    GidEntry gid(int thread) {
        return gids.get(Math.min(thread, gids.size() - 1));
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** The queue pairs that are used, each once. */
    int distinctLanes() {
        return category.sharesQueuePair() ? 1 : threads;
    }

    /** Whether the category wants thread domains and the device has none. */
    boolean threadDomainsMissing() {
        return threadDomainsMissing;
    }

    /**
     * Counts.
     *
     * @param memoryRegions what the threads registered
     * @param registeredBytes the bytes of it
     */
    Resources resources(int memoryRegions, long registeredBytes) {
        return new Resources(
                contexts.size(),
                protectionDomains,
                threadDomains,
                completionQueues,
                queuePairs,
                memoryRegions,
                registeredBytes);
    }

    @Override
    public void close() {
        contexts.reversed().forEach(Context::close);
    }
}
