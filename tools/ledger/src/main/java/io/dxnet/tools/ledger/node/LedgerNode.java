package io.dxnet.tools.ledger.node;

import io.dxnet.DXNet;
import io.dxnet.DXNetBuilder;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Handler;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.Statistics;
import io.dxnet.tools.ledger.book.Books;
import io.dxnet.tools.ledger.book.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One run of a node: DXNet, its callbacks, its sending threads and its books.
 * Its methods are the controller's.
 */
public final class LedgerNode {
    private static final long STEP_MS = 20;
    private static final long GONE_MS = 5_000;

    private final NodeSpec spec;
    private final Books books;
    private final DXNet net;
    private final Deadlines deadlines;
    private final Switches switches = new Switches();
    private final Lanes lanes;
    private final List<Lane> own = new ArrayList<>();
    private final Post post;
    private final Traffic traffic;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor(); // of odd nodes
    private Set<String> threadsAtStart = Set.of();

    /**
     * Starts a node without traffic.
     *
     * @param spec what it is
     * @param config its error handler is replaced
     * @param map where the nodes are
     */
    public LedgerNode(NodeSpec spec, DXNetConfig config, NodeMap map) {
        this.spec = spec;
        this.books = Books.create(spec.directory(), spec.run());
        this.deadlines = new Deadlines(config, books.events());
        this.lanes = new Lanes(spec.nodes());
        for (int i = 0; i < Traffic.THREADS; i++) {
            own.add(lanes.next());
        }
        AtomicReference<Post> posts = new AtomicReference<>();
        AtomicReference<Inbox> inboxes = new AtomicReference<>();
        DXNetBuilder builder = DXNet.builder(map)
                .config(config.toBuilder().errorHandler(this::onError).build());
        Handler<BookedValue> onValue = (value, from) -> inboxes.get().onValue(value);
        this.net = (spec.node() % 2 == 0
                        ? builder.on(Types.VALUE, onValue)
                        : builder.on(Types.VALUE, onValue, executor))
                .registering(created -> {
                    posts.set(new Post(created, spec.run(), books, deadlines));
                    inboxes.set(new Inbox(created, spec, books, posts.get(), lanes, switches, Traffic.THREADS));
                    inboxes.get().register();
                    Types.register(created);
                })
                .start();
        this.post = posts.get();
        this.traffic = new Traffic(spec, post, inboxes.get(), lanes, switches, books.events());
    }

    private void onError(String what, Throwable error) {
        if (!(error instanceof DXNetException || error instanceof NetClosedException)) {
            books.events().breach(Rule.ERROR, what + ": " + Traces.of(error));
        }
    }

    /** Starts the traffic. */
    public void startTraffic() {
        threadsAtStart = engineThreads();
        traffic.start(own);
    }

    /** Ends the traffic; its calls and futures end within their bounds, or it is a violation. */
    public void stopTraffic() {
        switches.stopped = true;
        switches.slowMs = 0;
        long boundMs = 2 * deadlines.requestMs(Payload.BYTES_MAX);
        try {
            for (Thread hanging : traffic.join(boundMs)) {
                books.events().breach(Rule.OVERDUE, hanging.getName() + " does not end: " + Traces.ofAll());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!isSoon(() -> post.inFlight() == 0, boundMs)) {
            books.events().breach(Rule.OVERDUE, post.inFlight() + " futures never completed");
        }
    }

    /**
     * Lets each callback sleep.
     *
     * @param ms milliseconds, 0 for none
     */
    public void slow(int ms) {
        switches.slowMs = ms;
    }

    /**
     * Ends the connection to a node, if there is one.
     *
     * @param peer the node
     */
    public void disconnect(int peer) {
        Deadlines.Start start = deadlines.start();
        net.disconnectNode(peer);
        deadlines.check(start, 0, "disconnectNode(" + peer + ")");
    }

    /**
     * Changes the node map.
     *
     * @param peer the node
     * @param address its new address
     */
    public void moved(int peer, String address) {
        net.nodeMap().put(peer, address);
    }

    /** Closes the node, whether there is traffic or not, and checks that nothing of it is left. */
    public void close() {
        checkThreads();
        Deadlines.Start start = deadlines.start();
        net.close();
        deadlines.check(start, deadlines.closeMs(), "close()");
        stopTraffic();
        if (!isSoon(() -> post.barriers() == 0, GONE_MS)) {
            books.events().breach(Rule.OVERDUE, post.barriers() + " calls of whenHandled never completed");
        }
        executor.shutdown();
        if (!isSoon(executor::isTerminated, GONE_MS)) {
            books.events().breach(Rule.LEAKED, "handlers of an executor run after close(): " + Traces.ofAll());
        }
        checkGone();
        deadlines.close();
    }

    /**
     * Books that something was not given back.
     *
     * @param what it is
     */
    public void leaked(String what) {
        books.events().breach(Rule.LEAKED, what);
    }

    /**
     * Ends the mapping of the books: to be called when no thread of the node can write any more.
     */
    public void closeBooks() {
        books.close();
    }

    /** Not those that end when they have had nothing to do for some time. */
    private Set<String> engineThreads() {
        String prefix = "dxnet-" + spec.node() + "-";
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix)
                        && !name.startsWith(prefix + "connect")
                        && !name.startsWith(prefix + "completer"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void checkThreads() {
        Set<String> died = new TreeSet<>(threadsAtStart);
        died.removeAll(engineThreads());
        if (!died.isEmpty()) {
            books.events().breach(Rule.THREAD_DIED, String.join(", ", died));
        }
    }

    private void checkGone() {
        String prefix = "dxnet-" + spec.node() + "-";
        if (!isSoon(() -> threads(prefix).isEmpty(), GONE_MS)) {
            books.events().breach(Rule.LEAKED, "threads after close(): " + threads(prefix) + "; " + Traces.ofAll());
        }
        Statistics after = net.statistics();
        if (after.buffersInUse() != 0 || after.requestsOutstanding() != 0) {
            books.events()
                    .breach(
                            Rule.LEAKED,
                            after.buffersInUse() + " buffers in use and " + after.requestsOutstanding()
                                    + " requests outstanding after close()");
        }
    }

    /** Waits for it, for a time counted in steps: one in which the process stands still is one. */
    private static boolean isSoon(BooleanSupplier done, long boundMs) {
        try {
            for (long waitedMs = 0; !done.getAsBoolean() && waitedMs < boundMs; waitedMs += STEP_MS) {
                TimeUnit.MILLISECONDS.sleep(STEP_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return done.getAsBoolean();
    }

    private static String threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
