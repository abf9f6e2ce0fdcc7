package io.dxnet.tools.example;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.MessageTypeOption;
import io.dxnet.NodeMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A node of a key-value store: each key lives on the node that its hash chooses,
 * and every node reaches every key.
 */
final class KvNode implements AutoCloseable {
    private final Map<String, String> store = new ConcurrentHashMap<>();
    private final List<Integer> nodes;
    private final DXNet net;

    KvNode(DXNetConfig config, NodeMap nodeMap) {
        nodes = List.copyOf(nodeMap.nodes().keySet());
        net = new DXNet(config, nodeMap);
        // Exclusive types keep their order: what a node adds is added before what it
        // asks for afterwards is answered.
        net.registerMessageType(Add.TYPE, Add.SUBTYPE, Add::new, MessageTypeOption.EXCLUSIVE);
        net.registerMessageType(Add.TYPE, Ask.SUBTYPE, Ask::new, MessageTypeOption.EXCLUSIVE);
        net.registerMessageType(Add.TYPE, Answer.SUBTYPE, Answer::new);
        net.register(Add.TYPE, Add.SUBTYPE, (Add add) -> addHere(add.key, add.amount));
        net.register(Add.TYPE, Ask.SUBTYPE, (Ask ask) -> net.sendMessage(new Answer(ask, here(ask.key, ask.newValue))));
    }

    /** Sets a value; returns the one before. */
    String put(String key, String value) throws DXNetException {
        return ask(owner(key), key, value)[0];
    }

    /** Reads a value; null where there is none. */
    String get(String key) throws DXNetException {
        return ask(owner(key), key, null)[0];
    }

    /** Adds to a number and does not wait for it. */
    void add(String key, long amount) throws DXNetException {
        if (owner(key) == net.nodeId()) {
            addHere(key, amount);
        } else {
            net.sendMessage(new Add(owner(key), key, amount));
        }
    }

    /** The keys of all nodes, sorted; what this node has added is among them. */
    TreeSet<String> keys() throws DXNetException {
        TreeSet<String> keys = new TreeSet<>();
        for (int node : nodes) {
            keys.addAll(List.of(ask(node, null, null)));
        }
        return keys;
    }

    private String[] ask(int node, String key, String newValue) throws DXNetException {
        return node == net.nodeId() ? here(key, newValue) : net.sendSync(new Ask(node, key, newValue)).strings;
    }

    private String[] here(String key, String newValue) {
        if (key == null) {
            return store.keySet().toArray(new String[0]);
        }
        return new String[] {newValue == null ? store.get(key) : store.put(key, newValue)};
    }

    private void addHere(String key, long amount) {
        store.merge(key, "" + amount, (old, more) -> "" + (Long.parseLong(old) + Long.parseLong(more)));
    }

    private int owner(String key) {
        return nodes.get(Math.floorMod(key.hashCode(), nodes.size()));
    }

    @Override
    public void close() {
        net.close();
    }
}
