package io.dxnet.tools.ycsb;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A storage node: keeps the records of its share of the keys in
 * memory. Handlers of different keys work in parallel.
 */
final class StoreNode implements AutoCloseable {
    private final Map<String, byte[]> records = new ConcurrentHashMap<>();
    private final DXNet net;

    StoreNode(DXNetConfig config, NodeMap nodeMap) {
        net = new DXNet(config, nodeMap);
        net.registerMessageType(Operation.TYPE, Operation.SUBTYPE, Operation::new);
        net.registerMessageType(Operation.TYPE, Outcome.SUBTYPE, Outcome::new);
        net.register(Operation.TYPE, Operation.SUBTYPE, (Operation o) -> net.sendMessage(execute(o)));
    }

    private Outcome execute(Operation operation) {
        String key = operation.key();
        return switch (operation.kind()) {
            case READ -> {
                byte[] row = records.get(key);
                yield new Outcome(operation, row != null, row);
            }
            case INSERT -> {
                records.put(key, operation.row());
                yield new Outcome(operation, true, null);
            }
            case UPDATE -> {
                byte[] row = records.computeIfPresent(key, (k, old) -> Row.merge(old, operation.row()));
                yield new Outcome(operation, row != null, null);
            }
            case DELETE -> new Outcome(operation, records.remove(key) != null, null);
        };
    }

    /** The node's description of itself. */
    String describe() {
        return net.describe();
    }

    @Override
    public void close() {
        net.close();
    }
}
