package io.dxnet.memory;

import io.dxnet.Message;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The nodes that may attach to a {@link SharedRegion}. Immutable. */
public final class Peers {
    private static final Peers ALL = new Peers(Set.of(), true);

    private final Set<Integer> nodes;
    private final boolean all;

    private Peers(Set<Integer> nodes, boolean all) {
        this.nodes = nodes;
        this.all = all;
    }

    /**
     * Some nodes.
     *
     * @param nodeIds each 0 to 65535
     * @return those nodes
     * @throws IllegalArgumentException when a number is out of that range
     */
    public static Peers of(int... nodeIds) {
        Set<Integer> nodes = new TreeSet<>();
        for (int node : nodeIds) {
            if (node < 0 || node >= Message.NODES_MAX) {
                throw new IllegalArgumentException("node id " + node + " is not in 0..65535");
            }
            nodes.add(node);
        }
        return new Peers(Set.copyOf(nodes), false);
    }

    /** {@return every node that can connect: with a security mode, those of the cluster} */
    public static Peers all() {
        return ALL;
    }

    /**
     * Tests one node.
     *
     * @param nodeId its id
     * @return whether it may attach
     */
    public boolean contains(int nodeId) {
        return all || nodes.contains(nodeId);
    }

    @Override
    public String toString() {
        return all
                ? "all nodes"
                : "nodes " + Arrays.toString(nodes.stream().sorted().toArray());
    }
}
