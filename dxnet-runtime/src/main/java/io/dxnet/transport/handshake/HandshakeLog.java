package io.dxnet.transport.handshake;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the handshakes that failed, and logs them. For each cause it logs at once
 * the first one, then at most one line a second, which has the number of those since.
 * So strangers can't fill a disk with log lines.
 *
 * <p>The acceptor's thread only; {@link #describe} and {@link #count}: any thread.
 */
final class HandshakeLog {
    /** Why a handshake failed. */
    enum Cause {
        NOT_DXNET(Level.WARNING, "not a DXNet handshake"),
        WRONG_VERSION(Level.WARNING, "another protocol version"),
        WRONG_MODE(Level.WARNING, "another mode of security"),
        NOT_PROVED(Level.WARNING, "without the cluster's key"),
        NOT_AUTHENTIC(Level.WARNING, "not authenticated"),
        MISFIT(Level.WARNING, "another cluster, node id, transport or configuration"),
        NOT_ADMITTED(Level.WARNING, "refused by the transport or the engine"),
        /** Two nodes connected to each other at the same time, or a connection has just ended. */
        ORDINARY(Level.DEBUG, "connected already, or ended in order"),
        TOO_MANY(Level.WARNING, "too many handshakes at once"),
        TOO_SLOW(Level.WARNING, "the handshake was not done in time"),
        /** What port scanners and health checks do. */
        HUNG_UP_SILENTLY(Level.DEBUG, "hung up without a byte"),
        HUNG_UP(Level.INFO, "hung up in the handshake"),
        DID_NOT_WAIT(Level.DEBUG, "did not wait for the answer"),
        ACCEPT_FAILED(Level.WARNING, "could not be accepted"),
        INTERNAL_ERROR(Level.ERROR, "internal error");

        private final Level level;
        private final String words;

        Cause(Level level, String words) {
            this.level = level;
            this.words = words;
        }

        /** {@return the cause in general words} */
        String words() {
            return words;
        }

        /** {@return whether it is more than a part of connections beginning and ending in order} */
        boolean isRefusal() {
            return this != ORDINARY && this != DID_NOT_WAIT;
        }
    }

    private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    /** More than this node's own names and the longest reason need. */
    private static final int DETAIL_CHARACTERS_MAX = 2048;

    /** One cause. */
    private static final class Line {
        final AtomicLong count = new AtomicLong();
        long sinceNs = Long.MIN_VALUE; // when the last line was written; MIN_VALUE: never
        long suppressed; // since then
    }

    private final int ownNodeId;
    private final Map<Cause, Line> lines = new EnumMap<>(Cause.class);

    HandshakeLog(int ownNodeId) {
        this.ownNodeId = ownNodeId;
        for (Cause cause : Cause.values()) {
            lines.put(cause, new Line());
        }
    }

    /**
     * Counts a handshake and logs it, unless there was a line of its cause within the last second.
     *
     * @param channel where it came from; null: not known
     * @param detail for this node's log, not for the stranger
     */
    void report(Cause cause, @Nullable SocketChannel channel, String detail, long nowNs) {
        if (admit(cause, nowNs) && LOG.isLoggable(cause.level)) {
            LOG.log(cause.level, line(address(channel), detail));
        }
    }

    /** {@return one line of bounded length, whatever a stranger has written into the detail} */
    String line(String address, String detail) {
        return "node " + ownNodeId + " refused a connection from " + address + ": "
                + Hello.printable(detail, DETAIL_CHARACTERS_MAX);
    }

    /**
     * Counts a handshake.
     *
     * @return whether a line about it may be written now
     */
    boolean admit(Cause cause, long nowNs) {
        Line line = Objects.requireNonNull(lines.get(cause));
        line.count.incrementAndGet();
        if (line.suppressed > 0 || (line.sinceNs != Long.MIN_VALUE && nowNs - line.sinceNs < INTERVAL_NS)) {
            line.suppressed++;
            return false;
        }
        line.sinceNs = nowNs;
        return true;
    }

    /**
     * Logs the number of those that had no line of their own, for each cause whose second is over.
     */
    void flush(long nowNs) {
        lines.forEach((cause, line) -> {
            if (line.suppressed > 0 && nowNs - line.sinceNs >= INTERVAL_NS) {
                long suppressed = line.suppressed;
                line.suppressed = 0;
                line.sinceNs = nowNs;
                if (LOG.isLoggable(cause.level)) {
                    LOG.log(
                            cause.level,
                            "node " + ownNodeId + " refused " + suppressed + " more connections, " + line.count.get()
                                    + " in all: " + cause.words);
                }
            }
        });
    }

    /** The time until {@link #flush} has something to log; {@link Long#MAX_VALUE}: nothing. */
    long untilFlushNs(long nowNs) {
        long waitNs = Long.MAX_VALUE;
        for (Line line : lines.values()) {
            if (line.suppressed > 0) {
                waitNs = Math.min(waitNs, line.sinceNs + INTERVAL_NS - nowNs);
            }
        }
        return waitNs;
    }

    /** {@return how many there were} */
    long count(Cause cause) {
        return Objects.requireNonNull(lines.get(cause)).count.get();
    }

    /** {@return the causes that there were, with their numbers; empty when there were none} */
    String describe() {
        StringBuilder text = new StringBuilder();
        lines.forEach((cause, line) -> {
            if (line.count.get() > 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(line.count.get())
                        .append(" x ")
                        .append(cause.words);
            }
        });
        return text.toString();
    }

    static String address(@Nullable SocketChannel channel) {
        try {
            return channel == null ? "an unknown address" : String.valueOf(channel.getRemoteAddress());
        } catch (IOException e) {
            return "an unknown address";
        }
    }
}
