package io.dxnet.tools.ledger;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares many virtual threads, each with a request, with
 * platform threads that make as many requests together.
 */
@Command(
        name = "ledger virtual",
        mixinStandardHelpOptions = true,
        description = {
            "Virtual threads that make one request each need at most --bound times the time per request of platform threads",
            "that share as many requests, and no virtual thread is pinned. Both nodes are in this process. All threads are",
            "started and released at once; the time is from the release to the end of the last thread.",
            "Pinned is a thread that waits and keeps its carrier (JFR's jdk.VirtualThreadPinned, without threshold): on JDK 24",
            "and later in native frames only, on 22 and 23 also in synchronized blocks.",
            "Exits with 1 where the bound is exceeded, a thread was pinned or a request failed."
        })
final class VirtualCommand implements Callable<Integer> {
    private static final int OWN = 0;
    private static final int PEER = 1;
    private static final int WARM_UPS = 2;

    @Mixin
    private ConfigOptions options;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "100000",
            description = "virtual threads; default ${DEFAULT-VALUE}")
    private int threads;

    @Option(
            names = "--platform",
            paramLabel = "N",
            defaultValue = "1000",
            description = "platform threads, at most --threads; default ${DEFAULT-VALUE}")
    private int platform;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "5",
            description = "measurements of each, in turn, of which the medians count; default ${DEFAULT-VALUE}")
    private int times;

    @Option(
            names = "--bound",
            paramLabel = "N",
            defaultValue = "2",
            description = "the most time of a virtual thread's request, in requests of a platform thread; "
                    + "default ${DEFAULT-VALUE}")
    private double bound;

    private final PinnedThreads pinned = new PinnedThreads();

    @Override
    public Integer call() throws Exception {
        if (platform < 1 || threads < platform || times < 1) {
            throw new IllegalArgumentException("--times and --platform are at least 1, --threads at least --platform");
        }
        DXNetConfig config = options.config(builder -> builder.requestTimeoutMs(60_000));
        List<String> addresses = LocalHost.addresses(2);
        try (DXNet _ = SmallMessages.open(config, LocalHost.map(PEER, addresses));
                DXNet net = SmallMessages.open(config, LocalHost.map(OWN, addresses))) {
            SmallMessages.ask(net, PEER, Duration.ofMillis(config.requestTimeoutMs())); // connects
            System.out.printf("requests by virtual and platform threads, %s%n%s%n", options.wire(), net.describe());
            Volley virtual = new Volley(net, PEER, Thread.ofVirtual().factory(), threads, 1);
            Volley shared = new Volley(net, PEER, Thread.ofPlatform().factory(), platform, threads / platform);
            return compare(virtual, shared) ? 0 : 1;
        }
    }

    private boolean compare(Volley virtual, Volley shared) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            virtual.run();
            shared.run();
        }
        Times ofVirtual = new Times();
        Times ofShared = new Times();
        for (int i = 0; i < times; i++) {
            ofVirtual.add(pinned.during(virtual::run));
            ofShared.add(shared.run());
        }
        double ratio = ofVirtual.median() / ofShared.median();
        System.out.printf("time per request, µs, ascending%n");
        System.out.printf("  virtual:  %s: %s%n", virtual, ofVirtual);
        System.out.printf("  platform: %s: %s%n", shared, ofShared);
        System.out.printf("  ratio of the medians: %.2f, bound %.2f%n", ratio, bound);
        System.out.printf("  virtual threads pinned: %d%n", pinned.count());
        if (pinned.count() > 0) {
            System.out.println(pinned.first());
        }
        boolean answered = isAnswered("virtual", virtual) & isAnswered("platform", shared);
        return ratio <= bound && pinned.count() == 0 && answered;
    }

    private static boolean isAnswered(String kind, Volley volley) {
        System.out.printf("  %s threads that a failure has ended: %d%n", kind, volley.failures());
        if (volley.failures() > 0) {
            System.out.println("  the first failure: " + volley.firstFailure());
        }
        return volley.failures() == 0;
    }
}
