package io.dxnet.spi;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;

/** Makes the engine; found with {@link java.util.ServiceLoader}. */
public interface EngineProvider {
    /**
     * Makes and starts an engine.
     *
     * @param config the checked configuration
     * @param nodeMap who is where
     * @return the running engine
     */
    Engine start(DXNetConfig config, NodeMap nodeMap);
}
