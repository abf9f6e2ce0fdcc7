package io.dxnet.transport.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An operation that a test waits for, and that counts how often it was completed. */
final class TestOperation extends MemoryOperation {
    static final long LONG_MS = Cluster.seconds(30).toMillis();

    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger completions = new AtomicInteger();
    private Runnable then = () -> {};
    private boolean isAwaited = true;
    private volatile long previous;
    private volatile Outcome outcome;
    private volatile Cause cause;
    private volatile String detail;

    private TestOperation(
            Kind kind, long offset, MemorySegment local, long length, long value, long expected, boolean f, long ms) {
        super(kind, offset, local, length, value, expected, f, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms));
    }

    static TestOperation read(long offset, MemorySegment local) {
        return read(offset, local, LONG_MS);
    }

    static TestOperation read(long offset, MemorySegment local, long ms) {
        return new TestOperation(Kind.READ, offset, local, local.byteSize(), 0, 0, false, ms);
    }

    static TestOperation write(long offset, MemorySegment local) {
        return write(offset, local, LONG_MS);
    }

    static TestOperation write(long offset, MemorySegment local, long ms) {
        return new TestOperation(Kind.WRITE, offset, local, local.byteSize(), 0, 0, false, ms);
    }

    static TestOperation notification(long offset, long length, int value, long ms) {
        return new TestOperation(Kind.NOTIFY, offset, MemorySegment.NULL, length, value, 0, false, ms);
    }

    static TestOperation fetchAdd(long offset, long value) {
        return new TestOperation(Kind.FETCH_ADD, offset, MemorySegment.NULL, 8, value, 0, false, LONG_MS);
    }

    static TestOperation compareAndSwap(long offset, long expected, long value) {
        return new TestOperation(Kind.COMPARE_AND_SWAP, offset, MemorySegment.NULL, 8, value, expected, false, LONG_MS);
    }

    /** What is called on the thread that completes it; before it is posted. */
    TestOperation then(Runnable called) {
        then = called;
        return this;
    }

    /** Its end may be noticed late; before it is posted. */
    TestOperation notAwaited() {
        isAwaited = false;
        return this;
    }

    @Override
    public boolean isAwaited() {
        return isAwaited;
    }

    TestOperation fenced() {
        return new TestOperation(kind(), offset(), local(), length(), value(), expected(), true, LONG_MS);
    }

    @Override
    public void done(long value) {
        previous = value;
        completions.incrementAndGet();
        ended.countDown();
        then.run();
    }

    @Override
    public void failed(Outcome how, Cause why, String words) {
        outcome = how;
        cause = why;
        detail = words;
        completions.incrementAndGet();
        ended.countDown();
        then.run();
    }

    private void await() {
        try {
            assertThat(ended.await(60, TimeUnit.SECONDS))
                    .as("%s at %s is completed", kind(), offset())
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return whether it was completed by now} */
    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    boolean isDone() {
        await();
        return cause == null;
    }

    /** Waits until it succeeds, and returns what an atomic found. */
    long get() {
        await();
        assertThat(cause).as("%s of %s bytes: %s", kind(), length(), detail).isNull();
        return previous;
    }

    Cause cause() {
        await();
        assertThat(cause).as("cause of the failure").isNotNull();
        return cause;
    }

    Outcome outcome() {
        await();
        return outcome;
    }

    String detail() {
        await();
        return detail;
    }

    int completions() {
        await();
        return completions.get();
    }

    boolean isEnded() {
        return completions.get() > 0;
    }
}
