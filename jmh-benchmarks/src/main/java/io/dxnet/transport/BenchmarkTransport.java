package io.dxnet.transport;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.net.InetSocketAddress;
import java.util.List;

/** A transport whose wire accepts all at once, by whichever thread posts a long backlog. */
public final class BenchmarkTransport implements Transport {
    @Override
    public List<Agent> agents() {
        return List.of();
    }

    @Override
    public void start() {}

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs) {}

    @Override
    public void dataPosted(Connection connection) {}

    @Override
    public boolean sendNow(Connection connection) {
        OutgoingRingBuffer ring = connection.ring();
        int bytes = ring.readable();
        ring.post(bytes);
        ring.confirm(bytes);
        return bytes > 0;
    }

    @Override
    public void flowControlPosted(Connection connection) {}

    @Override
    public void close(Connection connection, Close close) {}

    @Override
    public String describe() {
        return "benchmark";
    }

    @Override
    public void close() {}
}
