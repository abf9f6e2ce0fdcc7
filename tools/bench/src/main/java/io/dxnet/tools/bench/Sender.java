package io.dxnet.tools.bench;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;

/** One sending thread's work in a round. Which kind of message it sends is the subclass's. */
abstract class Sender implements Runnable {
    final DXNet net;
    final RoundSpec spec;
    final int thread;
    final int own;
    /** Indices of the receivers. */
    final int[] destinations;

    private final Round round;
    private final Counter sent = new Counter();
    /** By destination. Written by this thread, read by others after its end. */
    private final long[] sentTo;

    Sender(Round round, int thread) {
        this.round = round;
        this.net = round.net();
        this.spec = round.spec();
        this.thread = thread;
        this.own = round.own();
        this.destinations = spec.pattern().destinations(own, spec.ids().length);
        this.sentTo = new long[destinations.length];
    }

    static Sender create(Round round, int thread) {
        if (round.spec().pattern().accessesMemory()) {
            return MemorySender.create(round, thread);
        }
        if (round.spec().pattern().roundTrips()) {
            return new RequestSender(round, thread);
        }
        if (round.spec().verify()) {
            return new VerifiedSender(round, thread);
        }
        return round.spec().api() == Api.RECORDS ? new SampleSender(round, thread) : new StreamSender(round, thread);
    }

    /** Sends one message; with the round-trip pattern, waits for its response. */
    abstract void send(int destinationIndex, int destinationId, long sequence) throws DXNetException;

    /** Ends what {@link #send} has left. */
    void finish() throws DXNetException {}

    @Override
    public final void run() {
        try {
            if (round.awaitStart()) {
                loop();
                finish();
            }
        } catch (DXNetException | RuntimeException e) {
            round.errors().onError("node " + net.nodeId() + ", sending thread " + thread, e);
        } finally {
            round.senderEnded();
        }
    }

    private void loop() throws DXNetException {
        long share = spec.share(thread);
        long shareBeforeSwitch = spec.pattern() == Pattern.SWITCH ? share / 2 : share;
        int[] ids = spec.ids();
        int to = thread % destinations.length;
        for (long i = 0; i < share && !round.stopped(); i++) {
            if (i >= shareBeforeSwitch || round.switched()) {
                to = 0; // the successor in the ring
            }
            send(to, ids[destinations[to]], sentTo[to]);
            sentTo[to]++;
            sent.increment();
            if (++to == destinations.length) {
                to = 0;
            }
        }
    }

    /** Messages sent so far. Any thread. */
    final long sent() {
        return sent.get();
    }

    /**
     * Messages sent to a receiver, by its place among the
     * destinations. After the end of this thread.
     */
    final long sentTo(int destination) {
        return sentTo[destination];
    }
}
