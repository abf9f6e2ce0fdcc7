package io.dxnet.tools.compare.harness;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * A closed loop of round trips: the peer sends {@link #payload} when
 * {@link #next} returns true, and passes the echo to {@link #answered}.
 *
 * <pre>{@code
 * while (loop.next()) {
 *     send(loop.payload());
 *     loop.answered(receive());
 * }
 * }</pre>
 *
 * <p>One thread at a time.
 */
public final class PingPong {
    private final boolean verify;
    private final byte[] payload;
    private final byte[] copy;
    private final Histogram times = Times.none();
    private final long warmEndNs;
    private final long endNs;
    private long sequence;
    private long sentNs;
    private long corrupted;

    /**
     * A loop that begins now.
     *
     * @param workload what is sent
     * @param warmupNs how long times are not recorded
     * @param ns how long they are
     */
    PingPong(Workload workload, long warmupNs, long ns) {
        this.verify = workload.verify();
        this.payload = new byte[workload.size()];
        this.copy = new byte[workload.size()];
        Payload.fill(payload, 0, 0);
        this.warmEndNs = System.nanoTime() + warmupNs;
        this.endNs = warmEndNs + ns;
    }

    /** {@return how long to wait for its end, seconds: a minute more than it lasts} */
    public long secondsMax() {
        return (endNs - System.nanoTime()) / 1_000_000_000L + 60;
    }

    /**
     * Begins a round trip.
     *
     * @return whether to send {@link #payload}; false when the time is over
     */
    public boolean next() {
        if (verify) {
            Payload.fill(payload, 0, sequence++);
        }
        sentNs = System.nanoTime();
        return sentNs < endNs;
    }

    /**
     * What to send.
     *
     * @return of the workload's size
     */
    public byte[] payload() {
        return payload;
    }

    /**
     * Returns whether an echo of a length is to be copied to
     * {@link #copy} before it is {@link #answered}.
     *
     * @param length of its payload, bytes
     * @return true when payloads are verified
     */
    public boolean wants(int length) {
        return verify && length == copy.length;
    }

    /**
     * Where to copy the echo.
     *
     * @return of the workload's size
     */
    public byte[] copy() {
        return copy;
    }

    /**
     * Ends a round trip.
     *
     * @param length of the echo, bytes
     */
    public void answered(int length) {
        long now = System.nanoTime();
        if (sentNs >= warmEndNs) {
            times.recordValue(Math.min(now - sentNs, Times.LONGEST_NS));
        }
        if (length != payload.length || verify && !Arrays.equals(copy, payload)) {
            corrupted++;
        }
    }

    Histogram times() {
        return times;
    }

    long corrupted() {
        return corrupted;
    }
}
