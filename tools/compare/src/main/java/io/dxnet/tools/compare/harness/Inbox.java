package io.dxnet.tools.compare.harness;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the server side received in a round: counts, and where it
 * verifies, which message of which thread. Thread safe.
 */
public final class Inbox {
    private final Workload workload;
    private final boolean ordered;
    private final List<Tap> taps = new CopyOnWriteArrayList<>();
    private final Stream[] streams;
    private final AtomicLong corrupted = new AtomicLong();

    /**
     * Creates an empty inbox.
     *
     * @param workload what is sent
     * @param ordered whether messages of one thread must come in their order
     */
    Inbox(Workload workload, boolean ordered) {
        this.workload = workload;
        this.ordered = ordered;
        this.streams = new Stream[workload.verify() ? workload.threads() : 0];
        for (int i = 0; i < streams.length; i++) {
            streams[i] = new Stream();
        }
    }

    /**
     * What came of one sending thread. Guarded by itself: the
     * thread on which messages come is the peer's choice.
     */
    private static final class Stream {
        private final BitSet seen = new BitSet();
        private long last = -1;
        private long duplicated;
        private long reordered;
    }

    /**
     * A place for one receiving thread to put its messages.
     *
     * @return used by one thread at a time
     */
    public Tap tap() {
        Tap tap = new Tap(this, workload);
        taps.add(tap);
        return tap;
    }

    /** Messages received so far, good and bad. */
    long received() {
        long sum = 0;
        for (Tap tap : taps) {
            sum += tap.count();
        }
        return sum;
    }

    /** A message of another size, which is counted but not checked. */
    void wrongSize() {
        corrupted.incrementAndGet();
    }

    /** Checks a payload. */
    void check(byte[] payload) {
        long thread = Payload.thread(payload);
        long sequence = Payload.sequence(payload);
        boolean known = thread >= 0 && thread < streams.length && sequence >= 0 && sequence < Integer.MAX_VALUE;
        if (!known || !Payload.intact(payload)) {
            corrupted.incrementAndGet();
            return;
        }
        Stream stream = streams[(int) thread];
        synchronized (stream) {
            if (stream.seen.get((int) sequence)) {
                stream.duplicated++;
                return;
            }
            stream.seen.set((int) sequence);
            if (ordered && sequence < stream.last) {
                stream.reordered++;
            }
            stream.last = Math.max(stream.last, sequence);
        }
    }

    /**
     * Returns the faults of the round, when no more messages arrive.
     *
     * @param sent by each thread
     */
    Faults faults(long[] sent) {
        if (streams.length == 0) {
            long missing = -received();
            for (long each : sent) {
                missing += each;
            }
            return new Faults(Math.max(0, missing), Math.max(0, -missing), 0, corrupted.get());
        }
        Faults sum = new Faults(0, 0, 0, corrupted.get());
        for (int i = 0; i < streams.length; i++) {
            Stream stream = streams[i];
            synchronized (stream) {
                long lost = Math.max(0, sent[i] - stream.seen.cardinality());
                sum = sum.plus(new Faults(lost, stream.duplicated, stream.reordered, 0));
            }
        }
        return sum;
    }
}
