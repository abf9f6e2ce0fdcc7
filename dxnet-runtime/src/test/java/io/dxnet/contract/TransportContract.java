package io.dxnet.contract;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests for every transport: a transport's test class extends such a class and
 * configures the transport.
 */
public abstract class TransportContract {
    private final List<AutoCloseable> open = new ArrayList<>();

    /** For the contracts. */
    protected TransportContract() {}

    /**
     * Configures the transport.
     *
     * @param builder a builder
     * @return the same
     */
    protected abstract DXNetConfig.Builder configure(DXNetConfig.Builder builder);

    /**
     * Addresses for some nodes, numbered from 0.
     *
     * @param nodes how many
     * @return one map for each node
     */
    protected abstract List<NodeMap> maps(int nodes);

    final Cluster cluster(int nodes, UnaryOperator<DXNetConfig.Builder> settings) {
        Cluster cluster = new Cluster(maps(nodes), builder -> settings.apply(configure(builder)));
        open.add(cluster);
        return cluster;
    }

    @AfterEach
    final void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }
}
