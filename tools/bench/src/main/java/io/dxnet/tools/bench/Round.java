package io.dxnet.tools.bench;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/**
 * One round at one node: its senders, its checkers, and what is known of the other nodes' sending.
 */
final class Round {
    private static final byte[] NO_BYTES = {};

    private final DXNet net;
    private final RoundSpec spec;
    private final AttachedMemory memory;
    private final int own;
    private final int[] sources;
    private final byte[] payload;
    private final List<Sender> senders = new ArrayList<>();
    /** By source, then by the source's thread; empty unless verified. */
    private final StreamChecker[][] checkers;

    private final Errors errors;
    private final CountDownLatch start = new CountDownLatch(1);
    /** The messages that each source reports as sent, by its threads. Guarded by this. */
    private final Map<Integer, long[]> announced = new HashMap<>();
    /** Guarded by this. */
    private int sendersRunning;

    private volatile boolean stopped;
    private volatile boolean switched;
    private final Timeline timeline = new Timeline();

    /** Faults of {@link Pattern#ATOMIC}. Guarded by this. */
    private Faults counterFaults = Faults.NONE;

    Round(DXNet net, RoundSpec spec, AttachedMemory memory, Errors errors) {
        this.net = net;
        this.spec = spec;
        this.memory = memory;
        this.errors = errors;
        this.own = spec.index(net.nodeId());
        int nodes = spec.ids().length;
        this.sources = spec.pattern().sources(own, nodes);
        this.payload = spec.verify() ? NO_BYTES : plainPayload(spec.size());
        this.checkers = new StreamChecker[nodes][];
        if (spec.verify() && spec.pattern().isReceived()) {
            for (int source : sources) {
                checkers[source] = checkers(source);
            }
        }
        if (spec.pattern().destinations(own, nodes).length > 0) {
            for (int thread = 0; thread < spec.threads(); thread++) {
                senders.add(Sender.create(this, thread));
            }
        }
        this.sendersRunning = senders.size();
    }

    private static byte[] plainPayload(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    private StreamChecker[] checkers(int source) {
        StreamChecker[] ofSource = new StreamChecker[spec.threads()];
        for (int thread = 0; thread < ofSource.length; thread++) {
            ofSource[thread] = new StreamChecker(
                    Payload.streamKey(spec.ids()[source], spec.ids()[own], thread, spec.number()), spec.checkedBytes());
        }
        return ofSource;
    }

    DXNet net() {
        return net;
    }

    RoundSpec spec() {
        return spec;
    }

    /** This node's index. */
    int own() {
        return own;
    }

    /** The regions that this node accesses. */
    AttachedMemory memory() {
        return memory;
    }

    byte[] payload() {
        return payload;
    }

    Errors errors() {
        return errors;
    }

    /** The stream keys from a thread of this node to each of {@code destinations}. */
    long[] keys(int thread, int[] destinations) {
        return Arrays.stream(destinations)
                .mapToLong(to -> Payload.streamKey(spec.ids()[own], spec.ids()[to], thread, spec.number()))
                .toArray();
    }

    /** Starts the threads of the senders, which wait for {@link #start}. */
    void startThreads() {
        for (int thread = 0; thread < senders.size(); thread++) {
            Thread.ofPlatform()
                    .name("bench-" + net.nodeId() + "-sender-" + thread)
                    .daemon()
                    .start(senders.get(thread));
        }
    }

    void start() {
        start.countDown();
    }

    /** Called by senders: waits until all nodes are ready. */
    boolean awaitStart() {
        try {
            start.await();
            return !stopped;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes the senders end after the message that they are sending. */
    void stop() {
        stopped = true;
        start.countDown();
    }

    boolean stopped() {
        return stopped;
    }

    /** Makes the senders begin the second half of {@link Pattern#SWITCH}. */
    void switchOver() {
        switched = true;
    }

    boolean switched() {
        return switched;
    }

    /** How much was received and when. */
    Timeline timeline() {
        return timeline;
    }

    synchronized void senderEnded() {
        sendersRunning--;
        notifyAll();
    }

    /** A source has sent all. */
    synchronized void announced(int sourceId, long[] sentByThread) {
        announced.put(spec.index(sourceId), sentByThread);
        notifyAll();
    }

    synchronized boolean sendersEnded() {
        return sendersRunning == 0;
    }

    synchronized boolean allAnnounced() {
        return announced.size() == sources.length;
    }

    /** The messages that the sources report as sent and this node receives. */
    synchronized long expectedMessages() {
        if (!spec.pattern().isReceived()) {
            return 0;
        }
        long sum = 0;
        for (long[] byThread : announced.values()) {
            sum += Arrays.stream(byThread).sum();
        }
        return sum;
    }

    /** Messages sent by this node so far. */
    long sent() {
        long sum = 0;
        for (Sender sender : senders) {
            sum += sender.sent();
        }
        return sum;
    }

    /** What the timeline counts: messages received, or operations that no receiver notices. */
    long processed(long received) {
        return spec.pattern().isReceived() ? received : sent();
    }

    /** Where this node sends, as indices. */
    int[] destinations() {
        return senders.isEmpty() ? new int[0] : senders.getFirst().destinations;
    }

    /**
     * What each thread sent to a receiver, by its place among
     * {@link #destinations}; after the senders' end.
     */
    long[] sentTo(int destination) {
        return senders.stream().mapToLong(sender -> sender.sentTo(destination)).toArray();
    }

    /** Compares counters of {@link Pattern#ATOMIC} with what was sent; after the end of senders. */
    void checkCounters() throws DXNetException {
        if (spec.pattern() != Pattern.ATOMIC) {
            return;
        }
        Faults sum = Faults.NONE;
        for (int i = 0; i < destinations().length; i++) {
            long counted = memory.region(i).fetchAdd(AtomicSender.COUNTER, 0);
            sum = sum.plus(Faults.ofCounts(Arrays.stream(sentTo(i)).sum(), counted));
        }
        synchronized (this) {
            counterFaults = sum;
        }
    }

    /** A notification arrived. */
    void onNotified(int sourceId, long offset, long length, int value) {
        if (spec.verify()) {
            int thread = Slices.of(spec).thread(offset);
            boolean isWhole = length == spec.size();
            onVerified(sourceId, thread, spec.checkedBytes(), Integer.toUnsignedLong(value), 0, isWhole);
        }
    }

    /** A verified message or request arrived. */
    void onVerified(int sourceId, int thread, int size, long sequence, long key, boolean intact) {
        int source = spec.index(sourceId);
        if (source < 0 || checkers[source] == null || thread >= checkers[source].length) {
            errors.add("node " + net.nodeId() + " got a message of node " + sourceId + ", thread " + thread
                    + ", that no node sent in this round");
            return;
        }
        checkers[source][thread].onMessage(size, sequence, key, intact);
    }

    /** What was lost, duplicated, reordered and corrupted on the way to this node. */
    synchronized Faults faults(long received) {
        Faults sum = counterFaults;
        if (!spec.verify()) {
            return sum.plus(Faults.ofCounts(expectedMessages(), received));
        }
        for (int source = 0; source < checkers.length; source++) {
            if (checkers[source] == null) {
                continue;
            }
            long[] sent = announced.get(source);
            for (int thread = 0; thread < checkers[source].length; thread++) {
                StreamChecker checker = checkers[source][thread];
                sum = sum.plus(checker.faults(sent == null ? checker.received() : sent[thread]));
            }
        }
        for (Sender sender : senders) {
            if (sender instanceof TimedSender timed) {
                sum = sum.plus(new Faults(0, 0, 0, timed.corrupted()));
            }
        }
        return sum;
    }

    /** The encoded round-trip times of all senders, or nothing. */
    byte[] histogram() {
        Histogram all = null;
        for (Sender sender : senders) {
            if (sender instanceof TimedSender timed) {
                if (all == null) {
                    all = new Histogram(timed.times());
                }
                all.add(timed.times());
            }
        }
        if (all == null) {
            return NO_BYTES;
        }
        ByteBuffer buffer = ByteBuffer.allocate(all.getNeededByteBufferCapacity());
        int length = all.encodeIntoByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }
}
