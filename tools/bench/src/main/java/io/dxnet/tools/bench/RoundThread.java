package io.dxnet.tools.bench;

import io.dxnet.DXNetException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Runs a round at one node. It stops the senders when the time is over, reports
 * to the receivers how much was sent, and waits until all that was sent to this
 * node is processed. Every wait ends when the round makes no progress.
 */
final class RoundThread implements Runnable {
    /** How often progress is reported, and how late a missing notification is noticed. */
    private static final long TICK_NS = 100_000_000;
    /** The time between two checks for the end of receiving. */
    private static final long LOOK_AGAIN_NS = 50_000;

    private final Round round;
    private final RoundSpec spec;
    private final BenchNode node;
    private final LongSupplier received;
    private long startNs;
    private long movedNs;
    private long moved = -1;
    private long reportedNs;

    RoundThread(BenchNode node, Round round, LongSupplier received) {
        this.node = node;
        this.round = round;
        this.spec = round.spec();
        this.received = received;
    }

    @Override
    public void run() {
        try {
            if (!round.awaitStart()) {
                return;
            }
            startNs = System.nanoTime();
            movedNs = startNs;
            reportedNs = startNs;
            if (awaitSenders()) {
                round.checkCounters();
                announce();
            }
            awaitReceived();
        } catch (InterruptedException e) {
            round.errors().add("node " + round.net().nodeId() + " was interrupted in round " + spec.number());
        } catch (DXNetException | RuntimeException e) {
            round.errors().onError("node " + round.net().nodeId() + " in round " + spec.number(), e);
        } finally {
            round.stop();
            node.roundEnded(round);
        }
    }

    private boolean awaitSenders() throws InterruptedException {
        while (!round.sendersEnded()) {
            long now = System.nanoTime();
            long tick = spec.sampled() ? Timeline.SAMPLE_NS : TICK_NS;
            if (spec.durationNs() > 0) {
                long left = startNs + spec.durationNs() - now;
                if (left <= 0) {
                    round.stop();
                } else {
                    tick = Math.min(tick, left);
                }
                if (left <= spec.durationNs() / 2) {
                    round.switchOver();
                }
            }
            if (stalled(now)) {
                round.stop();
                round.errors()
                        .add("node " + round.net().nodeId() + " stopped after " + round.sent()
                                + " messages: its senders made no progress for " + spec.stallNs() / 1_000_000_000
                                + " s");
                return false;
            }
            await(tick);
        }
        return true;
    }

    private void announce() {
        int[] destinations = round.destinations();
        for (int i = 0; i < destinations.length; i++) {
            int id = spec.ids()[destinations[i]];
            node.send(new Note(id, Note.Kind.SENT, spec.number(), round.sentTo(i)));
        }
    }

    private void awaitReceived() throws InterruptedException {
        while (!round.allAnnounced()) {
            if (stalled(System.nanoTime())) {
                round.errors()
                        .add("node " + round.net().nodeId() + " stopped waiting: "
                                + "not all nodes reported how much they had sent to it; it got "
                                + received.getAsLong());
                return;
            }
            await(TICK_NS);
        }
        long expected = round.expectedMessages();
        while (received.getAsLong() < expected) {
            if (stalled(System.nanoTime())) {
                return; // the faults show what is missing
            }
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
    }

    private void await(long ns) throws InterruptedException {
        synchronized (round) {
            boolean nothingToWaitFor = round.sendersEnded() && round.allAnnounced();
            if (!nothingToWaitFor) {
                round.wait(ns / 1_000_000, (int) (ns % 1_000_000));
            }
        }
    }

    /**
     * Records and reports the progress since the last call;
     * returns whether there was none for too long.
     */
    private boolean stalled(long now) {
        long sent = round.sent();
        long processed = received.getAsLong();
        if (spec.sampled()) {
            round.timeline().add(now - startNs, round.processed(processed));
        }
        if (sent + processed != moved) {
            moved = sent + processed;
            movedNs = now;
        }
        if (now - reportedNs >= TICK_NS) {
            reportedNs = now;
            node.toCoordinator(Note.Kind.PROGRESS, spec.number(), sent, processed);
        }
        return now - movedNs > spec.stallNs();
    }

    /** For messages of errors. */
    @Override
    public String toString() {
        return "round " + spec.number() + " of " + Arrays.toString(spec.ids());
    }
}
