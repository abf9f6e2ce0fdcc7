package io.dxnet.tools.ledger.node;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.ledger.book.EventBook;
import io.dxnet.tools.ledger.book.Rule;
import java.util.concurrent.TimeUnit;

/**
 * Computes the bounds of calls, and reports a call that exceeds its
 * bound. Time in which the process was stopped does not count.
 */
final class Deadlines implements AutoCloseable {
    /** For a machine that is busy with other things. */
    private static final long SLACK_MS = 10_000;

    /** The slowest rate of a large message that makes progress all the time. */
    private static final long BYTES_PER_MS = 500;

    private final PauseMeter pauses = new PauseMeter();
    private final DXNetConfig config;
    private final EventBook events;

    Deadlines(DXNetConfig config, EventBook events) {
        this.config = config;
        this.events = events;
    }

    /** The begin of a call. */
    record Start(long atNs, long pausedNs) {
        /** Whole milliseconds since. */
        int elapsedMs() {
            return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - atNs);
        }
    }

    Start start() {
        return new Start(System.nanoTime(), pauses.pausedNs());
    }

    /**
     * The longest time of {@code sendMessage}: connect, wait for
     * the connection before, wait for ring or window.
     */
    long sendMs(int bytes) {
        return (long) config.connectTimeoutMs()
                + config.closeTimeoutMs()
                + config.sendTimeoutMs()
                + bytes / BYTES_PER_MS;
    }

    /** The longest time of a request. */
    long requestMs(int bytes) {
        return sendMs(bytes) + config.requestTimeoutMs();
    }

    /**
     * The longest time of {@code close}: the connections' ends, a
     * second, and while callbacks return as much again.
     */
    long closeMs() {
        return 2L * config.closeTimeoutMs() + 1000;
    }

    /** Milliseconds since the start; reports them where they are too many. */
    int check(Start start, long boundMs, Object what) {
        long elapsedNs = System.nanoTime() - start.atNs();
        long ms = TimeUnit.NANOSECONDS.toMillis(elapsedNs);
        if (ms > boundMs + SLACK_MS
                && TimeUnit.NANOSECONDS.toMillis(elapsedNs - (pauses.pausedNs() - start.pausedNs()))
                        > boundMs + SLACK_MS) {
            events.breach(Rule.OVERDUE, what + " took " + ms + " ms, bound " + boundMs + " ms");
        }
        return (int) ms;
    }

    @Override
    public void close() {
        pauses.close();
    }
}
