package io.dxnet.tools.ledger.node;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NetClosedException;
import io.dxnet.Rejection;
import io.dxnet.tools.ledger.book.Books;
import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Outcome;
import io.dxnet.tools.ledger.book.Rule;
import io.dxnet.tools.ledger.book.Stream;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The callbacks of a node. They book what arrives, answer requests, and sometimes send messages
 * themselves, as do the connection listener and the dependents of futures. What they send follows
 * from what arrived, and causes nothing further.
 */
final class Inbox implements ConnectionListener {
    private static final int FORWARD_ONE_OF = 64;
    private static final int LARGE_ANSWER_ONE_OF = 128;
    private static final int LARGE_ANSWER_BYTES = 60_000;

    private final DXNet net;
    private final NodeSpec spec;
    private final Books books;
    private final Post post;
    private final Lanes lanes;
    private final Switches switches;
    private final int firstReactiveLane;

    /** Lanes below {@code firstReactiveLane} are those of the traffic's own threads. */
    Inbox(DXNet net, NodeSpec spec, Books books, Post post, Lanes lanes, Switches switches, int firstReactiveLane) {
        this.net = net;
        this.spec = spec;
        this.books = books;
        this.post = post;
        this.lanes = lanes;
        this.switches = switches;
        this.firstReactiveLane = firstReactiveLane;
    }

    void register() {
        for (Kind kind : new Kind[] {Kind.ORDERED, Kind.REUSED, Kind.LOOSE}) {
            net.register(Types.DATA, kind.ordinal(), (DataMessage message) -> onData(message));
        }
        net.register(Types.DATA, Kind.REQUEST.ordinal(), (BookedRequest request) -> onRequest(request));
        for (int run = 0; run < Stream.RUNS_OF_EMPTY; run++) {
            for (int lane = 0; lane < Stream.LANES_MAX; lane++) {
                net.register(Types.empty(run), lane, (EmptyMessage message) -> onEmpty(message));
            }
        }
        net.addConnectionListener(this);
    }

    // ---------------------------------------------------------------- callbacks

    private void onData(DataMessage message) {
        Payload payload = message.payload;
        boolean isIntact = check(payload, message.kind);
        if (!isIntact) {
            return;
        }
        long word = payload.word();
        handle(word, () -> react(word));
        if (payload.word() != word) {
            books.events()
                    .breach(
                            Rule.DAMAGED,
                            message.kind + " " + Stream.sequence(word) + " became " + Stream.sequence(payload.word())
                                    + " during its callback");
        }
    }

    /** Books a callback, from its begin to its end. */
    private void handle(long word, Runnable work) {
        long record = books.handled().handled(word, System.nanoTime());
        try {
            beSlow();
            work.run();
        } finally {
            books.handled().returned(record, System.nanoTime());
        }
    }

    private void onEmpty(EmptyMessage message) {
        handle(
                Stream.word(Kind.EMPTY, Types.runOfEmpty(message.type()), message.subtype(), message.source()),
                () -> {});
    }

    /** A record. */
    void onValue(BookedValue value) {
        if (value.isIntactAt(spec.node())) {
            handle(value.word(), () -> {});
        } else {
            books.events()
                    .breach(
                            Rule.DAMAGED,
                            "a record with " + value.content().length + " bytes, run " + Stream.run(value.word())
                                    + ", number " + Stream.sequence(value.word()));
        }
    }

    private void onRequest(BookedRequest request) {
        if (check(request.payload, Kind.REQUEST)) {
            handle(request.payload.word(), () -> answer(request));
        }
    }

    private void answer(BookedRequest request) {
        int hash = hash(request.payload.word());
        int bytes = hash % LARGE_ANSWER_ONE_OF == 0 ? LARGE_ANSWER_BYTES : Payload.BYTES_MIN + hash % 200;
        long beginNs = System.nanoTime();
        try {
            net.sendMessage(new BookedResponse(request, bytes));
        } catch (DXNetException | NetClosedException e) {
            // No violation: the request fails, which its node books.
            int ms = (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
            books.events().unsent(request.source(), answerTo(request.payload.word()), ms, Traces.line(e));
        } catch (RuntimeException e) {
            books.events().breach(Rule.UNDOCUMENTED, "response to node " + request.source() + ": " + Traces.of(e));
        }
    }

    private static String answerTo(long word) {
        return "response to " + Kind.REQUEST + " " + Stream.sequence(word) + " of lane " + Stream.lane(word)
                + " of run " + Stream.run(word);
    }

    private boolean check(Payload payload, Kind kind) {
        if (!payload.isIntactAt(spec.node()) || Stream.kind(payload.word()) != kind) {
            books.events()
                    .breach(
                            Rule.DAMAGED,
                            kind + " of " + payload.bytes() + " bytes, run " + Stream.run(payload.word()) + ", lane "
                                    + Stream.lane(payload.word()) + ", number " + Stream.sequence(payload.word()));
            return false;
        }
        return true;
    }

    private void beSlow() {
        int ms = switches.slowMs;
        if (ms > 0) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // --------------------------------------------- messages of callbacks, dependents and listeners

    private static int hash(long word) {
        return (int) (word * 0x9e3779b97f4a7c15L >>> 33);
    }

    private void react(long word) {
        int hash = hash(word);
        if (switches.stopped
                || !spec.has(SenderKind.CALLBACK)
                || Stream.lane(word) >= firstReactiveLane
                || hash % FORWARD_ONE_OF != 0) {
            return;
        }
        int to = other(hash / FORWARD_ONE_OF);
        if (hash / FORWARD_ONE_OF % 4 == 0) {
            post.requestAsync(lanes.shared(), to, Payload.BYTES_MIN + hash % 200, dependent());
        } else {
            send(to, Payload.BYTES_MIN + hash % 200);
        }
    }

    /** A dependent that sends a message now and then. */
    BiConsumer<Integer, Outcome> dependent() {
        return (to, outcome) -> {
            if (!switches.stopped
                    && spec.has(SenderKind.DEPENDENT)
                    && outcome == Outcome.ANSWERED
                    && hash(System.nanoTime()) % 4 == 0) {
                send(to, Payload.BYTES_MIN + 1);
            }
        };
    }

    private void send(int to, int bytes) {
        Lane lane = lanes.ofThread();
        if (lanes.isShared(lane) || !lane.enter()) {
            post.message(lanes.shared(), to, Kind.LOOSE, bytes);
            return;
        }
        try {
            post.message(lane, to, Kind.ORDERED, bytes);
        } finally {
            lane.leave();
        }
    }

    private int other(int hash) {
        int other = hash % (spec.nodes() - 1);
        return other < spec.node() ? other : other + 1;
    }

    @Override
    public void connected(int nodeId) {
        books.events().connected(nodeId);
        if (!switches.stopped && spec.has(SenderKind.LISTENER) && nodeId < spec.nodes() && nodeId != spec.node()) {
            send(nodeId, Payload.BYTES_MIN + 2);
        }
    }

    @Override
    public void disconnected(int nodeId, Disconnect cause) {
        books.events().ended(nodeId, cause);
    }

    @Override
    public void rejected(Rejection rejection) {
        books.events().rejected(rejection);
    }
}
