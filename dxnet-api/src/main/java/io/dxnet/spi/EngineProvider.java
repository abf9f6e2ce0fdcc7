package io.dxnet.spi;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;

/** Makes the engine; found with {@link java.util.ServiceLoader}. */
public interface EngineProvider {
    /**
     * Makes an engine.
     *
     * @param config the checked configuration
     * @param nodeMap the addresses of the nodes
     * @return the engine, not started
     */
    Engine create(DXNetConfig config, NodeMap nodeMap);
}
