package io.dxnet.tools.ycsb;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.tools.cli.ToolException;

/**
 * A storage node: keeps the records of its share of the keys in
 * memory. Handlers of different keys work in parallel.
 */
final class StoreNode implements AutoCloseable {
    private final DXNet net;
    private final RecordStore records;
    /** Null where clients read by messages alone. */
    private final PublishedSlots slots;

    /** A node that clients reach by messages alone. */
    StoreNode(DXNetConfig config, NodeMap nodeMap) {
        this(config, nodeMap, null);
    }

    /**
     * Starts the node.
     *
     * @param publication what clients read in its memory; null: nothing
     */
    StoreNode(DXNetConfig config, NodeMap nodeMap, Publication publication) {
        net = new DXNet(config, nodeMap);
        boolean complete = false;
        try {
            slots = publication == null ? null : new PublishedSlots(net.remoteMemory(), publication);
            records = slots == null ? new HeapStore() : new PublishedStore(slots);
            register();
            if (slots != null) {
                slots.announce();
            }
            complete = true;
        } catch (DXNetException e) {
            throw new ToolException("can't share the records' memory: " + e.getMessage(), e);
        } finally {
            if (!complete) {
                net.close();
            }
        }
    }

    private void register() {
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
            case UPDATE -> new Outcome(operation, records.update(key, operation.row()) != null, null);
            case DELETE -> new Outcome(operation, records.remove(key), null);
        };
    }

    /** The node's description of itself. */
    String describe() {
        return net.describe();
    }

    @Override
    public void close() {
        if (slots != null) {
            slots.close();
        }
        net.close();
    }
}
