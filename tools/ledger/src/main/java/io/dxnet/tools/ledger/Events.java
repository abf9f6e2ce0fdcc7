package io.dxnet.tools.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The random events of a round. Kind, time and node follow from the seed; events
 * at a node that is being ended or is stopped are left out. One thread; nodes
 * are ended and restarted by threads of their own, which takes time.
 */
final class Events {
    private static final int SLOW_MS_MAX = 20;
    private static final int SLOW_FOR_MS_MAX = 2_000;
    private static final int AWAY_MS_MAX = 500;
    /** Some stops are longer than the nodes' send timeout. */
    private static final int[] STOP_FOR_MS_MAX = {200, 1_000, 1_000, 8_000};

    private final Round round;
    private final int nodes;
    private final Random random;
    private final Set<EventKind> kinds;
    private final Strangers strangers;
    private final LinkFaults link;
    private final int stepMsMax;
    private final Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
    private final Restarts restarts;
    private final Timers slowness;
    private final Timers stops;
    private final Timers faults; // index 0: one time for all links

    /**
     * {@code link} may be null where no such events are wanted;
     * {@code stepMsMax} is the longest time between two steps.
     */
    Events(Round round, int nodes, long seed, Set<EventKind> kinds, LinkFaults link, int stepMsMax) {
        this.round = round;
        this.nodes = nodes;
        this.random = new Random(seed);
        this.kinds = kinds.isEmpty() ? kinds : EnumSet.copyOf(kinds);
        this.strangers = new Strangers(new Random(seed + 1));
        this.link = link;
        this.stepMsMax = stepMsMax;
        this.restarts = new Restarts(nodes);
        this.slowness = new Timers(nodes, node -> round.host(node).slow(0));
        this.stops = new Timers(nodes, this::resume);
        this.faults = new Timers(1, any -> endFault());
    }

    /** What happened how often. */
    Map<EventKind, Long> counts() {
        return counts;
    }

    /** Lets things happen until then, and puts everything back. */
    void run(long untilNs) throws Exception {
        while (System.nanoTime() - untilNs < 0) {
            TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(stepMsMax));
            endWhatIsOver(false);
            EventKind kind = choose();
            int node = random.nextInt(nodes);
            if (kind != null && kinds.contains(kind) && !stops.isSet(node) && !restarts.isBusy(node)) {
                counts.merge(kind, 1L, Long::sum);
                happen(kind, node);
            }
        }
        endWhatIsOver(true);
        restarts.await();
    }

    private void endWhatIsOver(boolean all) {
        stops.end(all);
        slowness.end(all);
        faults.end(all);
        strangers.leave(all);
    }

    /** Of 1,000 steps. */
    private EventKind choose() {
        int choice = random.nextInt(1_000);
        if (choice < 500) {
            return EventKind.DISCONNECT;
        }
        return switch (choice / 10) {
            case 50 -> EventKind.RESTART;
            case 51 -> EventKind.MOVE;
            case 52 -> EventKind.KILL;
            case 53 -> EventKind.STOP;
            case 54, 55 -> EventKind.SLOW;
            case 56, 57 -> EventKind.GARBAGE;
            case 58, 59 -> EventKind.HALF_OPEN;
            case 60 -> EventKind.LINK_FAULT;
            default -> null;
        };
    }

    private int other(int node) {
        int other = random.nextInt(nodes - 1);
        return other < node ? other : other + 1;
    }

    private void happen(EventKind kind, int node) throws Exception {
        switch (kind) {
            case DISCONNECT -> round.host(node).disconnect(other(node));
            case RESTART -> {
                slowness.cancel(node);
                restarts.run(node, () -> {
                    round.close(node);
                    round.restart(node);
                });
            }
            case MOVE -> {
                slowness.cancel(node);
                restarts.run(node, () -> {
                    round.close(node);
                    round.move(node);
                    round.restart(node);
                });
            }
            case KILL -> {
                slowness.cancel(node);
                int awayMs = random.nextInt(AWAY_MS_MAX);
                restarts.run(node, () -> {
                    round.kill(node);
                    TimeUnit.MILLISECONDS.sleep(awayMs);
                    round.restart(node);
                });
            }
            case STOP -> {
                round.beginOutage(node);
                round.host(node).pause();
                stops.set(node, random.nextInt(STOP_FOR_MS_MAX[random.nextInt(STOP_FOR_MS_MAX.length)]));
            }
            case SLOW -> {
                round.host(node).slow(1 + random.nextInt(SLOW_MS_MAX));
                slowness.set(node, random.nextInt(SLOW_FOR_MS_MAX));
            }
            case GARBAGE -> strangers.garbage(round.address(node));
            case HALF_OPEN -> strangers.halfOpen(round.address(node));
            case LINK_FAULT -> beginFault();
        }
    }

    private void resume(int node) {
        round.host(node).resume();
        round.endOutage(node);
    }

    private void beginFault() throws IOException {
        for (int node = 0; node < nodes; node++) {
            round.beginOutage(node);
        }
        faults.set(0, random.nextInt(link.begin()));
    }

    private void endFault() {
        try {
            link.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int node = 0; node < nodes; node++) {
            round.endOutage(node);
        }
    }
}
