package io.dxnet.tools.ledger;

import io.dxnet.tools.bench.nodes.NodeMaps;
import io.dxnet.tools.ledger.book.Checker;
import io.dxnet.tools.ledger.book.Findings;
import io.dxnet.tools.ledger.book.NodeRun;
import io.dxnet.tools.ledger.book.Outages;
import io.dxnet.tools.ledger.book.Rule;
import io.dxnet.tools.ledger.book.Tally;
import io.dxnet.tools.ledger.node.NodeSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The nodes of one round: starts them, ends and restarts them, and in the end has their books
 * checked. Several threads may end and restart nodes, one thread each node.
 */
final class Round {
    /** The time in which a restarted node's peers may still get reports about its previous run. */
    private static final long RECOVERY_NS = TimeUnit.SECONDS.toNanos(3);

    private final Host.Starter starter;
    private final int nodes;
    private final long seed;
    private final LedgerOptions options;
    private final Path directory;
    private final long beginNs = System.nanoTime();
    private final List<String> addresses;
    private final List<Host> hosts = new CopyOnWriteArrayList<>(); // by node
    private final List<Host> past = new CopyOnWriteArrayList<>();
    private final List<NodeRun> runs =
            new CopyOnWriteArrayList<>(); // by run; of those that run, as if they were closed
    private final Outages outages = new Outages();

    Round(Host.Starter starter, LedgerOptions options, long seed, Path directory) throws Exception {
        this.starter = starter;
        this.nodes = options.nodes();
        this.seed = seed;
        this.options = options;
        this.directory = directory;
        this.addresses = new CopyOnWriteArrayList<>(NodeMaps.addresses(nodes, options.hosts()));
        startAll();
        hosts.forEach(Host::startTraffic);
    }

    /** Starts all nodes at the same time: each may be a process that starts slowly. */
    private void startAll() throws Exception {
        List<FutureTask<Host>> starts = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            NodeSpec spec = nextRun(node);
            FutureTask<Host> start = new FutureTask<>(() -> starter.start(spec, addresses));
            starts.add(start);
            Thread.ofPlatform().name("ledger-control").start(start);
        }
        for (FutureTask<Host> start : starts) {
            hosts.add(start.get());
        }
    }

    private synchronized NodeSpec nextRun(int node) {
        int run = runs.size();
        runs.add(new NodeRun(run, node, NodeRun.Ending.CLOSED));
        return options.spec(node, run, seed, directory);
    }

    Host host(int node) {
        return hosts.get(node);
    }

    String address(int node) {
        return addresses.get(node);
    }

    /** From now on the node is not healthy. */
    void beginOutage(int node) {
        outages.begin(node, System.nanoTime());
    }

    /** From now on the node is healthy; its peers may learn of its past for some time. */
    void endOutage(int node) {
        outages.end(node, System.nanoTime() + RECOVERY_NS);
    }

    /** Closes a node, whatever it is doing. */
    void close(int node) {
        beginOutage(node);
        hosts.get(node).close();
    }

    /** Kills a node's process. */
    void kill(int node) {
        beginOutage(node);
        Host host = hosts.get(node);
        runs.set(host.spec().run(), new NodeRun(host.spec().run(), node, NodeRun.Ending.KILLED));
        host.kill();
    }

    /** Starts a node that was closed or killed. */
    void restart(int node) throws Exception {
        past.add(hosts.get(node));
        Host host = starter.start(nextRun(node), addresses);
        hosts.set(node, host);
        for (int other = 0; other < nodes; other++) {
            if (other != node) {
                host.moved(other, addresses.get(other)); // it may have moved meanwhile
            }
        }
        host.startTraffic();
        endOutage(node);
    }

    /**
     * Chooses a new port for a node that does not run, and passes its address to the other nodes.
     */
    void move(int node) throws Exception {
        addresses.set(node, NodeMaps.addresses(1, List.of(options.host(node))).getFirst());
        for (int other = 0; other < nodes; other++) {
            if (other != node) {
                hosts.get(other).moved(node, addresses.get(node));
            }
        }
    }

    /** Ends traffic and nodes: all that was sent is handled or reported. */
    void end() throws Exception {
        all(Host::stopTraffic);
        for (int node = 0; node < nodes; node++) {
            beginOutage(node);
        }
        all(Host::close);
    }

    /** Of all nodes at the same time; fails as the first that fails, after all. */
    private void all(Consumer<Host> action) throws Exception {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (Host host : hosts) {
            FutureTask<Void> task = new FutureTask<>(() -> action.accept(host), null);
            tasks.add(task);
            Thread.ofPlatform().name("ledger-control").start(task);
        }
        ExecutionException failure = null;
        for (FutureTask<Void> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** What a process that ended by itself did not book is not held against it once more. */
    private void checkEnd(Host host, Findings findings) {
        if (host.failure() != null) {
            int run = host.spec().run();
            findings.add(Rule.PROCESS_DIED, host.failure());
            runs.set(run, new NodeRun(run, host.spec().node(), NodeRun.Ending.KILLED));
        }
    }

    /** Checks the books; no node runs. */
    Tally check(boolean orderly, Findings findings) {
        hosts.forEach(host -> checkEnd(host, findings));
        past.forEach(host -> checkEnd(host, findings));
        Tally tally = new Checker(directory, runs, nodes, outages, orderly, beginNs, options.reportSlackNs(), findings)
                .check();
        if (tally.handled() == 0) {
            findings.add(Rule.IDLE, tally.sent() + " messages were sent, and none was handled");
        }
        past.forEach(Host::discard);
        hosts.forEach(Host::discard);
        return tally;
    }
}
