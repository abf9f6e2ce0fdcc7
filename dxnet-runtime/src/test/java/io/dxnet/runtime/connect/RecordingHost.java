package io.dxnet.runtime.connect;

import io.dxnet.Disconnect;
import io.dxnet.runtime.peer.PeerConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Attempts to open streams stay under way; time proceeds where a test lets it. */
final class RecordingHost implements ConnectionManager.Host {
    long nowNs;
    final List<PeerConnection> opening = new ArrayList<>();
    int pollFailures; // of the next polls
    int openFailures; // of the next attempts
    int connectedFailures; // of the next reports
    int disconnectedFailures; // of the next reports
    final List<String> reports = new ArrayList<>();
    int retired;
    boolean timeFails;
    int disconnected;
    private final List<BooleanSupplier> polled = new ArrayList<>();

    /** One turn of the control thread. */
    void control() {
        List<BooleanSupplier> steps = List.copyOf(polled);
        for (BooleanSupplier step : steps) {
            if (step.getAsBoolean()) {
                polled.remove(step);
            }
        }
    }

    @Override
    public long nanoTime() {
        if (timeFails) {
            throw new InternalError("the test wants it");
        }
        return nowNs;
    }

    @Override
    public int tick() {
        return 0;
    }

    @Override
    public void used() {}

    @Override
    public void connected(int nodeId) {
        if (connectedFailures > 0) {
            connectedFailures--;
            throw new FullHeap();
        }
        reports.add("connected");
    }

    @Override
    public void disconnected(int nodeId, Disconnect cause) {
        if (disconnectedFailures > 0) {
            disconnectedFailures--;
            throw new FullHeap();
        }
        reports.add("disconnected: " + cause.detail());
        disconnected++;
    }

    @Override
    public void poll(BooleanSupplier step) {
        if (pollFailures > 0) {
            pollFailures--;
            throw new FullHeap();
        }
        polled.add(step);
    }

    @Override
    public void open(PeerConnection connection) {
        if (openFailures > 0) {
            openFailures--;
            throw new FullHeap();
        }
        opening.add(connection);
    }

    @Override
    public void retire(PeerConnection connection, RingMemory memory) {
        retired++;
    }
}
