package io.dxnet.tools.ledger.node;

import io.dxnet.tools.ledger.book.EventBook;
import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Outcome;
import io.dxnet.tools.ledger.book.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The sending threads of a node. */
final class Traffic {
    private static final SenderKind[] KINDS = {
        SenderKind.THREAD, SenderKind.THREAD, SenderKind.VIRTUAL, SenderKind.SPAWNED
    };

    /** The threads of a node, and so the first lanes. */
    static final int THREADS = KINDS.length;

    private static final int IN_FLIGHT_MAX = 256;
    private static final int BARRIERS_MAX = 16;

    /** One message of so many fails. */
    private static final int FAILING = 2_000;

    /** Not to spin where a node is away. */
    private static final long RETRY_MS = 5;

    private final NodeSpec spec;
    private final Post post;
    private final Inbox inbox;
    private final Lanes lanes;
    private final Switches switches;
    private final EventBook events;
    private final List<Thread> threads = new ArrayList<>();

    Traffic(NodeSpec spec, Post post, Inbox inbox, Lanes lanes, Switches switches, EventBook events) {
        this.spec = spec;
        this.post = post;
        this.inbox = inbox;
        this.lanes = lanes;
        this.switches = switches;
        this.events = events;
    }

    void start(List<Lane> own) {
        for (int i = 0; i < THREADS; i++) {
            SenderKind kind = KINDS[i];
            if (!spec.has(kind)) {
                continue;
            }
            Dice dice = new Dice(spec.seed() * 1_000_003 + (long) spec.run() * THREADS + i, spec.node(), spec.nodes());
            Lane lane = own.get(i);
            Burst burst = kind == SenderKind.SPAWNED ? this::spawn : die -> burst(lane, die);
            Runnable work = () -> run(dice, burst);
            Thread.Builder builder = kind == SenderKind.VIRTUAL ? Thread.ofVirtual() : Thread.ofPlatform();
            threads.add(builder.name("ledger-" + spec.node() + "-" + i).start(work));
        }
    }

    /** One burst; returns the number of messages, or less than 0 when the node is closed. */
    private interface Burst {
        int send(Dice dice) throws InterruptedException;
    }

    private void run(Dice dice, Burst burst) {
        long beginNs = System.nanoTime();
        long sent = 0;
        try {
            while (!switches.stopped) {
                int messages = burst.send(dice);
                if (messages < 0) {
                    return;
                }
                sent += messages;
                pace(beginNs, sent);
            }
        } catch (InterruptedException e) {
            events.breach(Rule.THREAD_DIED, Thread.currentThread().getName() + " was interrupted");
        } catch (Throwable e) {
            events.breach(Rule.THREAD_DIED, Thread.currentThread().getName() + ": " + Traces.of(e));
        }
    }

    private void pace(long beginNs, long sent) throws InterruptedException {
        if (spec.rate() > 0) {
            long dueNs = beginNs + sent * THREADS * TimeUnit.SECONDS.toNanos(1) / spec.rate();
            long waitNs = dueNs - System.nanoTime();
            if (waitNs > 0) {
                TimeUnit.NANOSECONDS.sleep(waitNs);
            }
        }
    }

    private int burst(Lane lane, Dice dice) throws InterruptedException {
        int to = dice.receiver();
        if (dice.oneOf(8)) {
            return requests(lane, to, dice);
        }
        int messages = dice.burst();
        for (int i = 0; i < messages && !switches.stopped; i++) {
            if (dice.oneOf(FAILING)) {
                post.failing(lane, to, dice.smallBytes());
            }
            Kind kind = dice.kind();
            Outcome outcome =
                    kind == Kind.VALUE ? value(lane, to, dice) : post.message(lane, to, kind, dice.bytes(kind));
            if (outcome == Outcome.NET_CLOSED) {
                return -1;
            }
            if (outcome == Outcome.UNREACHABLE) {
                TimeUnit.MILLISECONDS.sleep(RETRY_MS);
                return i + 1;
            }
        }
        if (dice.oneOf(16) && post.barriers() < BARRIERS_MAX) {
            post.whenHandled(to);
        }
        return messages;
    }

    /** A small record may be sent without waiting, or after waiting for room. */
    private Outcome value(Lane lane, int to, Dice dice) throws InterruptedException {
        if (dice.oneOf(2)) {
            return post.value(lane, to, dice.bytes());
        }
        Outcome outcome = post.tryValue(lane, to, dice.smallBytes());
        if (outcome == Outcome.REFUSED && dice.oneOf(2)) {
            post.awaitWritable(to);
            return post.tryValue(lane, to, dice.smallBytes());
        }
        return outcome;
    }

    private int requests(Lane lane, int to, Dice dice) throws InterruptedException {
        if (dice.oneOf(2)) {
            return post.requestSync(lane, to, dice.bytes()) == Outcome.NET_CLOSED ? -1 : 1;
        }
        int requests = 1 + dice.below(8);
        for (int i = 0; i < requests; i++) {
            while (post.inFlight() >= IN_FLIGHT_MAX && !switches.stopped) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            post.requestAsync(lane, to, dice.bytes(), inbox.dependent());
        }
        return requests;
    }

    /** A virtual thread for each message; they overtake each other, so nothing of it is ordered. */
    private int spawn(Dice dice) throws InterruptedException {
        List<Thread> spawned = new ArrayList<>();
        Set<Outcome> outcomes = ConcurrentHashMap.newKeySet();
        int messages = dice.burst();
        int to = dice.receiver();
        for (int i = 0; i < messages; i++) {
            int bytes = dice.bytes();
            boolean request = dice.oneOf(8);
            spawned.add(Thread.ofVirtual().start(() -> {
                Outcome outcome = request
                        ? post.requestSync(lanes.shared(), to, bytes)
                        : post.message(lanes.shared(), to, Kind.LOOSE, bytes);
                outcomes.add(outcome);
            }));
        }
        for (Thread thread : spawned) {
            thread.join();
        }
        if (outcomes.contains(Outcome.UNREACHABLE)) {
            TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        }
        return outcomes.contains(Outcome.NET_CLOSED) ? -1 : messages;
    }

    /**
     * Waits for the threads, which end when {@link Switches#stopped} is
     * set; returns those that do not.
     */
    List<Thread> join(long timeoutMs) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        List<Thread> hanging = new ArrayList<>();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime())))) {
                hanging.add(thread);
            }
        }
        return hanging;
    }
}
