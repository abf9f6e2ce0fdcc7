package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * Random operations of all nodes on the memory of all others, blocking, asynchronous and in chains,
 * while owners revoke and connections end; each operation is booked:
 *
 * <ul>
 *   <li>a counter's value is the number of additions that were done, and of at most all those of
 *       unknown outcome besides; no two that were done have found the same value;
 *   <li>what a writer reads from its slot, and what is there at the end, is what it wrote last, or
 *       a write of unknown outcome;
 *   <li>a record is never torn, and none that is read is older than one whose write was done;
 *   <li>each notification comes at most once, in the order of its writer, and finds its bytes; each
 *       of a write that was done comes, where its region is not closed before;
 *   <li>nothing changes after a region is closed, and nothing beside a region ever.
 * </ul>
 */
final class MemoryLedger {
    static final int COUNTERS = 32;
    static final int THREADS = 2; // of each node
    static final int SLOT_LONGS = 200;
    static final int RECORD_LONGS = 130;

    /** Of the time, at the end: nothing is closed, so that each notification must come. */
    private static final int CALM_PART = 8;

    final int nodes;
    final long seed;
    final LongFunction<MemorySegment> shared;
    final AtomicLong operations = new AtomicLong();
    final AtomicLong unknowns = new AtomicLong();
    final AtomicLong revocations = new AtomicLong();

    private final Cluster cluster;
    private final MemoryLedgerOwner[] owners;
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean calm;
    private volatile boolean stopped;

    MemoryLedger(Cluster cluster, int nodes, long seed, LongFunction<MemorySegment> shared) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.seed = seed;
        this.shared = shared;
        this.owners = new MemoryLedgerOwner[nodes];
    }

    DXNet node(int id) {
        return cluster.node(id);
    }

    MemoryLedgerOwner owner(int id) {
        return owners[id];
    }

    /** {@return whether no region is to be closed any more, and no connection} */
    boolean isCalm() {
        return calm || isOver();
    }

    boolean isOver() {
        return stopped || !failures.isEmpty();
    }

    void failed(Throwable failure) {
        failures.add(failure);
    }

    /** Runs for a time, then checks the books. */
    void run(long seconds) throws Exception {
        for (int i = 0; i < nodes; i++) {
            owners[i] = new MemoryLedgerOwner(this, i);
            owners[i].share();
        }
        List<MemoryLedgerWorker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < THREADS; j++) {
                MemoryLedgerWorker worker = new MemoryLedgerWorker(this, i, i * THREADS + j);
                workers.add(worker);
                threads.add(start(worker::run));
            }
            threads.add(start(owners[i]::disturb));
        }
        long beginNs = System.nanoTime();
        long ns = seconds * 1_000_000_000L;
        await(beginNs + ns - ns / CALM_PART);
        calm = true;
        await(beginNs + ns);
        stopped = true;
        for (Thread each : threads) {
            each.join();
        }
        assertThat(failures).as("seed %d", seed).isEmpty();
        for (MemoryLedgerOwner each : owners) {
            Cluster.await("the notifications of node " + each.node(), each::isNotifiedOfAll);
            each.close();
            each.check();
            workers.forEach(worker -> worker.checkSlot(each));
        }
        assertThat(failures).as("of the last notifications, seed %d", seed).isEmpty();
        assertThat(operations).hasPositiveValue();
        System.getLogger(MemoryLedger.class.getName())
                .log(
                        System.Logger.Level.INFO,
                        "seed {0}: {1} operations, {2} of unknown outcome, {3} revocations: the books add up",
                        seed,
                        operations,
                        unknowns,
                        revocations);
    }

    private void await(long deadlineNs) {
        while (System.nanoTime() - deadlineNs < 0 && failures.isEmpty()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private Thread start(Body body) {
        return Thread.ofPlatform().start(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                failed(e);
            }
        });
    }

    private interface Body {
        void run() throws Exception;
    }
}
