package io.dxnet.runtime.send;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.JfrEvents;
import org.jspecify.annotations.Nullable;

/**
 * One episode of a thread's waiting for room in a connection, bounded by the
 * time without any progress.
 */
final class SendWait {
    @SuppressWarnings("NullAway.Init") // by begin()
    private PeerConnection connection;

    private JfrEvents.@Nullable BackPressure event;
    private long progressMark;
    private long progressNs;
    private int step;
    private int steps;
    private boolean gated;

    void begin(PeerConnection waitedFor, int firstStep) {
        connection = waitedFor;
        event = JfrEvents.backPressure();
        progressMark = waitedFor.ring().progressMark();
        progressNs = System.nanoTime();
        step = firstStep;
        steps = 0;
    }

    /** The thread holds the connection's gate. */
    void gated() {
        gated = true;
    }

    @SuppressWarnings("NullAway") // not read before the next begin()
    void end() {
        if (gated) {
            gated = false;
            connection.gate().unlock();
        }
        JfrEvents.end(event, connection.nodeId());
        event = null;
        connection = null;
    }

    PeerConnection connection() {
        return connection;
    }

    int nextStep() {
        steps++;
        return step++;
    }

    /** Steps since the beginning. */
    int steps() {
        return steps;
    }

    void restart(int firstStep) {
        steps++;
        step = firstStep;
    }

    /**
     * {@return how long neither the device nor the other node has confirmed anything, nanoseconds}
     */
    long nsWithoutProgress() {
        long now = System.nanoTime();
        long mark = connection.ring().progressMark();
        if (mark != progressMark) {
            progressMark = mark;
            progressNs = now;
        }
        return now - progressNs;
    }
}
