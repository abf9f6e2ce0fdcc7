package io.dxnet.tools.example;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.MessageType;
import io.dxnet.NodeMap;
import io.dxnet.RequestType;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters on several nodes. Each node adds to its own part and sends the new value to all; the sum
 * of the parts is the counter. The order of a node's messages makes the last value win.
 */
final class ReplicatedCounter implements AutoCloseable {
    /** The part of the node that sends it. */
    record Part(String name, long value) {}

    /** Asks for the sum. */
    record Read(String name) {}

    /** The sum. */
    record Sum(long value) {}

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MessageType<Part> PART =
            MessageType.of(1, Part.class, LOOKUP).ordered();
    private static final RequestType<Read, Sum> READ = RequestType.of(2, Read.class, Sum.class, LOOKUP);

    private final Map<String, Map<Integer, Long>> parts = new ConcurrentHashMap<>();
    private final List<Integer> others;
    private final DXNet net;

    ReplicatedCounter(NodeMap nodes, List<Integer> others) {
        this.others = others;
        net = DXNet.builder(nodes)
                .on(PART, (part, from) -> put(part.name(), from, part.value()))
                .answer(READ, (read, from) -> new Sum(sum(read.name())))
                .start();
    }

    private void put(String name, int node, long value) {
        parts.computeIfAbsent(name, each -> new ConcurrentHashMap<>()).put(node, value);
    }

    /** Adds to this node's part. One thread at a time. */
    synchronized void add(String name, long number) throws DXNetException {
        long value = parts.getOrDefault(name, Map.of()).getOrDefault(net.nodeId(), 0L) + number;
        put(name, net.nodeId(), value);
        for (int other : others) {
            net.send(other, PART, new Part(name, value));
        }
    }

    /** What this node knows of the counter. */
    long sum(String name) {
        return parts.getOrDefault(name, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** What another node knows of it. */
    long sumAt(int node, String name) throws DXNetException {
        return net.call(node, READ, new Read(name)).value();
    }

    @Override
    public void close() {
        net.close();
    }
}
