package io.dxnet.transport.nio;

import io.dxnet.contract.TestConnection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection of {@link FakeNode}: sends a stream whose bytes follow from their position, and
 * verifies every byte of the other side's. Its ring's memory is freed when the transport releases
 * it, so that a later access fails.
 */
final class FakeConnection extends TestConnection {
    private final FakeNode node;
    private final Arena arena;
    private final long sendSeed;
    private final long receiveSeed;
    private final long threshold;
    private final AtomicLong unconfirmed = new AtomicLong();
    private long sent; // the producing thread
    private volatile long received; // the agent
    private volatile long corruptAt = -1; // the agent
    final AtomicLong fcReceived = new AtomicLong();
    final AtomicInteger releasedCount = new AtomicInteger();
    final CountDownLatch released = new CountDownLatch(1);
    final CountDownLatch lost = new CountDownLatch(1);
    final AtomicInteger lostCount = new AtomicInteger();
    final CountDownLatch ready = new CountDownLatch(1);
    volatile String lostDetail;
    volatile long incarnation;
    volatile boolean freeOnRelease = true;

    static FakeConnection create(FakeNode node, int peer) {
        Arena arena = Arena.ofShared();
        return new FakeConnection(node, peer, arena);
    }

    private FakeConnection(FakeNode node, int peer, Arena arena) {
        super(
                peer,
                new OutgoingRingBuffer(
                        arena.allocate(node.config().ringBytes(), 64),
                        1024,
                        node.config().flowControlWindowBytes()));
        this.node = node;
        this.arena = arena;
        this.sendSeed = seed(node.nodeId(), peer);
        this.receiveSeed = seed(peer, node.nodeId());
        this.threshold =
                (long) node.config().flowControlWindowBytes() * node.config().flowControlThresholdPercent() / 100;
    }

    private static long seed(int from, int to) {
        return from * 65536L + to + 1;
    }

    static byte expected(long seed, long position) {
        long z = (position >>> 3) * 0x9E3779B97F4A7C15L + seed * 0xBF58476D1CE4E5B9L;
        z ^= z >>> 29;
        return (byte) (z >>> ((position & 7) * 8));
    }

    /** Writes the next bytes of the stream into the ring; one thread. */
    boolean trySend(int bytes) {
        long claim = ring().tryClaim(bytes, Window.OBSERVED);
        if (claim < 0) {
            return false;
        }
        int capacity = ring().capacity();
        int offset = ring().offset(claim);
        for (int i = 0; i < bytes; i++) {
            ring().segment().set(ValueLayout.JAVA_BYTE, (offset + i) & (capacity - 1), expected(sendSeed, sent + i));
        }
        sent += bytes;
        ring().commit(claim, bytes);
        return true;
    }

    long sent() {
        return sent;
    }

    void receive(IncomingBuffer buffer) {
        long at = received;
        for (int i = 0; i < buffer.length(); i++) {
            if (buffer.segment().get(ValueLayout.JAVA_BYTE, i) != expected(receiveSeed, at + i) && corruptAt < 0) {
                corruptAt = at + i;
            }
        }
        received = at + buffer.length();
        processed(buffer.length());
        buffer.giveBack();
    }

    long received() {
        return received;
    }

    long corruptAt() {
        return corruptAt;
    }

    /** Confirms steps that have nothing to do with data. */
    void confirm(int count) {
        returnFlowControl(count);
        node.transport().flowControlPosted(this);
    }

    @Override
    public void flowControlReceived(int steps) {
        fcReceived.addAndGet(steps);
        ring().extendWindow(steps * threshold);
    }

    private void processed(int bytes) {
        long total = unconfirmed.addAndGet(bytes);
        long steps = total / threshold;
        if (steps > 0 && unconfirmed.compareAndSet(total, total - steps * threshold)) {
            confirm((int) steps);
        }
    }

    /** Sends signals to the other node. */
    void signal(int set) {
        returnSignals(set);
        node.transport().flowControlPosted(this);
    }

    @Override
    public void released() {
        if (releasedCount.incrementAndGet() == 1 && freeOnRelease) {
            arena.close();
        }
        released.countDown();
    }

    static boolean await(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
