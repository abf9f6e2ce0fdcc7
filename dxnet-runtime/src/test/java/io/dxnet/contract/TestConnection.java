package io.dxnet.contract;

import io.dxnet.transport.Connection;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection of a transport without an engine: a test posts steps and signals,
 * and sees the signals that arrive.
 */
public abstract class TestConnection extends Connection {
    /** Steps of flow control to be sent. */
    public final AtomicInteger steps = new AtomicInteger();

    /** Signals to be sent. */
    public final AtomicInteger signals = new AtomicInteger();

    /** Signals that the other node sent. */
    public final AtomicInteger signalsReceived = new AtomicInteger();

    protected TestConnection(int nodeId, OutgoingRingBuffer ring) {
        super(nodeId, ring);
    }

    @Override
    public final int takeFlowControl(int max) {
        int before = steps.getAndUpdate(all -> all - Math.min(all, max));
        return Math.min(before, max);
    }

    @Override
    public final void returnFlowControl(int count) {
        steps.addAndGet(count);
    }

    @Override
    public int takeSignals() {
        return signals.getAndSet(0);
    }

    @Override
    public final void returnSignals(int set) {
        signals.accumulateAndGet(set, (a, b) -> a | b);
    }

    @Override
    public void signalsReceived(int set) {
        signalsReceived.accumulateAndGet(set, (a, b) -> a | b);
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
