package io.dxnet.transport.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The send lock of a connection: one word that a thread holds while it sends from the connection's
 * ring. No thread waits to acquire it: a thread that fails leaves its data to the holder, which
 * checks the ring again after its release. A commit has no fence, so the holder may not find them
 * then: that thread posts an interest as well, unless the agent will send.
 *
 * <p>Sealing ends sending for good: no thread acquires the lock afterwards. Of all calls of
 * {@link #seal} and {@link #release}, exactly one returns true: after it, no thread uses the ring.
 *
 * <pre>
 *   +------+  tryAcquire: true   +------+
 *   | FREE | ------------------&gt; | HELD |
 *   |      | &lt;------------------ |      |
 *   +------+   release: false    +------+
 *      |                            |
 *      | seal: true                 | seal: false
 *      v                            v
 *   +--------+  release: true    +---------------+
 *   | SEALED | &lt;---------------- | HELD | SEALED |
 *   +--------+                   +---------------+
 *
 *   bit 0: HELD, written by the holder     bit 1: SEALED, set by any thread, never cleared
 * </pre>
 *
 * <p>Memory order: each operation is a volatile access.
 *
 * <p>{@link #tryAcquire}, {@link #seal} and the queries: any thread. {@link #release}: the holder.
 */
public final class SendLock {
    private static final int HELD = 1;
    private static final int SEALED = 2;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(SendLock.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int word; // HELD: the holder; SEALED: any thread

    /** Creates a free lock. */
    public SendLock() {}

    /**
     * Acquires the lock if it is free.
     *
     * @return false where another thread holds it, or it is sealed
     */
    public boolean tryAcquire() {
        // Read first: a thread that fails leaves the cache line with the holder.
        return (int) WORD.getVolatile(this) == 0 && WORD.compareAndSet(this, 0, HELD);
    }

    /**
     * Releases the lock. The holder, which then has to check the ring again.
     *
     * @return whether it was sealed meanwhile: the calling thread was the last one to use the ring
     */
    public boolean release() {
        return ((int) WORD.getAndBitwiseAnd(this, ~HELD) & SEALED) != 0;
    }

    /**
     * Ends sending: no thread acquires the lock afterwards, a holder keeps it until its release.
     * Never waits; further calls do nothing.
     *
     * @return whether no thread uses the ring any more, once; false where a holder's
     *     {@link #release} will report that
     */
    public boolean seal() {
        return (int) WORD.getAndBitwiseOr(this, SEALED) == 0;
    }

    /**
     * Waits, after {@link #seal}, until no thread holds the lock: for the time of one call to the
     * system or of one copy.
     */
    public void awaitRelease() {
        while (isHeld()) {
            Thread.yield();
        }
    }

    /**
     * Returns whether a thread holds the lock: a snapshot.
     *
     * @return false where none does
     */
    public boolean isHeld() {
        return (word & HELD) != 0;
    }

    /**
     * Returns whether sending has ended.
     *
     * @return true after {@link #seal}
     */
    public boolean isSealed() {
        return (word & SEALED) != 0;
    }
}
