package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.tools.verbs.Idle;
import io.dxnet.tools.verbs.Payload;
import io.dxnet.tools.verbs.Port;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The message rate of small RDMA writes (paper, section IV): each thread writes to memory of its
 * own at the other side. One thread drives it.
 */
final class MessageRate implements AutoCloseable {
    private static final int CACHE_LINE = 64;

    /**
     * The benchmark's numbers.
     *
     * @param size of a message, bytes
     * @param depth requests under way of each thread
     * @param postlist requests of a post, where that feature is on
     * @param unsignaled requests of a completion, where that feature is on
     * @param stallSeconds how long a thread may wait for a completion
     */
    record Settings(int size, int depth, int postlist, int unsignaled, int stallSeconds) {
        long stride() {
            return (size + CACHE_LINE - 1L) & -CACHE_LINE;
        }

        Shape shape() {
            return new Shape(1, depth, 0, size);
        }
    }

    /**
     * The outcome of a run.
     *
     * @param messages of all threads
     * @param nanos from the beginning to the last completion
     * @param wrong threads whose last message did not arrive
     *     as it was sent; 0 where that was not checked
     */
    record Outcome(long messages, long nanos, int wrong) {
        double perSecond() {
            return messages * 1e9 / nanos;
        }
    }

    private final Settings settings;
    private final Endpoints endpoints;
    private final Target target;
    private final List<MemoryRegion> sources = new ArrayList<>();

    /**
     * Makes and connects everything.
     *
     * @param settings the numbers
     * @param category how resources are shared
     * @param threads that write
     * @param port this side's
     * @param peer the other side's
     */
    MessageRate(Settings settings, Category category, int threads, Port port, Port peer) {
        this.settings = settings;
        endpoints = new Endpoints(category, threads, settings.shape(), port);
        try {
            target = new Target(peer, endpoints, threads * settings.stride());
            for (int thread = 0; thread < threads; thread++) {
                sources.add(endpoints.lane(thread).domain().allocate(settings.stride(), Access.LOCAL_WRITE));
            }
        } catch (RuntimeException e) {
            endpoints.close();
            throw e;
        }
    }

    boolean threadDomainsMissing() {
        return endpoints.threadDomainsMissing();
    }

    Resources resources() {
        return endpoints.resources(sources.size(), sources.size() * settings.stride());
    }

    /**
     * Writes for a time.
     *
     * @param features that are on
     * @param runNs how long, about
     * @param seed of the payloads, other than that of the run before
     * @param verify whether to check what arrived
     */
    Outcome run(FeatureSet features, long runNs, long seed, boolean verify) {
        List<Writer> writers = new ArrayList<>();
        long before = 0;
        for (int thread = 0; thread < endpoints.threads(); thread++) {
            Payload.fill(sources.get(thread).memory(), 0, settings.size(), seed, thread);
            before += endpoints.lane(thread).posted(0);
            writers.add(new Writer(thread, features));
        }
        long nanos = Team.run(writers, runNs);
        long messages = -before;
        int wrong = 0;
        for (int thread = 0; thread < endpoints.threads(); thread++) {
            messages += endpoints.lane(thread).posted(0);
            long offset = thread * settings.stride();
            if (verify && !Payload.matches(target.memory().memory(), offset, settings.size(), seed, thread)) {
                wrong++;
            }
        }
        return new Outcome(messages, nanos, wrong);
    }

    @Override
    public void close() {
        endpoints.close();
        target.close();
    }

    /** One thread: fills its part of the send queue, polls, fills it again. */
    private final class Writer implements Team.Member {
        private final Lane lane;
        private final MemoryRegion source;
        private final long targetAddress;
        private final boolean inline;
        private final int postlist;
        private final int signalEvery;
        private final SendChain chain;

        Writer(int thread, FeatureSet features) {
            lane = endpoints.lane(thread);
            source = sources.get(thread);
            targetAddress = target.memory().address() + thread * settings.stride();
            inline = features.inline();
            postlist = features.postlist() ? settings.postlist() : 1;
            signalEvery = features.unsignaled() ? settings.unsignaled() : 1;
            chain = new SendChain(postlist, 1, settings.size());
        }

        @Override
        public void run(AtomicBoolean stop) {
            Idle idle = new Idle("message rate", Duration.ofSeconds(settings.stallSeconds()), endpoints.threads());
            chain.clear();
            // At least once, also where the time is over before this thread got a processor.
            do {
                boolean moved = false;
                while (post(postlist) && !stop.get()) {
                    moved = true;
                }
                idle.step(moved | lane.poll());
            } while (!stop.get());
            // What is under way without a completion in sight needs one behind it.
            chain.clear();
            while (lane.posted(0) % signalEvery != 0) {
                idle.step(post(1) | lane.poll());
            }
            lane.awaitAll(0, idle);
        }

        /** Posts a chain; one for which there was no room is posted as it is the next time. */
        private boolean post(int count) {
            if (chain.size() == 0) {
                for (int i = 0; i < count; i++) {
                    append(i);
                }
            }
            if (!lane.post(0, chain)) {
                return false;
            }
            chain.clear();
            return true;
        }

        private void append(int ahead) {
            long id = lane.id(0, ahead);
            chain.write(id, targetAddress, target.memory().remoteKey());
            if (inline) {
                chain.inline(source.memory(), 0, settings.size());
            } else {
                chain.sge(source, 0, settings.size());
            }
            if ((lane.posted(0) + ahead + 1) % signalEvery == 0) {
                chain.signaled();
            }
        }
    }
}
