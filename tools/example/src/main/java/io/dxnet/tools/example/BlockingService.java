package io.dxnet.tools.example;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.RequestType;
import java.lang.invoke.MethodHandles;
import java.util.function.UnaryOperator;

/**
 * Handlers that block: each request is answered on a virtual thread of its own, which may wait for
 * a database or another service. The node's own threads receive meanwhile.
 */
final class BlockingService implements AutoCloseable {
    /** What is asked for. */
    record Lookup(String key) {}

    /** What was found. */
    record Found(String value) {}

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final RequestType<Lookup, Found> LOOK_UP = RequestType.of(1, Lookup.class, Found.class, LOOKUP);

    private final DXNet net;

    BlockingService(NodeMap nodes, UnaryOperator<String> database) {
        net = DXNet.builder(nodes)
                .answer(
                        LOOK_UP,
                        (lookup, from) -> new Found(database.apply(lookup.key())), // may block
                        Thread::startVirtualThread)
                .start();
    }

    /** Asks another node; what its database throws is thrown here as a RequestFailedException. */
    String get(int node, String key) throws DXNetException {
        return net.call(node, LOOK_UP, new Lookup(key)).value();
    }

    @Override
    public void close() {
        net.close();
    }
}
