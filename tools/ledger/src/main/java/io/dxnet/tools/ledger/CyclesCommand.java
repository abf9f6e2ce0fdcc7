package io.dxnet.tools.ledger;

import io.dxnet.DXNet;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Opens and closes nodes and connections again and again, and compares what
 * the process holds early and late.
 */
@Command(
        name = "ledger cycles",
        mixinStandardHelpOptions = true,
        description = {
            "Connections of one node are made and ended again and again: in order by either side, by the close of the peer,",
            "by a reset of the TCP connection (not loopback); then nodes are opened and closed by long-lived threads. What",
            "the process holds at the end must be what it held after the first tenth."
        })
final class CyclesCommand implements Callable<Integer> {
    private static final int OWN = 0;
    private static final int PEER = 1;
    private static final int SENDERS = 4;
    private static final int CYCLES_OF_PEER = 10;
    private static final long HEAP_SLACK_KIB = 2048;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Mixin
    private ConfigOptions options;

    @Option(names = "--connections", defaultValue = "2000", description = "cycles of a connection; default 2000")
    private int connections;

    @Option(names = "--nodes-opened", defaultValue = "300", description = "cycles of a node; default 300")
    private int opened;

    private List<String> addresses;
    private final AtomicInteger failures = new AtomicInteger();
    private int run;

    @Override
    public Integer call() throws Exception {
        addresses = LocalHost.addresses(2);
        try (ExecutorService senders = Executors.newFixedThreadPool(
                SENDERS, Thread.ofPlatform().name("ledger-sender-", 0).factory())) {
            boolean flat = compare("cycles of a connection", connections, this::connectionCycles, senders);
            flat &= compare("cycles of a node", opened, this::nodeCycles, senders);
            return flat ? 0 : 1;
        }
    }

    /** So many cycles. */
    private interface Cycles {
        void run(int count, ExecutorService senders) throws Exception;
    }

    private boolean compare(String what, int count, Cycles cycles, ExecutorService senders) throws Exception {
        int first = Math.max(1, count / 10);
        cycles.run(first, senders);
        Levels before = Levels.now();
        cycles.run(count - first, senders);
        Levels after = Levels.now();
        System.out.println(what + ", after " + first + ": " + before);
        System.out.println(what + ", after " + count + ": " + after);
        String growth = after.growthSince(before);
        if (after.heapKiB() > before.heapKiB() + HEAP_SLACK_KIB) {
            growth += " heap " + before.heapKiB() + " to " + after.heapKiB() + " KiB";
        }
        System.out.println("requests that failed and were repeated: " + failures.getAndSet(0));
        System.out.println(growth.isEmpty() ? "flat" : "NOT FLAT: " + growth);
        return growth.isEmpty();
    }

    private DXNet open(int node) {
        return SmallMessages.open(options.config(1, run++), LocalHost.map(node, addresses));
    }

    // ---------------------------------------------------------------- connections

    private void connectionCycles(int count, ExecutorService senders) throws Exception {
        if (options.isLoopback()) {
            connectionCycles(count, null, addresses.get(PEER));
            return;
        }
        try (ResettingProxy proxy = new ResettingProxy(addresses.get(PEER))) {
            connectionCycles(count, proxy, proxy.address());
        }
    }

    private void connectionCycles(int count, ResettingProxy proxy, String peerAddress) throws Exception {
        try (DXNet net = open(OWN)) {
            net.nodeMap().put(PEER, peerAddress);
            for (int i = 0; i < count; i += CYCLES_OF_PEER) {
                try (DXNet peer = open(PEER)) {
                    for (int k = 0; k < CYCLES_OF_PEER; k++) {
                        failures.addAndGet(SmallMessages.ask(net, PEER, TIMEOUT));
                        end(k, net, peer, proxy);
                    }
                }
                awaitEnd(net);
            }
        }
    }

    /** The last connection of a peer ends with the peer. */
    private static void end(int index, DXNet net, DXNet peer, ResettingProxy proxy) throws InterruptedException {
        if (index == CYCLES_OF_PEER - 1) {
            return;
        }
        if (index % 3 == 0 && proxy != null) {
            proxy.reset();
            awaitEnd(net);
            awaitEnd(peer);
        } else if (index % 3 == 1) {
            net.disconnectNode(PEER);
        } else {
            peer.disconnectNode(OWN);
        }
    }

    private static void awaitEnd(DXNet net) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (!net.statistics().connections().isEmpty()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException("a connection of node " + net.nodeId() + " does not end");
            }
            Thread.sleep(1);
        }
    }

    // ---------------------------------------------------------------- nodes

    /** The same threads send with each node. */
    private void nodeCycles(int count, ExecutorService senders) throws Exception {
        for (int i = 0; i < count; i++) {
            try (DXNet net = open(OWN);
                    DXNet peer = open(PEER)) {
                List<Callable<Object>> calls = Collections.nCopies(SENDERS, () -> {
                    failures.addAndGet(SmallMessages.ask(net, PEER, TIMEOUT));
                    failures.addAndGet(SmallMessages.ask(peer, OWN, TIMEOUT));
                    return null;
                });
                for (var call : senders.invokeAll(calls)) {
                    call.get();
                }
            }
        }
    }
}
