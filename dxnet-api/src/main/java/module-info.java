/**
 * What an application sees of DXNet: messages, serialization, configuration and the
 * entry point {@link io.dxnet.DXNet}.
 */
module io.dxnet.api {
    requires static org.jspecify;

    exports io.dxnet;
    exports io.dxnet.memory;
    exports io.dxnet.spi to
            io.dxnet.runtime;

    uses io.dxnet.spi.EngineProvider;
}
